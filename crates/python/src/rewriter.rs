//! Documents and messages in memory.

use std::borrow::Cow;

use absolve_rewriter as rust;
use absolve_rewriter::internal::{Kind, target_of};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::documents::{Rewritten, list, rewritten};
use crate::error::BaseError;
use crate::options::{Settings, named};
use crate::results::{Link, Page};
use crate::text::{Data, url_of};

/// Makes links absolute, with options that are read once.
///
/// A rewriter has settings and no state: one serves any number of documents and threads. The options are those of the command:
/// see `absolve rewrite --help`.
///
/// >>> rewriter = absolve.Rewriter(standard="rfc3986", base_element="remove")
/// >>> page = rewriter.html("<base href=/d/><a href=x>", url="https://example.org/")
/// >>> page.content
/// '<base><a href=https://example.org/d/x>'
/// >>> page.base.url, page.base.layer
/// ('https://example.org/d/', 'element')
#[pyclass(frozen, module = "absolve")]
#[derive(Debug)]
pub(crate) struct Rewriter {
    settings: Settings,
    /// The options that it was made with, by which another process makes it again.
    options: Py<PyDict>,
}

#[pymethods]
impl Rewriter {
    #[new]
    #[pyo3(signature = (**options))]
    fn new(py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let settings = Settings::of_documents(options, &[])?.into_owned().with_bases();
        let options = match options {
            // The lists in it may change later.
            Some(options) => py.import("copy")?.call_method1("deepcopy", (options,))?.cast_into::<PyDict>()?,
            None => PyDict::new(py),
        };
        Ok(Self { settings, options: options.unbind() })
    }

    /// Returns the arguments of `__new__`, for pickle.
    fn __getnewargs_ex__(&self, py: Python<'_>) -> ((), Py<PyDict>) {
        ((), self.options.clone_ref(py))
    }

    /// Returns HTML with absolute links, as a `Page`.
    ///
    /// `data` is str or bytes, and `page.content` is the same; it is the object `data` itself if nothing changed. `url` is the URL that the
    /// document was retrieved from; a `<base href>` of the document counts before it.
    ///
    /// >>> absolve.Rewriter().html(b"<a href=x>", url="https://example.org/").content
    /// b'<a href=https://example.org/x>'
    #[pyo3(signature = (data, url=None))]
    fn html(
        &self,
        py: Python<'_>,
        data: Data<'_>,
        #[pyo3(from_py_with = url_of)] url: Option<String>,
    ) -> PyResult<Page> {
        self.page(py, &data, Kind::HTML, url.as_deref())
    }

