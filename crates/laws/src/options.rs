//! Options of the properties.

use std::sync::LazyLock;

use absolve_rewriter::Options;

/// The options of the command without flags; building their table takes longer than reading a short document.
pub(crate) static OPTIONS: LazyLock<Options> = LazyLock::new(Options::default);
