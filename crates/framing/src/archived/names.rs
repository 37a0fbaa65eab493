//! The names by which revisit records refer to other records.

use crate::archived::digest::spelled;
use crate::archived::warc_record::WarcRecord;

impl WarcRecord<'_> {
    /// Returns the names by which a revisit record can refer to it: its id, its URL with the date, and its payload digest. That of a
    /// revisit is one of another record.
    pub fn names(&self) -> Vec<String> {
        let names = names(self.field("WARC-Record-ID"), self.url().unwrap_or_default(), self.field("WARC-Date"));
        names.chain(self.payload_digest().filter(|_| !self.is("WARC-Type", "revisit"))).collect()
    }

    /// Returns the payload digest in one spelling. That of a revisit that a server has answered by 304 may be that of the answer.
    pub fn payload_digest(&self) -> Option<String> {
        let is_of_answer = |profile: String| profile.to_ascii_lowercase().contains("server-not-modified");
        let digest =
            self.field("WARC-Payload-Digest").filter(|_| !self.field("WARC-Profile").is_some_and(is_of_answer));
        digest.map(spelled)
    }

    /// Returns the names by which a revisit record refers to another record: the payload digest only if it has no other reference.
    pub fn referred_names(&self) -> Vec<String> {
        let url = self.field("WARC-Refers-To-Target-URI");
        let date = self.field("WARC-Refers-To-Date").filter(|_| url.is_some());
        let names: Vec<_> = names(self.field("WARC-Refers-To"), url.unwrap_or_default(), date).collect();
        if names.is_empty() { self.payload_digest().into_iter().collect() } else { names }
    }
}

fn names(id: Option<String>, url: String, date: Option<String>) -> impl Iterator<Item = String> {
    // Some writers put URLs into angle brackets.
    let bare = url.trim_start_matches('<').trim_end_matches('>');
    let capture = date.map(|date| format!("{bare} {date}"));
    id.into_iter().chain(capture)
}
