//! What looks like a credential. Nothing of one is ever shown.
//!
//! Two ways to tell: a form that an issuer gives its tokens, anywhere; or a name that says so and a value that nobody
//! would type as an example. Both can be wrong, so what a config file holds is a warning at most; texts that everybody
//! can read, and that are full of examples, are judged by `veil`, which is stricter.

/// Forms of tokens: how they begin, and how many letters follow at least.
const FORMS: [(&str, usize); 38] = [
    ("AIza", 30),
    ("AKIA", 16),
    ("ASIA", 16),
    ("ATATT", 30),
    ("SG.", 30),
    ("dop_v1_", 32),
    ("figd_", 20),
    ("ghp_", 30),
    ("gho_", 30),
    ("ghu_", 30),
    ("ghs_", 30),
    ("ghr_", 30),
    ("github_pat_", 22),
    ("glpat-", 16),
    ("glsa_", 20),
    ("gsk_", 30),
    ("hf_", 24),
    ("lin_api_", 24),
    ("npm_", 30),
    ("ntn_", 30),
    ("pat-na1-", 20),
    ("phx_", 24),
    ("pplx-", 24),
    ("pypi-Ag", 40),
    ("r8_", 30),
    ("rk_live_", 16),
    ("sbp_", 30),
    ("secret_", 32),
    ("shpat_", 24),
    ("sk-", 20),
    ("sk_live_", 16),
    ("sntrys_", 24),
    ("tvly-", 16),
    ("xai-", 30),
    ("xoxb-", 16),
    ("xoxp-", 16),
    ("xoxa-", 16),
    ("xapp-", 16),
];

/// Words of a name that says "credential".
const SECRET_WORDS: [&str; 20] = [
    "apikey",
    "auth",
    "authorization",
    "bearer",
    "cookie",
    "credential",
    "credentials",
    "jwt",
    "key",
    "pass",
    "passphrase",
    "passwd",
    "password",
    "pat",
    "pwd",
    "secret",
    "secrets",
    "sig",
    "signature",
    "token",
];

/// Words that take it back: what the name is about is public, or is not the credential itself.
const PLAIN_WORDS: [&str; 34] = [
    "anon",
    "arn",
    "count",
    "dir",
    "domain",
    "endpoint",
    "env",
    "expiry",
    "file",
    "format",
    "header",
    "host",
    "id",
    "issuer",
    "limit",
    "max",
    "method",
    "mode",
    "name",
    "path",
    "port",
    "prefix",
    "provider",
    "public",
    "publishable",
    "region",
    "scheme",
    "size",
    "timeout",
    "ttl",
    "type",
    "uri",
    "url",
    "username",
];

/// Words of values that stand in for a credential.
const STAND_INS: [&str; 60] = [
    "a",
    "access",
    "actual",
    "add",
    "admin",
    "an",
    "and",
    "api",
    "app",
    "auth",
    "bar",
    "bearer",
    "change",
    "changeme",
    "client",
    "credential",
    "default",
    "demo",
    "dev",
    "dummy",
    "enter",
    "example",
    "fake",
    "foo",
    "from",
    "github",
    "goes",
    "here",
    "in",
    "insert",
    "is",
    "key",
    "local",
    "localhost",
    "me",
    "mock",
    "my",
    "none",
    "null",
    "openai",
    "password",
    "paste",
    "placeholder",
    "postgres",
    "put",
    "redacted",
    "replace",
    "root",
    "sample",
    "secret",
    "server",
    "set",
    "sk",
    "some",
    "test",
    "the",
    "this",
    "to",
    "token",
    "your",
];

/// Whether a name says that its value is a credential.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let words = words(name);
    let secret = words.iter().any(|word| {
        SECRET_WORDS.contains(&word.as_str())
            || word.ends_with("token")
            || word.ends_with("password")
            || word.ends_with("secret")
            || word.ends_with("apikey")
    });
    let plain = words.last().is_some_and(|word| PLAIN_WORDS.contains(&word.as_str()))
        || words.iter().any(|word| matches!(word.as_str(), "public" | "publishable" | "anon" | "max"));
    secret && !plain
}

