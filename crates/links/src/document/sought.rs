//! What the scan of a document looks for besides links.

use super::Document;

/// What a scan looks for besides links.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sought {
    /// What the document says of its links.
    pub(crate) annotations: bool,
    /// What keeps browsers from loading local files.
    pub(crate) local_files: bool,
    /// Scripts that resolve at the BASE.
    pub(crate) scripts_at_base: bool,
}

impl Sought {
    pub(super) const NOTHING: Self = Self { annotations: false, local_files: false, scripts_at_base: false };
}

impl Document<'_> {
    /// Makes its scan contain what it says of its links: the texts of anchors and the values of `rel`.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Table};
    /// let document = Document::new(b"<a href=x rel=next>The <b>next</b> page</a>", DocumentType::Html).with_annotations();
    /// let scan = document.scan(&Table::default())?;
    /// let annotation = scan.annotation(0).expect("it has a text");
    /// assert_eq!((annotation.text.as_deref(), annotation.rel.as_deref()), (Some("The next page"), Some("next")));
    /// # Ok::<(), absolve_links::Refusal>(())
    /// ```
    #[must_use]
    pub const fn with_annotations(self) -> Self {
        Self { sought: Sought { annotations: true, ..self.sought }, ..self }
    }

    /// Makes its scan contain what keeps browsers from loading local files.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Table};
    /// let document = Document::new(b"<img src=x crossorigin>", DocumentType::Html).with_local_files();
    /// assert_eq!(document.scan(&Table::default())?.obstacles[0].name, 11..22);
    /// # Ok::<(), absolve_links::Refusal>(())
    /// ```
    #[must_use]
    pub const fn with_local_files(self) -> Self {
        Self { sought: Sought { local_files: true, ..self.sought }, ..self }
    }

    /// Makes its scan look for scripts that resolve at the BASE. Only who removes the BASE has to know of them.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Table};
    /// let page = b"<base href=/b/><script type=module>import './a.js'</script>";
    /// let document = Document::new(page, DocumentType::Html).with_scripts_at_base();
    /// assert_eq!(document.scan(&Table::default())?.script_at_base, Some(15));
    /// # Ok::<(), absolve_links::Refusal>(())
    /// ```
    #[must_use]
    pub const fn with_scripts_at_base(self) -> Self {
        Self { sought: Sought { scripts_at_base: true, ..self.sought }, ..self }
    }

    /// Returns what its scan looks for besides links.
    pub(crate) const fn sought(&self) -> Sought {
        self.sought
    }
}
