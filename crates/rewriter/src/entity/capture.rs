//! The record of a web archive that an entity comes from.

/// What a record of a web archive says of its entity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capture<'e> {
    /// The URL that was retrieved.
    pub url: String,
    /// When: the `WARC-Date`.
    pub date: Option<String>,
    /// The `WARC-Record-ID`, in angle brackets if it is written so.
    pub id: Option<String>,
    /// The status line and the header of the HTTP response; empty for other records.
    pub head: &'e [u8],
    /// Whether the entity is what metadata say of the document (WAT): its bytes are not those of the document.
    pub is_metadata: bool,
}

impl<'e> Capture<'e> {
    /// Creates the capture of a URL, without date, id and response.
    ///
    /// ```
    /// assert_eq!(absolve_rewriter::internal::Capture::new("http://h/").date, None);
    /// ```
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), ..Self::default() }
    }

    /// Returns the capture with the date and the id of the record.
    ///
    /// ```
    /// let capture = absolve_rewriter::internal::Capture::new("http://h/").with_record(Some("2020-01-01T00:00:00Z".into()), None);
    /// assert_eq!((capture.date.as_deref(), capture.id), (Some("2020-01-01T00:00:00Z"), None));
    /// ```
    #[must_use]
    pub fn with_record(self, date: Option<String>, id: Option<String>) -> Self {
        Self { date, id, ..self }
    }

    /// Returns the capture of a document of which there are only metadata.
    ///
    /// ```
    /// assert!(absolve_rewriter::internal::Capture::new("http://h/").of_metadata().is_metadata);
    /// ```
    #[must_use]
    pub const fn of_metadata(mut self) -> Self {
        self.is_metadata = true;
        self
    }

    /// Returns the capture with the status line and the header of the response.
    ///
    /// ```
    /// let head = b"HTTP/1.1 204 No Content\r\n\r\n";
    /// assert_eq!(absolve_rewriter::internal::Capture::new("http://h/").with_head(head).head, head);
    /// ```
    #[must_use]
    pub const fn with_head(mut self, head: &'e [u8]) -> Self {
        self.head = head;
        self
    }
}
