//! Metadata of captured pages (WAT): what a tool found in them, as a page with the same links.

use serde_json::Value;

use crate::framing::arc::warc_date;

/// What a WAT record says of a captured page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatPage {
    /// The URL of the page.
    pub url: String,
    /// The date of its record.
    pub date: Option<String>,
    /// The id of its record.
    pub id: Option<String>,
    /// The status line and the fields of its response.
    pub head: Vec<u8>,
    /// HTML in UTF-8 with its base and its links, in their order: the elements and attributes that the metadata names, and what it says
    /// of them. Nothing else of the page is in it.
    pub html: String,
}

impl WatPage {
    /// Returns what the block of a metadata record says of a page, which is that of the record if it does not name one; `None` if it
    /// is not WAT, or not about an HTTP response.
    ///
    /// # Errors
    ///
    /// What is wrong with the JSON of the block.
    ///
    /// ```
    /// use absolve_framing::WatPage;
    /// let json = r#"{"Envelope": {"WARC-Header-Metadata": {"WARC-Target-URI": "http://h/"}, "Payload-Metadata":
    ///     {"HTTP-Response-Metadata": {"HTML-Metadata": {"Links": [{"path": "A@/href", "url": "x", "text": "X"}]}}}}}"#;
    /// let page = WatPage::read(json.as_bytes(), None)?.unwrap();
    /// assert_eq!((&*page.url, &*page.html), ("http://h/", "<a href=\"x\">X</a>\n"));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn read(block: &[u8], url_of_record: Option<&str>) -> serde_json::Result<Option<Self>> {
        let text = block.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(block);
        let envelope = &serde_json::from_slice::<Value>(text)?["Envelope"];
        let response = &envelope["Payload-Metadata"]["HTTP-Response-Metadata"];
        // Of an ARC, they are named otherwise.
        let field = |of_warc: &str, of_arc: &str| {
            let value = envelope["WARC-Header-Metadata"][of_warc].as_str();
            value.or(envelope["ARC-Header-Metadata"][of_arc].as_str()).map(str::to_owned)
        };
        let url = field("WARC-Target-URI", "Target-URI").or_else(|| url_of_record.map(str::to_owned));
        let Some(url) = url.filter(|_| response.is_object()) else { return Ok(None) };
        // Wget writes brackets around it.
        let url = url.strip_prefix('<').and_then(|url| url.strip_suffix('>')).unwrap_or(&url).to_owned();
        let date = field("WARC-Date", "Date").map(|date| warc_date(&date).unwrap_or(date));
        let id = field("WARC-Record-ID", "");
        Ok(Some(Self { url, date, id, head: head(response), html: html(&response["HTML-Metadata"]) }))
    }
}

/// Returns the status line and the fields of a response.
fn head(response: &Value) -> Vec<u8> {
    let message = &response["Response-Message"];
    let part = |name: &str| message[name].as_str().unwrap_or_default();
    let mut lines = vec![format!("{} {} {}", part("Version"), part("Status"), part("Reason"))];
    for (name, values) in response["Headers"].as_object().into_iter().flatten() {
        let one = std::slice::from_ref(values);
        let values = values.as_array().map_or(one, Vec::as_slice).iter().filter_map(Value::as_str);
        lines.extend(values.map(|value| format!("{name}: {value}")));
    }
    let line = |line: String| format!("{}\r\n", line.replace(['\r', '\n'], " "));
    let mut head: String = lines.into_iter().map(line).collect();
    head.push_str("\r\n");
    head.into_bytes()
}

fn html(metadata: &Value) -> String {
    let (head, mut html) = (&metadata["Head"], String::new());
    let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
    if let Some(base) = head["Base"].as_str() {
        add(&mut html, "base", &[("href", base)], "");
    }
    for meta in list(&head["Metas"]) {
        if let (Some(name), Some(content)) = (meta["http-equiv"].as_str(), meta["content"].as_str()) {
            add(&mut html, "meta", &[("http-equiv", name), ("content", content)], "");
        }
    }
    for link in [&head["Link"], &head["Scripts"], &metadata["Links"]].into_iter().flat_map(list) {
        add_link(&mut html, &link);
    }
    html
}

/// Adds the element of a link, like `{"path": "A@/href", "url": "x", "text": "X"}`.
fn add_link(html: &mut String, link: &Value) {
    // Of styles, the tool of Common Crawl names it `href`.
    let url = link["url"].as_str().or(link["href"].as_str());
    let (Some(path), Some(url)) = (link["path"].as_str(), url) else { return };
    let text = link["text"].as_str().unwrap_or_default();
    let Some((element, attribute)) = path.split_once("@/") else {
        if path.eq_ignore_ascii_case("STYLE/#text") {
            let url = url.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\a ").replace("</", "<\\/");
            html.push_str(&format!("<style>@import \"{url}\";</style>\n"));
        }
        return;
    };
    let is_name = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'_'))
    };
    if is_name(element) && is_name(attribute) {
        let rel = link["rel"].as_str().map(|rel| ("rel", rel)).filter(|_| !attribute.eq_ignore_ascii_case("rel"));
        let attributes: Vec<(&str, &str)> = [(attribute, url)].into_iter().chain(rel).collect();
        add(html, &element.to_ascii_lowercase(), &attributes, text);
    }
}

fn add(html: &mut String, element: &str, attributes: &[(&str, &str)], text: &str) {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    html.push_str(&format!("<{element}"));
    for (name, value) in attributes {
        html.push_str(&format!(" {}=\"{}\"", name.to_ascii_lowercase(), escaped(value)));
    }
    html.push('>');
    let is_anchor = element == "a";
    html.push_str(&if is_anchor { escaped(text) } else { String::new() });
    let is_void =
        ["base", "meta", "link", "img", "input", "area", "embed", "frame", "source", "track"].contains(&element);
    html.push_str(&if is_void { String::new() } else { format!("</{element}>") });
    html.push('\n');
}
