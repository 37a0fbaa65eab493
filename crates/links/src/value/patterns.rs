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
            Regex::new(pattern).map_err(|error| InvalidPattern { pattern: pattern.to_owned(), why: error.to_string() })
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

/// A pattern that is not a regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidPattern {
    pattern: String,
    why: String,
}

impl fmt::Display for InvalidPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a regular expression: {}", self.pattern, self.why)
    }
}

impl Error for InvalidPattern {}
