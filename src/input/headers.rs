//! Headers that the user wants sent, with values that may stand in variables.
//!
//! Apart from the header itself, because a value is looked up only for a target that is contacted: a variable that is
//! not set is no fault of the others.

use super::remote::Header;
use crate::error::Trouble;
use crate::text::secret;
use crate::text::{header, safe};

/// Headers as asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Those whose values are given.
    pub given: Vec<Header>,
    /// Names of others, each with the variable that holds its value.
    pub from_env: Vec<(String, String)>,
    /// The variable that holds a bearer token.
    pub bearer: Option<String>,
}

impl Wanted {
    /// Whether none is asked for.
    pub fn is_empty(&self) -> bool {
        self.given.is_empty() && self.from_env.is_empty() && self.bearer.is_none()
    }

    /// The headers, with values looked up in our environment.
    ///
    /// # Errors
    ///
    /// [`Trouble::Usage`] that names the variable which is not set, or whose value no header can carry.
    pub fn resolve(&self) -> Result<Vec<Header>, Trouble> {
        let mut headers = self.given.clone();
        for (name, variable) in &self.from_env {
            headers.push(header(name, &value_of(variable)?, variable)?);
        }
        if let Some(variable) = &self.bearer {
            let value = value_of(variable)?;
            // Some keep the whole value of the header in it.
            let token = value.trim().split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
            let token = token.map_or(value.trim(), |(_, token)| token.trim());
            headers.push(header("Authorization", &format!("Bearer {token}"), variable)?);
        }
        Ok(headers)
    }
}

fn header(name: &str, value: &str, variable: &str) -> Result<Header, Trouble> {
    let told = |problem| Trouble::usage(format!("the variable {}: {problem}", safe::quoted(variable)), "set it anew");
    checked(name, value).map_err(told)
}

fn value_of(variable: &str) -> Result<String, Trouble> {
    if !is_variable(variable) || secret::has_known_form(variable) {
        // It is likely the value itself, put there by a `$` too many.
        return Err(Trouble::usage(
            "what should name a variable is no name of one",
            "give the name of the variable that holds the value, without `$`: `--bearer-env TOKEN`",
        ));
    }
    let problem = match std::env::var(variable) {
        Ok(value) if !value.trim().is_empty() => return Ok(value),
        Ok(_) => "is empty",
        Err(std::env::VarError::NotPresent) => "is not set",
        Err(std::env::VarError::NotUnicode(_)) => "is not UTF-8",
    };
    Err(Trouble::usage(
        format!("the variable {} {problem}", safe::quoted(variable)),
        "export it before the run; a header takes its value from it",
    ))
}

/// Whether a text has the form of a variable's name in a shell.
fn is_variable(text: &str) -> bool {
    !text.starts_with(|letter: char| letter.is_ascii_digit())
        && !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// A header of this name and value.
///
/// # Errors
///
/// What is wrong with it, without its value.
pub fn checked(name: &str, value: &str) -> Result<Header, String> {
    if !header::is_name(name) {
        return Err(format!("{} is no name of a header", safe::quoted(&safe::clip(name, 60))));
    }
    let value = value.trim_matches([' ', '\t']);
    if !value.chars().all(|letter| letter == ' ' || letter.is_ascii_graphic()) {
        return Err(format!("the value for {} holds more than printable ASCII", safe::quoted(name)));
    }
    Ok(Header { name: name.to_owned(), value: value.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_cannot_begin_another_header() {
        assert_eq!(checked("X-Key", " a b ").unwrap().value, "a b");
        for (name, value) in [("X Key", "v"), ("", "v"), ("X:", "v"), ("X", "s3cret\r\nY: z"), ("X", "s3cret\u{7f}")] {
            let fault = checked(name, value).unwrap_err();
            assert!(!fault.contains("s3cret"), "{fault}");
        }
    }

    #[test]
    fn a_variable_that_is_not_set_is_named() {
        let wanted = Wanted { bearer: Some("NO_SUCH_VARIABLE_HERE".to_owned()), ..Wanted::default() };
        assert!(wanted.resolve().unwrap_err().to_string().contains("`NO_SUCH_VARIABLE_HERE` is not set"));
        assert!(Wanted::default().is_empty() && !wanted.is_empty());
    }
}