/// The words of a name in any case: `apiKey`, `API_KEY` and `x-api-key` all have `api` and `key`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for letter in name.chars() {
        let starts = !letter.is_alphanumeric() || (letter.is_uppercase() && before.is_lowercase());
        if starts || words.is_empty() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a text holds a token in a form that its issuer gives it.
pub(crate) fn has_known_form(text: &str) -> bool {
    if text.contains("-----BEGIN ") && text.contains("PRIVATE KEY-----") {
        return true;
    }
    pieces(text).any(|piece| {
        let jwt = piece.starts_with("eyJ") && piece.matches('.').count() == 2 && piece.len() > 40;
        jwt || is_formed(piece)
    })
}

/// Whether a value under a name that says "credential" is one, and no stand-in, path, address or name of a variable.
pub(crate) fn is_credential(value: &str) -> bool {
    let value = ["Bearer ", "bearer ", "Basic ", "Token ", "token "]
        .iter()
        .find_map(|scheme| value.strip_prefix(scheme))
        .unwrap_or(value)
        .trim();
    if has_known_form(value) {
        return true;
    }
    let visible = value.len() >= 8 && !value.contains(char::is_whitespace) && value.is_ascii();
    let variable = value.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_');
    if !visible || is_elsewhere(value) || variable || is_stand_in(value) {
        return false;
    }
    let has = |what: fn(&u8) -> bool| value.bytes().any(|byte| what(&byte));
    let (lower, upper) = (has(u8::is_ascii_lowercase), has(u8::is_ascii_uppercase));
    let (digit, sign) = (has(u8::is_ascii_digit), has(u8::is_ascii_punctuation));
    let kinds = [lower, upper, digit, sign].into_iter().filter(|kind| *kind).count();
    let long = value.len() >= 16;
    let mixed = digit && (lower || upper);
    is_varied(value) && ((long && (mixed || (lower && upper && value.len() >= 20))) || (kinds >= 3 && digit))
}

/// Whether a text consists of words that stand in for a credential, or of one letter again and again.
pub(crate) fn is_stand_in(value: &str) -> bool {
    let lower = value.to_lowercase();
    if [
        "your",
        "xxx",
        "changeme",
        "change-me",
        "change_me",
        "placeholder",
        "example",
        "redacted",
        "replace",
        "insert",
        "dummy",
        "sample",
        "...",
        "***",
        "1234567890",
        "0123456789",
        "abcdef123",
    ]
    .iter()
    .any(|mark| lower.contains(mark))
    {
        return true;
    }
    let words = words(value);
    let mut letters = words.iter().map(|word| word.trim_matches(|letter: char| letter.is_ascii_digit()));
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    digits <= 4 && letters.all(|word| word.is_empty() || STAND_INS.contains(&word))
}

/// Whether a piece begins as its issuer lets a token begin, and goes on long enough.
pub(crate) fn is_formed(piece: &str) -> bool {
    FORMS.iter().any(|(start, least)| {
        piece.strip_prefix(start).is_some_and(|rest| {
            rest.len() >= *least && rest.bytes().all(is_token_byte) && !is_stand_in(rest) && is_varied(rest)
        })
    })
}

/// Whether a text has enough different letters to be drawn at random.
pub(crate) fn is_varied(value: &str) -> bool {
    let mut letters: Vec<u8> = value.bytes().collect();
    letters.sort_unstable();
    letters.dedup();
    letters.len() >= 6
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

pub(crate) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii() || !is_token_byte(letter as u8)).filter(|piece| !piece.is_empty())
}

