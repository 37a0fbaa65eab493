//! What others read in messages: mail-parser, and the packages of Python.

use std::path::Path;
use std::process::Command;

use absolve_testing::print_line;
use mail_parser::{Message, MessageParser, MessagePart, PartType};

use super::argument;

/// A link as a reader finds it: what it says, and the text beside it.
pub(crate) type Pair = (String, String);

/// The links of each message of the files, as Python reads them; `None` when there is no Python. `kind` is `message` or
/// `mbox`.
pub(crate) fn links_by_python(
    kind: &str,
    paths: &[&Path],
) -> Result<Option<Vec<Vec<Pair>>>, Box<dyn std::error::Error>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/support/links_of_messages.py");
    let mut command = Command::new("python3");
    command.arg(script).arg(kind).args(paths.iter().map(|path| argument(path)));
    let Ok(output) = command.output() else {
        print_line("skipped: python3 is absent");
        return Ok(None);
    };
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let mut messages = Vec::new();
    for line in str::from_utf8(&output.stdout)?.lines() {
        let pairs: Vec<(Option<String>, Option<String>)> = pairs(&serde_json::from_str(line)?);
        messages
            .push(pairs.into_iter().map(|(one, other)| (one.unwrap_or_default(), other.unwrap_or_default())).collect());
    }
    Ok(Some(messages))
}

fn pairs(value: &serde_json::Value) -> Vec<(Option<String>, Option<String>)> {
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    value.as_array().into_iter().flatten().map(|pair| (text(&pair[0]), text(&pair[1]))).collect()
}

/// What the `href` attributes of the HTML parts say, as mail-parser decodes them.
pub(crate) fn links_by_mail_parser(message: &[u8]) -> Vec<String> {
    let mut links = Vec::new();
    if let Some(message) = MessageParser::default().parse(message) {
        for part in leaves(&message) {
            if let PartType::Html(text) = &part.body {
                let hrefs = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
                links.extend(hrefs.map(|href| href.replace("&amp;", "&")));
            }
        }
    }
    links
}

/// The parts of a message and of the messages in it.
pub(crate) fn leaves<'m>(message: &'m Message<'m>) -> Vec<&'m MessagePart<'m>> {
    let inner = |part: &'m MessagePart<'m>| match &part.body {
        PartType::Message(message) => leaves(message),
        _ => vec![part],
    };
    message.parts.iter().flat_map(inner).collect()
}
