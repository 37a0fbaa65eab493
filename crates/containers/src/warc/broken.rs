//! Records of an archive that are not whole.

use crate::batches::Record;
use crate::framing::Content;
use crate::warc::options::WarcOutput;

/// The numbers of records of an archive that are not whole.
///
/// ```
/// assert_eq!(absolve_containers::StreamReport::default().broken.damaged, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Broken {
    /// The one that breaks off at the end.
    pub cut_off: Option<u64>,
    /// The first one that is damaged, while what stands behind it can be read.
    pub damaged: Option<u64>,
}

impl Broken {
    /// Notes the next record.
    pub(crate) fn note(&mut self, record: &Record) {
        let is_damaged = matches!(record.content, Content::Damaged(_));
        if is_damaged || record.content.is_new() {
            let damaged = self.cut_off.take().or(is_damaged.then_some(record.number));
            self.damaged = self.damaged.or(damaged);
        }
        if record.content == Content::CutOff {
            self.cut_off = Some(record.number);
        }
    }

    /// The same, or what another archive of the file has.
    pub(crate) fn or(self, other: Self) -> Self {
        Self { cut_off: self.cut_off.or(other.cut_off), damaged: self.damaged.or(other.damaged) }
    }

    /// Returns a message for each; `output` is what was written of the archive, if something was.
    pub fn messages(self, output: Option<WarcOutput>) -> impl Iterator<Item = String> {
        let what_then = match output {
            Some(WarcOutput::Append) => {
                "no conversions are added, because no reader would find them behind it; --warc sidecar writes them"
            }
            _ => "the records before it are done",
        };
        let damaged = self
            .damaged
            .map(|record| format!("record {record} is damaged and left as it is; those behind it are done"));
        let cut_off = self.cut_off.map(|record| format!("record {record} breaks off, or is none; {what_then}"));
        [damaged, cut_off].into_iter().flatten()
    }
}
