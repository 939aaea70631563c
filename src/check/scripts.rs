//! Scripts and signs that need characters nobody sees: who may stand beside a joiner, a direction mark, a selector.
//!
//! Blocks, not properties: what is unassigned in a block is no way to hide, and no table of Unicode has to be shipped.

/// Whether a character is a letter of a script that is written from right to left.
pub(super) fn is_right_to_left(letter: char) -> bool {
    let block = matches!(letter,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}');
    block && letter.is_alphabetic()
}

/// Whether a character is a letter or mark of a script in which U+200C and U+200D shape words: Arabic and its kin,
/// Mongolian, the scripts of India and South-East Asia.
pub(super) fn joins(letter: char) -> bool {
    let block = matches!(letter,
        '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{109f}' | '\u{1700}'..='\u{18af}' | '\u{1900}'..='\u{1cff}'
        | '\u{a800}'..='\u{a9ff}' | '\u{aa00}'..='\u{aaff}' | '\u{abc0}'..='\u{abff}'
        | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10a00}'..='\u{10fff}' | '\u{11000}'..='\u{11fff}'
        | '\u{1e900}'..='\u{1e95f}');
    // Of the marks in these blocks the ones that are not seen themselves.
    block && !matches!(letter, '\u{61c}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}')
}

/// Whether a character is a letter or mark of a script without blanks between words: Thai, Lao, Tibetan, Myanmar,
/// Khmer.
pub(super) fn runs_on(letter: char) -> bool {
    matches!(letter,
        '\u{e00}'..='\u{109f}' | '\u{1780}'..='\u{17b3}' | '\u{17b6}'..='\u{17ff}' | '\u{1950}'..='\u{19ff}'
        | '\u{1a20}'..='\u{1aaf}' | '\u{a9e0}'..='\u{a9ff}' | '\u{aa60}'..='\u{aadf}')
}

/// Whether a character is shown as an emoji, or can be, digits apart.
pub(super) fn is_emoji(letter: char) -> bool {
    matches!(letter,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21ff}'
        | '\u{2300}'..='\u{23ff}' | '\u{2460}'..='\u{24ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}'
        | '\u{2b00}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// Whether `selector` picks a variant of `base`.
pub(super) fn has_variant(base: char, selector: char) -> bool {
    let is_han = matches!(base, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}');
    match selector {
        '\u{180b}'..='\u{180d}' | '\u{180f}' => matches!(base, '\u{1820}'..='\u{18aa}'),
        '\u{fe0e}' | '\u{fe0f}' => is_emoji(base) || matches!(base, '#' | '*' | '0'..='9'),
        // Beside Han: arrows, operators and other signs, the slashed nought, full-width stops, Myanmar and Phags-pa.
        '\u{fe00}'..='\u{fe0d}' => {
            is_han
                || is_emoji(base)
                || matches!(base, '0' | '\u{2200}'..='\u{22ff}' | '\u{2a00}'..='\u{2aff}' | '\u{3001}' | '\u{3002}'
                    | '\u{ff01}'..='\u{ff1f}' | '\u{1000}'..='\u{109f}' | '\u{aa60}'..='\u{aa7f}' | '\u{a840}'..='\u{a877}')
        }
        '\u{e0100}'..='\u{e01ef}' => is_han,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_may_stand_where() {
        assert!(is_right_to_left('\u{5d0}') && is_right_to_left('\u{627}'));
        assert!(!is_right_to_left('a') && !is_right_to_left('\u{61c}'));
        assert!(joins('\u{647}') && joins('\u{94d}') && !joins('e') && !joins('\u{200c}') && !joins('\u{5d0}'));
        assert!(runs_on('\u{e01}') && !runs_on('\u{1000f}'));
        assert!(has_variant('\u{2764}', '\u{fe0f}') && has_variant('1', '\u{fe0f}') && !has_variant('a', '\u{fe0f}'));
        assert!(has_variant('\u{8fbb}', '\u{e0100}') && !has_variant('\u{1f600}', '\u{e0100}'));
    }
}
