//! Regular expressions by which a user chooses references.

use std::error::Error;
use std::fmt;

use regex_lite::Regex;

/// Regular expressions, any of which may match. Their syntax is that of the crate regex; classes such as `\w` and `(?i)` know ASCII only.
#[derive(Clone, Debug, Default)]
pub struct Patterns(Vec<Regex>);

impl Patterns {
    /// Compiles patterns.
    ///
    /// # Errors
    ///
    /// The first pattern that is not a regular expression.
    ///
    /// ```
    /// let patterns = absolve_links::Patterns::new([r"^\[", "^tmp/"])?;
    /// assert!(patterns.is_match("[unsubscribe]"));
    /// # Ok::<(), absolve_links::InvalidPattern>(())
    /// ```
    pub fn new<P: AsRef<str>>(patterns: impl IntoIterator<Item = P>) -> Result<Self, InvalidPattern> {
        let compile = |pattern: P| {
            let pattern = pattern.as_ref();
            let invalid = |error| InvalidPattern::new(pattern, "regular expression", &error);
            Regex::new(pattern).map_err(invalid)
        };
        patterns.into_iter().map(compile).collect::<Result<_, _>>().map(Self)
    }

    /// Returns whether there is no pattern.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the patterns as they were written.
    pub fn patterns(&self) -> Vec<&str> {
        self.0.iter().map(Regex::as_str).collect()
    }

    /// Returns whether a pattern matches somewhere in the text.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.iter().any(|pattern| pattern.is_match(text))
    }
}

/// A pattern that is not what it should be, such as a regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidPattern {
    pattern: String,
    language: &'static str,
    why: String,
}

impl InvalidPattern {
    /// Returns the error of a pattern that is not one of this language.
    ///
    /// ```
    /// let error = absolve_links::InvalidPattern::new("[", "glob", &"it ends early");
    /// assert_eq!(error.to_string(), r#""[" is not a glob: it ends early"#);
    /// ```
    pub fn new(pattern: &str, language: &'static str, why: &dyn fmt::Display) -> Self {
        Self { pattern: pattern.to_owned(), language, why: why.to_string() }
    }
}

impl fmt::Display for InvalidPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a {}: {}", self.pattern, self.language, self.why)
    }
}

impl Error for InvalidPattern {}