/// The credential inside an address: the password before `@`, or a parameter that is named so. Bytes of the text.
pub(crate) fn in_address(text: &str) -> Option<std::ops::Range<usize>> {
    let after = text.find("://")? + 3;
    let rest = text.get(after..)?;
    let authority = rest.get(..rest.find(['/', '?', '#']).unwrap_or(rest.len()))?;
    if let Some((user, host)) = authority.rsplit_once('@') {
        let local = ["localhost", "127.0.0.1", "host.docker.internal", "[::1]", "0.0.0.0"];
        let name = host.split(':').next().unwrap_or_default();
        let (start, secret) = user.split_once(':').map_or((0, user), |(name, secret)| (name.len() + 1, secret));
        if !local.contains(&name) && is_credential(secret) {
            return Some(after + start..after + user.len());
        }
    }
    let query = rest.find('?')? + after + 1;
    let mut start = query;
    for pair in text.get(query..)?.split(['&', '#']) {
        if let Some((name, value)) = pair.split_once('=')
            && is_secret_name(name)
            && is_credential(value)
        {
            return Some(start + name.len() + 1..start + pair.len());
        }
        start += pair.len() + 1;
    }
    None
}

/// Whether a value tells where a credential is, and is none.
pub(crate) fn is_elsewhere(value: &str) -> bool {
    value.starts_with(['/', '~', '.', '<', '$', '{', '%', '[']) || value.contains("://") || value.contains(":\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in [
            "ATLAS_TOKEN",
            "apiKey",
            "X-API-Key",
            "Authorization",
            "DB_PASSWORD",
            "clientSecret",
            "OPENAI_API_KEY",
            "githubtoken",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in [
            "ATLAS_REGION",
            "MAX_TOKENS",
            "PUBLIC_KEY",
            "KEY_ID",
            "TOKEN_URL",
            "AUTH_TYPE",
            "KEYSTORE",
            "SECRET_NAME",
            "monkey",
            "SUPABASE_ANON_KEY",
            "KEY_PATH",
        ] {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn values() {
        for value in [
            "Bearer 9f8e7d6c5b4a39281706f5e4d3c2b1a0cafe",
            "sk-Zq8vN3mK1pT7wX5yR2bL",
            "at_live_51HxQ9dK2mVb7TzR",
            "Tr0ub4dor&3x",
            "550e8400-e29b-41d4-a716-446655440000",
            "Basic YXRsYXM6cDRzc3cwcmQ=",
        ] {
            assert!(is_credential(value), "{value}");
        }
        for value in [
            "YOUR_TOKEN",
            "your-api-key-here",
            "<token>",
            "xxx",
            "xxxxxxxxxxxxxxxxxxxxxxxx",
            "changeme",
            "test-token",
            "my-secret-token-123",
            "sk-your-key-here-0000000000",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "${TOKEN}",
            "/run/secrets/token",
            "~/.token",
            "https://auth.example.test/token",
            "ATLAS_TOKEN",
            "true",
            "postgres",
            "",
            "Bearer <token>",
            "token",
            "12345",
            "C:\\keys\\a1b2c3d4e5f6.pem",
            "Bearer YOUR_API_KEY",
            "none",
            "sk-...",
            "0000000000000000000000",
        ] {
            assert!(!is_credential(value), "{value}");
        }
    }

    #[test]
    fn addresses() {
        let inside = |text: &str| in_address(text).map(|at| text[at].to_owned());
        assert_eq!(
            inside("https://mcp.example.test/?region=eu&api_key=9f8e7d6c5b4a3928#x").as_deref(),
            Some("9f8e7d6c5b4a3928")
        );
        assert_eq!(inside("postgres://app:kJ8sd7fH2kfQ0z@db.example.test/app").as_deref(), Some("kJ8sd7fH2kfQ0z"));
        for text in [
            "postgres://postgres:postgres@localhost:5432/db",
            "https://mcp.example.test/?key=YOUR_KEY",
            "https://a.test/mcp",
            "no address",
        ] {
            assert_eq!(inside(text), None, "{text}");
        }
    }
}
