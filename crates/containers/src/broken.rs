//! Records of a stream that are not whole.

use crate::batches::Record;
use crate::framing::Content;

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
}
