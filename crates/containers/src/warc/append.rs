//! Conversions appended to an archive, or written as a separate one.

use std::collections::HashSet;
use std::io::Write;

use absolve_framing::Compression;
use absolve_rewriter::internal::Event;
use data_encoding::HEXLOWER;

use crate::stream::{StreamError, StreamReport};
use crate::temporary::blob_spool::BlobSpool;
use crate::warc::capture::{RawCapture, Use};
use crate::warc::options::{ArchiveOptions, WarcOutput};
use crate::warc::records::{Archive, Change, End, WalkResult, header_too_long, walk};
use crate::warc::write::{Run, WarcinfoFields};

/// Writes the conversions of an archive: after a copy of it, or as a sidecar.
pub(crate) fn add_conversions(
    archive: Archive<'_>,
    form: WarcOutput,
    output: &mut dyn Write,
    options: &ArchiveOptions,
    events: &mut dyn FnMut(Event),
) -> Result<StreamReport, StreamError> {
    let Archive { compression, output_compression, name, .. } = archive;
    let (run, is_appended) = (Run::new(options), form == WarcOutput::Append);
    // Buffers conversion records until the archive ends.
    let mut spool = BlobSpool::new()?;
    let (mut conversions, mut known) = (Vec::new(), HashSet::new());
    let capture = RawCapture::new(if is_appended { Use::Copy(&mut *output) } else { Use::Hash });
    let make = |Change { source, payload, content }: Change<'_>| {
        let (id, record) = run.conversion(&source, &payload, &content).ok_or_else(header_too_long)?;
        Ok(output_compression.compressed(record).map(|record| (id, record)))
    };
    let WalkResult { mut total, version, end, .. } =
        walk(archive, &capture, options, &make, events, &mut |placed, made, _| {
            known.extend(placed.conversion);
            if let Some((id, conversion)) = made.transpose()? {
                conversions.push((id, spool.add(&conversion)?));
            }
            Ok(())
        })?;
    let is_padded = compression == Compression::Gzip && capture.trailing_zeros() >= MIN_PADDING;
    total.bytes_out = if is_appended { total.bytes_in } else { 0 };
    if is_appended && is_padded {
        total.broken.end_in(total.records, total.bytes_in);
    }
    conversions.retain(|(id, _)| known.insert(*id));
    // Readers would not find conversions after a cut-off record.
    if !conversions.is_empty() && (total.broken.cut_off.is_none() || !is_appended) {
        let sha256 = HEXLOWER.encode(&capture.digest());
        drop(capture);
        let description = "relative links made absolute: conversions of records of another archive, or of this one";
        let info = WarcinfoFields { id: run.id_of(&sha256), description, input: name, sha256: Some(sha256) };
        let warcinfo = run.warcinfo(&version, &info, options);
        let warcinfo = output_compression.compressed(warcinfo)?;
        let lacks_line_ends = (is_appended, compression, end) == (true, Compression::None, End::NoLineEnds);
        let before = [if lacks_line_ends { &b"\r\n\r\n"[..] } else { b"" }, &warcinfo].concat();
        output.write_all(&before)?;
        (total.changed, total.bytes_out) = (conversions.len() as u64, total.bytes_out + before.len() as u64);
        for (_, range) in conversions {
            total.bytes_out += spool.copy_to(range, output)?;
        }
    }
    Ok(total)
}

/// Minimum number of zeros that are padding, as of tapes: no gzip member ends with so many.
const MIN_PADDING: usize = 10;
