//! The names that browsers give to the copies of the files of a page, and to the folders of copies.

use crate::provenance::retrieval::Saver;
use crate::provenance::urls::decode_percent;

/// Returns whether a folder in a reference is named like those in which browsers save the files of a page.
pub(crate) fn is_folder_of_copies(name: &str) -> bool {
    String::from_utf8(decode_percent(name)).is_ok_and(|name| page_of_copies(&name).is_some())
}

/// Returns the name of the page, without an extension, whose files a browser saves in a folder with this name: that has a word for
/// "files" in the language of the browser or of Windows at its end.
///
/// ```
/// use absolve_rewriter::internal::page_of_copies;
/// assert_eq!(page_of_copies("My page_files"), Some("My page"));
/// assert_eq!(page_of_copies("files"), None);
/// ```
pub fn page_of_copies(folder: &str) -> Option<&str> {
    WORDS_FOR_FILES.iter().find_map(|word| {
        let (page, end) = folder.split_at_checked(folder.len().checked_sub(word.len())?)?;
        end.eq_ignore_ascii_case(word).then_some(page)
    })
}

/// Returns the saver if all names have the same four characters behind them: Firefox, which takes these by chance (`a_Ab1C.png`), or perhaps
/// Firefox if an author may have chosen them (`a_2024.png`).
pub(crate) fn saver_of_copies<'n>(mut names: impl Iterator<Item = &'n str>) -> Option<Saver> {
    let end = end_of_stem(names.next()?)?;
    let saver = if is_of_author(end) { Saver::PerhapsBrowser } else { Saver::Browser };
    names.all(|name| end_of_stem(name) == Some(end)).then_some(saver)
}

/// Returns whether four characters look like a word, a number or a size with a unit: `dark`, `Dark`, `MAIN`, `2024`, `720p`.
fn is_of_author(end: &str) -> bool {
    let has_case = |is: fn(&u8) -> bool| end.bytes().any(|byte| is(&byte));
    let letters = end.bytes().filter(u8::is_ascii_alphabetic).count();
    let is_word = letters + end.bytes().filter(|byte| b"-_".contains(byte)).count() == end.len();
    let is_capitalised = !end.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
    let has_one_case = !has_case(u8::is_ascii_lowercase) || !has_case(u8::is_ascii_uppercase);
    letters <= 1 || is_word && (is_capitalised || has_one_case)
}

/// Returns whether a path names a copy of a frame that Firefox saved: `a_data/i_Ab1C.png`.
pub(crate) fn is_copy_of_frame(path: &str) -> bool {
    path.split_once('/').is_some_and(|(folder, name)| folder.ends_with(FOLDER_OF_FRAME) && end_of_stem(name).is_some())
}

/// Returns the four characters behind the last `_` of a name, in front of its extension if it has one.
fn end_of_stem(name: &str) -> Option<&str> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let end = stem.get(stem.len().checked_sub(5)?..)?.strip_prefix('_')?;
    end.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)).then_some(end)
}

/// What ends the name of the folder with the copies of a frame, in each language.
pub(crate) const FOLDER_OF_FRAME: &str = "_data";

/// The words of Windows ("Connected Files" in the documentation of its shell).
const WORDS_FOR_FILES: [&str; 22] = [
    ".files",
    "_files",
    "-dateien",
    "_fichiers",
    "_bestanden",
    "_file",
    "_archivos",
    "-filer",
    "_tiedostot",
    "_pliki",
    "_soubory",
    "_elemei",
    "_ficheiros",
    "_arquivos",
    "_dosyalar",
    "_datoteke",
    "_fitxers",
    "_failid",
    "_fails",
    "_bylos",
    "_fajlovi",
    "_fitxategiak",
];

#[cfg(test)]
mod tests {
    use super::{Saver, saver_of_copies};

    #[test]
    fn ends_that_are_chance() {
        for end in ["Ab1C", "wU58", "HJZg", "fSxz", "4RKO", "o-e6", "ab12", "-Kq9"] {
            let names = [format!("a_{end}.png"), format!("b_{end}")];
            assert_eq!(saver_of_copies(names.iter().map(|name| &**name)), Some(Saver::Browser), "{end}");
        }
        for end in ["2024", "1-20", "orig", "Dark", "MAIN", "en-u", "720p", "v001"] {
            let names = [format!("a_{end}.png"), format!("b_{end}.svg")];
            assert_eq!(saver_of_copies(names.iter().map(|name| &**name)), Some(Saver::PerhapsBrowser), "{end}");
        }
        for names in [&["a.png", "b_Ab1C.png"][..], &["a_Ab1C.png", "b_Ab1D.png"], &["Ab1C.png"], &[]] {
            assert_eq!(saver_of_copies(names.iter().copied()), None, "{names:?}");
        }
    }
}