    /// Returns a document of any type with absolute links, as a `Page`: html, css, xml, text, markdown, json-feed, speculation-rules or message.
    ///
    /// >>> absolve.Rewriter().document("a { b: url(c) }", "css", url="https://example.org/").content
    /// 'a { b: url(https://example.org/c) }'
    #[pyo3(signature = (data, r#type, url=None))]
    fn document(
        &self,
        py: Python<'_>,
        data: Data<'_>,
        r#type: &str,
        #[pyo3(from_py_with = url_of)] url: Option<String>,
    ) -> PyResult<Page> {
        self.page(py, &data, kind(r#type)?, url.as_deref())
    }

    /// Returns a message (RFC 5322, MIME) with absolute links in all its parts, as a `Page`.
    ///
    /// >>> mail = b"Content-Base: https://example.org/\nContent-Type: text/html\n\n<a href=x>"
    /// >>> absolve.Rewriter().message(mail).counts.rewritten
    /// 1
    #[pyo3(signature = (data, url=None))]
    fn message(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyBytes>,
        #[pyo3(from_py_with = url_of)] url: Option<String>,
    ) -> PyResult<Page> {
        self.page(py, &Data::Bytes(data.clone()), Kind::Message, url.as_deref())
    }

    /// Returns the links of a document as a list of `Link`, in the order in which they stand.
    ///
    /// `data[link.start:link.end]` is the link as it is written, in str and in bytes.
    ///
    /// >>> [link.target for link in absolve.Rewriter().links("<a href=x>", url="https://example.org/")]
    /// ['https://example.org/x']
    #[pyo3(signature = (data, url=None, *, r#type="html"))]
    fn links(
        &self,
        py: Python<'_>,
        data: Data<'_>,
        #[pyo3(from_py_with = url_of)] url: Option<String>,
        r#type: &str,
    ) -> PyResult<Vec<Link>> {
        list(py, &self.settings, &data, kind(r#type)?, url.as_deref())
    }

    fn __repr__(&self) -> String {
        let rust::settings::Rules { standard, profile } = self.settings.options.documents.rules;
        format!("<Rewriter standard={:?} precedence={:?}>", standard.name(), profile.name())
    }
}

impl Rewriter {
    fn page(&self, py: Python<'_>, data: &Data<'_>, kind: Kind, url: Option<&str>) -> PyResult<Page> {
        let Rewritten { content, report } = rewritten(py, &self.settings, data, kind, url)?;
        let changed = matches!(content, Cow::Owned(_));
        Ok(Page::new(data.result(py, content)?.unbind(), changed, &report))
    }
}

/// Returns HTML with absolute links: str for str, bytes for bytes, and the same object if nothing changed.
///
/// `url` is the URL that the document was retrieved from; a `<base href>` of the document counts before it. `type` is html, css,
/// xml, text, markdown, json-feed, speculation-rules or message. Options are those of `Rewriter`.
///
/// >>> absolve.rewrite('<a href="x">', url="https://example.org/d/")
/// '<a href="https://example.org/d/x">'
#[pyfunction]
#[pyo3(signature = (data, url=None, *, r#type="html", **options))]
pub(crate) fn rewrite<'py>(
    py: Python<'py>,
    data: Data<'py>,
    #[pyo3(from_py_with = url_of)] url: Option<String>,
    r#type: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let settings = Settings::of_documents(options, &["url", "type"])?;
    let done = rewritten(py, &settings, &data, kind(r#type)?, url.as_deref())?;
    data.result(py, done.content)
}

/// Returns a message (RFC 5322, MIME) with absolute links in all its parts. The header fields of each part declare its base.
///
/// >>> absolve.rewrite_message(b"Content-Base: https://example.org/\nContent-Type: text/html\n\n<a href=x>")
/// b'Content-Base: https://example.org/\nContent-Type: text/html\n\n<a href=https://example.org/x>'
#[pyfunction]
#[pyo3(signature = (data, url=None, **options))]
pub(crate) fn rewrite_message<'py>(
    py: Python<'py>,
    data: Bound<'py, PyBytes>,
    #[pyo3(from_py_with = url_of)] url: Option<String>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let data = Data::Bytes(data);
    let settings = Settings::of_documents(options, &["url"])?;
    let done = rewritten(py, &settings, &data, Kind::Message, url.as_deref())?;
    data.result(py, done.content)
}

/// Returns the links of a document as a list of `Link`, in the order in which they stand.
///
/// >>> [(link.element, link.reference, link.status) for link in absolve.links("<img src=x><a href='http://h/'>")]
/// [('img', 'x', 'unresolved'), ('a', 'http://h/', 'absolute')]
#[pyfunction]
#[pyo3(signature = (data, url=None, *, r#type="html", **options))]
pub(crate) fn links(
    py: Python<'_>,
    data: Data<'_>,
    #[pyo3(from_py_with = url_of)] url: Option<String>,
    r#type: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Link>> {
    let settings = Settings::of_documents(options, &["url", "type"])?;
    list(py, &settings, &data, kind(r#type)?, url.as_deref())
}

/// Returns the URL that a reference means at a base, by a standard; None if it means none.
///
/// >>> absolve.resolve("../g", base="http://a/b/c/d;p?q", standard="draft1996")
/// 'http://a/b/g'
#[pyfunction]
#[pyo3(signature = (reference, *, base, standard="whatwg"))]
pub(crate) fn resolve(reference: &str, base: &str, standard: &str) -> PyResult<Option<String>> {
    let standard = named("standard", standard, &rust::Standard::ALL.map(|one| (one.name(), one)))?;
    let base = rust::BaseUrl::parse(base, standard)
        .map_err(|error| BaseError::new_err(format!("{base:?} cannot be a base: {error}")))?;
    Ok(target_of(&base, reference))
}

fn kind(name: &str) -> PyResult<Kind> {
    named("type", name, &Kind::named().collect::<Vec<_>>())
}
