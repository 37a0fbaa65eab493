//! The names that browsers give to the copies of the files of a page, and to the folders of copies.

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

/// Returns whether all names have the same four characters behind them, which are chance: `a_Ab1C.png`. Four small letters or digits may be a
/// word or a year of the author, unless several copies have them.
pub(crate) fn are_of_firefox<'n>(mut names: impl Iterator<Item = &'n str>) -> bool {
    let Some((first, end)) = names.next().and_then(|name| Some((name, end_of_stem(name)?))) else { return false };
    let is_word = |is: fn(&u8) -> bool| end.bytes().all(|byte| is(&byte));
    let mut needs_another = is_word(u8::is_ascii_lowercase) || is_word(u8::is_ascii_digit);
    let is_copy = |name: &str| {
        needs_another &= name == first;
        end_of_stem(name) == Some(end)
    };
    names.all(is_copy) && !needs_another
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
