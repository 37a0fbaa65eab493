//! File names that are safe in any folder of any system.

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;

use crate::limits::{EXTENSION_BYTES, NAME_BYTES};

/// Names that are devices on Windows, whatever their extension. Those with a number follow.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Returns a name that is no path, no hidden file, no option of a command and no device, without controls and characters that some
/// system forbids, and short enough; `None` if nothing is left of it.
pub(crate) fn safe_name(proposed: &str) -> Option<String> {
    let last = proposed.rsplit(['/', '\\']).next().unwrap_or_default();
    let replaced: String =
        last.chars().map(|character| if is_forbidden(character) { '_' } else { character }).collect();
    // Windows drops dots and spaces at the end, and then other extensions count.
    let trimmed = replaced.trim_end_matches(|end: char| end == '.' || end.is_whitespace()).trim_start();
    if trimmed.trim_matches(['_', '.', ' ']).is_empty() {
        return None;
    }
    let is_risky = trimmed.starts_with(['.', '-', '~']) || is_device(trimmed);
    let name = if is_risky { format!("_{trimmed}") } else { trimmed.to_owned() };
    Some(shortened(&name, NAME_BYTES))
}

/// Returns whether a character is a separator, a control, or changes the direction of text.
pub(crate) fn is_forbidden(character: char) -> bool {
    const FORBIDDEN: &str = "/\\:*?\"<>|";
    let is_format = matches!(character, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFFD}');
    character.is_control() || FORBIDDEN.contains(character) || is_format || is_private(character)
}

fn is_private(character: char) -> bool {
    matches!(character, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}' | '\u{E0000}'..='\u{E007F}')
}

pub(crate) fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let is_number = |rest: &str| matches!(rest, "¹" | "²" | "³") || matches!(rest.as_bytes(), [b'0'..=b'9']);
    DEVICES.contains(&&*stem) || ["com", "lpt"].iter().any(|port| stem.strip_prefix(port).is_some_and(is_number))
}

/// Returns the name in at most `limit` bytes, with its extension.
pub(crate) fn shortened(name: &str, limit: usize) -> String {
    if name.len() <= limit {
        return name.to_owned();
    }
    let (stem, extension) = split(name);
    let mut end = limit - extension.len();
    while !stem.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{extension}", stem[..end].trim_end_matches(['.', ' ']))
}

/// Splits a name before its extension, if that is a short one.
pub(crate) fn split(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(dot) if dot > 0 && name.len() - dot <= EXTENSION_BYTES => name.split_at(dot),
        _ => (name, ""),
    }
}

/// Names that are taken, in a folder where capitals and small letters may be the same.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    names: HashSet<String>,
    /// The last number that was given to a name.
    numbers: HashMap<String, usize>,
}

impl Taken {
    /// Takes a name, or the first of it with a number that is free.
    pub(crate) fn take(&mut self, name: &str) -> String {
        let key = folded(name);
        if self.names.insert(key.clone()) {
            return name.to_owned();
        }
        let (stem, extension) = split(name);
        let number = self.numbers.entry(key).or_insert(1);
        loop {
            *number += 1;
            let suffix = format!("-{number}{extension}");
            let numbered = format!("{}{suffix}", shortened(stem, NAME_BYTES - suffix.len()));
            if self.names.insert(folded(&numbered)) {
                return numbered;
            }
        }
    }
}

/// Returns what two names have in common that are one in some file system.
pub(crate) fn folded(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    name.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::{Taken, safe_name};

    #[test]
    fn names_lead_nowhere_else() {
        for (proposed, expected) in [
            ("lamp.png", Some("lamp.png")),
            ("../../etc/passwd", Some("passwd")),
            ("..\\..\\boot.ini", Some("boot.ini")),
            ("/", None),
            ("..", None),
            ("", None),
            (" . ", None),
            ("???", None),
            (".htaccess", Some("_.htaccess")),
            ("-rf", Some("_-rf")),
            ("con.txt", Some("_con.txt")),
            ("Con", Some("_Con")),
            ("LPT1.x.png", Some("_LPT1.x.png")),
            ("com¹", Some("_com¹")),
            ("COM10.txt", Some("COM10.txt")),
            ("console.txt", Some("console.txt")),
            ("a:b*c?.png", Some("a_b_c_.png")),
            ("x.png. . ", Some("x.png")),
            (" x.php.\u{a0}.", Some("x.php")),
            ("a\0b\nc", Some("a_b_c")),
            ("exe\u{202E}gpj.scr", Some("exe_gpj.scr")),
            ("冬の灯台.jpg", Some("冬の灯台.jpg")),
        ] {
            assert_eq!(safe_name(proposed).as_deref(), expected, "{proposed:?}");
        }
        let long = safe_name(&format!("{}.jpeg", "é".repeat(10_000))).unwrap_or_default();
        assert!(long.len() <= 120 && long.ends_with("é.jpeg"), "{long}");
    }

    #[test]
    fn no_name_is_given_twice() {
        let mut taken = Taken::default();
        for (name, expected) in [
            ("a.png", "a.png"),
            ("A.PNG", "A-2.PNG"),
            ("a.png", "a-3.png"),
            ("a-2.png", "a-2-2.png"),
            ("\u{e9}", "\u{e9}"),
            ("e\u{301}", "e\u{301}-2"),
            ("straße", "straße"),
            ("STRASSE", "STRASSE-2"),
        ] {
            assert_eq!(taken.take(name), expected);
        }
        let mut last = String::new();
        for _ in 0..100_000 {
            last = taken.take(&"x".repeat(120));
        }
        assert!(last.ends_with("xx-100000") && last.len() == 120, "{last}");
    }
}
