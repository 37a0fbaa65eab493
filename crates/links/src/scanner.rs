//! Chooses the scanner of a document by its type and encoding.

use std::ops::Range;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8};

use crate::document::Document;
use crate::document_type::{DocumentType, is_binary, is_data};
use crate::scan::{Obstacle, Place, Refusal, Scan};
use crate::table::Table;
use crate::text::{self, field, json_feed, speculation_rules};
use crate::value::decoded::Decoded;
use crate::{css, html, markdown};

impl Document<'_> {
    /// Finds the links of the document by `table`.
    ///
    /// # Errors
    ///
    /// Returns a [`Refusal`] if the links cannot be found reliably. The document should then be left unchanged.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Refusal, Table};
    /// let image = Document::new(b"GIF89a...", DocumentType::Html);
    /// assert_eq!(image.scan(&Table::default()), Err(Refusal::NotItsType));
    /// ```
    pub fn scan(&self, table: &Table) -> Result<Scan, Refusal> {
        let may_begin_like_data = !matches!(self.document_type(), DocumentType::Html | DocumentType::Xml);
        if is_binary(self.bytes()) || (!may_begin_like_data && is_data(self.bytes())) {
            return Err(Refusal::NotItsType);
        }
        match self.wide_encoding() {
            Some(encoding) if encoding == REPLACEMENT => return Err(Refusal::Charset),
            Some(encoding) => return self.scan_decoded(encoding, table),
            None => {}
        }
        match self.document_type() {
            DocumentType::Html => html::scan(self, table),
            DocumentType::Css => Ok(css::scan(self)),
            DocumentType::Text => Ok(text::scan(self)),
            DocumentType::Field => Ok(field::scan(self)),
            DocumentType::JsonFeed => json_feed::scan(self, table),
            DocumentType::SpeculationRules => speculation_rules::scan(self, table),
            DocumentType::Markdown => match str::from_utf8(self.bytes()) {
                Ok(text) if self.encoding() == UTF_8 => markdown::scan(self, text, table),
                _ => self.scan_decoded(self.encoding(), table),
            },
            DocumentType::Xml => match self.encoding_of(self.bytes()) {
                Some(encoding) if encoding != UTF_8 || str::from_utf8(self.bytes()).is_err() => {
                    self.scan_decoded(encoding, table)
                }
                #[cfg(feature = "xml")]
                _ => crate::xml::scan(self, table),
                #[cfg(not(feature = "xml"))]
                _ => Err(Refusal::NoXml),
            },
        }
    }

    /// Decodes a document, scans its text, and converts all positions in the text to positions in the document.
    fn scan_decoded(&self, encoding: &'static Encoding, table: &Table) -> Result<Scan, Refusal> {
        let mark = Encoding::for_bom(self.bytes()).map_or(0, |(_, length)| length);
        let decoded = Decoded::from_charset(&self.bytes()[mark..], encoding);
        let text = self.decoded(&decoded.text);
        let raw = |range: Range<usize>| {
            let raw = decoded.raw_range(range);
            mark + raw.start..mark + raw.end
        };
        let mut scan = text.scan(table).map_err(|refusal| match refusal {
            Refusal::NotWellFormed(byte) => Refusal::NotWellFormed(raw(byte..byte).start),
            Refusal::Disputed(byte) => Refusal::Disputed(raw(byte..byte).start),
            other => other,
        })?;
        for link in scan.links.iter_mut().chain(&mut scan.unsearched) {
            link.range = raw(link.range.clone());
            if let Place::Attribute { tag, .. } | Place::StyleElement { tag, .. } = &mut link.place {
                *tag = raw(*tag..*tag).start;
            }
        }
        for Obstacle { tag, name } in &mut scan.obstacles {
            *tag = tag.map(|tag| raw(tag..tag).start);
            *name = raw(name.clone());
        }
        let remarks = scan.remarks.iter_mut().map(|remark| &mut remark.byte);
        for byte in remarks.chain(&mut scan.style_policy).chain(&mut scan.script_at_base) {
            *byte = raw(*byte..*byte).start;
        }
        Ok(scan)
    }
}
