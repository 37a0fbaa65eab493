//! Messages of the libraries, which name options of the command line, with the options of Python.

/// Options of the command line as messages name them, and what they are in Python. One that begins with another comes first.
const OPTIONS: [(&str, &str); 7] = [
    ("--warc sidecar", "warc=\"sidecar\""),
    ("--warc resource", "warc=\"resource\""),
    ("--ignore-digests", "digests=\"ignore\""),
    ("--http-headers", "http_headers=\"count\""),
    ("--type", "type"),
    ("--message-url", "message_url"),
    ("--url", "url"),
];

/// Returns a message with the options of Python.
pub(crate) fn in_python(message: String) -> String {
    // Most messages name none.
    if !message.contains("--") {
        return message;
    }
    OPTIONS.iter().fold(message, |message, (option, argument)| message.replace(option, argument))
}
