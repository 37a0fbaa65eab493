//! Extensions of files that are never documents. Files with any other extension may be documents: mail folders have names such as `comp.lang.c`.

/// Extensions of what is neither text with links nor mail, in lower case and sorted.
const EXTENSIONS: &[&str] = &[
    "3gp", "7z", "aac", "apk", "avi", "avif", "bin", "bmp", "cab", "cjs", "class", "crx", "cur", "db", "deb", "dll",
    "dmg", "doc", "docx", "eot", "eps", "epub", "exe", "fla", "flac", "flv", "gif", "heic", "ico", "iso", "jar", "jp2",
    "jpe", "jpeg", "jpg", "js", "json", "jsonl", "jxl", "less", "m3u8", "m4a", "m4v", "map", "mid", "midi", "mjs",
    "mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "msf", "msi", "o", "odp", "ods", "odt", "oga", "ogg", "ogv", "opus",
    "otf", "parquet", "pdf", "png", "ppt", "pptx", "ps", "psd", "py", "pyc", "rar", "rpm", "rtf", "sass", "scss", "so",
    "sqlite", "svgz", "swf", "tar", "tif", "tiff", "ts", "tsx", "ttc", "ttf", "wasm", "wav", "webm", "webp", "wma",
    "wmv", "woff", "woff2", "xls", "xlsx", "zip",
];

/// Returns whether the extension belongs to files that are never documents: images, fonts, sound, video, programs, data, packed files.
pub(crate) fn is_no_document(extension: &str) -> bool {
    EXTENSIONS.binary_search(&&*extension.to_ascii_lowercase()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{EXTENSIONS, is_no_document};

    #[test]
    fn names_of_mail_folders_have_other_extensions() {
        assert!(EXTENSIONS.is_sorted() && is_no_document("PNG"));
        assert!(!["c", "old", "kernel", "bak", "open", "announce"].into_iter().any(is_no_document));
    }
}
