//! The formats of bundles, and their names.

use std::ffi::OsStr;
use std::path::Path;

use absolve_framing::Compression;

/// The format of a ZIP or tar file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BundleFormat {
    /// A ZIP file.
    Zip,
    /// A tar file, compressed as a whole.
    Tar(Compression),
}

impl BundleFormat {
    /// Returns the format that a name declares.
    ///
    /// ```
    /// use absolve_framing::Compression;
    /// use absolve_files::BundleFormat;
    /// assert!(["a.ZIP", "a.maff"].iter().all(|name| BundleFormat::of_name(name.as_ref()) == Some(BundleFormat::Zip)));
    /// for name in ["a.tar.gz", "a.tgz"] {
    ///     assert_eq!(BundleFormat::of_name(name.as_ref()), Some(BundleFormat::Tar(Compression::Gzip)));
    /// }
    /// assert_eq!(BundleFormat::of_name("a.gz".as_ref()), None);
    /// ```
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = |path: &Path| path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        Some(match &*extension(path)? {
            "zip" | "maff" | "htz" => Self::Zip,
            "tar" => Self::Tar(Compression::None),
            "tgz" => Self::Tar(Compression::Gzip),
            "tbz" | "tbz2" => Self::Tar(Compression::Bzip2),
            "txz" => Self::Tar(Compression::Xz),
            "tzst" => Self::Tar(Compression::Zstandard),
            "tlz4" => Self::Tar(Compression::Lz4),
            _ => match extension(Path::new(path.file_stem()?))?.as_str() {
                "tar" => Self::Tar(Compression::of_name(path)?),
                _ => return None,
            },
        })
    }

    /// Returns what names of such files end in.
    ///
    /// ```
    /// use absolve_framing::Compression;
    /// use absolve_files::BundleFormat;
    /// assert_eq!(BundleFormat::Tar(Compression::Gzip).extension(), ".tar.gz");
    /// ```
    pub fn extension(self) -> String {
        match self {
            Self::Zip => ".zip".to_owned(),
            Self::Tar(compression) => format!(".tar{}", compression.extension()),
        }
    }
}
