//! Conversions behind an archive, or beside it.

use std::collections::HashSet;
use std::io::{self, Read, Write};

use absolve_rewriter::Event;
use data_encoding::HEXLOWER;

use crate::batches::Batches;
use crate::compression::Compression;
use crate::stream::{Copied, StreamError, StreamReport};
use crate::warc::capture::{RawCapture, Use};
use crate::warc::conversion_spool::ConversionSpool;
use crate::warc::header::Record;
use crate::warc::options::ArchiveOptions;
use crate::warc::records::{Archive, Change, End, Walked, heading_too_long, walk};
use crate::warc::write::{Info, Run};

/// Where conversions go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Behind the archive, which is written before them.
    Behind,
    /// Into an archive of their own.
    Beside,
}

/// Writes the conversions of an archive.
pub(crate) fn add_conversions(
    archive: Archive<'_, impl Read>,
    place: Place,
    output: &mut dyn Write,
    options: &ArchiveOptions,
    tell: &mut dyn FnMut(Event),
) -> Result<StreamReport, StreamError> {
    let Archive { mut input, compression, written, format, name, .. } = archive;
    let run = Run::new(options);
    let mut spool = ConversionSpool::new().map_err(StreamError::Write)?;
    let mut known = HashSet::new();
    let tape = RawCapture::new(match place {
        Place::Behind => Use::Copy(&mut *output),
        Place::Beside => Use::Look,
    });
    let copied = Copied { input: &mut input, copy: tape.clone() };
    let batches =
        Batches::new(compression.decompressed(copied, format, |_, _| {}).map_err(StreamError::reading)?, format);
    let make = |Change { source, page, content }: Change<'_>| {
        let (id, record) = run.conversion(&source, &page, &content).ok_or_else(heading_too_long)?;
        Ok(written.compressed(record).map(|record| (id, record)))
    };
    let Walked { mut total, version, end, .. } =
        walk(batches, format, options, &make, tell, &mut |placed, made, _| {
            known.extend(placed.content.and_then(|content| Record::new(content).id_of_conversion()));
            made.map_or(Ok(()), |made| made.and_then(|(id, conversion)| spool.add(id, &conversion)))
        })?;
    if end == End::Unreadable {
        let mut rest = Copied { input: &mut input, copy: tape.clone() };
        io::copy(&mut rest, &mut io::sink()).map_err(StreamError::reading)?;
    }
    let sha256 = HEXLOWER.encode(&tape.digest());
    let is_padded = compression == Compression::Gzip && tape.zeros() >= ZEROS_OF_PADDING;
    drop(tape);
    let description = "relative links made absolute: conversions of records of another archive, or of this one";
    let info = Info { id: run.id_of(&sha256), description, input: name, sha256: Some(sha256) };
    let warcinfo = written.compressed(run.warcinfo(&version, &info, options)).map_err(StreamError::Write)?;
    let is_behind = place == Place::Behind;
    total.bytes_out = if is_behind { total.bytes_in } else { 0 };
    if is_behind && (end == End::Garbage || is_padded) {
        total.broken.cut_off.get_or_insert(total.records);
    }
    // Behind a record that breaks off nobody would find them.
    if total.broken.cut_off.is_none() || !is_behind {
        let before: &[u8] = match (is_behind, compression, end) {
            (true, Compression::None, End::NoLineEnds) => b"\r\n\r\n",
            _ => b"",
        };
        let written = spool.write(known, before, &warcinfo, output).map_err(StreamError::Write)?;
        (total.changed, total.bytes_out) = (written.conversions, total.bytes_out + written.bytes);
    }
    Ok(total)
}

/// So many zeros end no member of gzip; tapes are padded with them.
const ZEROS_OF_PADDING: usize = 10;
