//! Web archives as another reader may see them.

type Fields = Vec<(String, String)>;

/// A record as another reader may see it.
pub(crate) struct Record {
    fields: Fields,
    pub(crate) block: Vec<u8>,
}

impl Record {
    pub(crate) fn field(&self, name: &str) -> &str {
        self.fields.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

pub(crate) fn records(mut warc: &[u8]) -> Result<Vec<Record>, Box<dyn std::error::Error>> {
    let mut found = Vec::new();
    while !warc.is_empty() {
        let end = memchr::memmem::find(warc, b"\r\n\r\n").ok_or("no heading")?;
        let heading = str::from_utf8(&warc[..end])?;
        let fields: Fields = heading
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let mut record = Record { fields, block: Vec::new() };
        let length: usize = record.field("Content-Length").parse()?;
        record.block = warc[end + 4..end + 4 + length].to_vec();
        assert_eq!(&warc[end + 4 + length..end + 8 + length], b"\r\n\r\n");
        warc = &warc[end + 8 + length..];
        found.push(record);
    }
    Ok(found)
}

pub(crate) fn record(kind: &str, number: u32, fields: &str, block: &[u8]) -> Vec<u8> {
    let heading = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>\r\n\
         WARC-Date: 2020-01-01T00:00:00Z\r\n{fields}Content-Length: {}\r\n\r\n",
        block.len()
    );
    [heading.as_bytes(), block, b"\r\n\r\n"].concat()
}

pub(crate) fn response(number: u32, url: &str, status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let block = [format!("HTTP/1.1 {status}\r\n{headers}\r\n").as_bytes(), body].concat();
    let fields = format!("WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n");
    record("response", number, &fields, &block)
}

/// The field by which a response says that it is HTML.
pub(crate) const HTML: &str = "Content-Type: text/html\r\n";
