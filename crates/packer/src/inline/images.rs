//! Images and fonts that CSS names, as `data:` URLs.

use absolve_links::{Edits, Grammar, Link, Place, Table};
use absolve_rewriter::Code;
use data_encoding::BASE64;

use crate::error::PackError;
use crate::inline::files::{Files, InlinedPage, Page, finding};
use crate::limits::CSS_IMAGE_BYTES;

/// Puts the files into the page that its CSS names, unless they are long or their number of places makes them so.
pub(crate) fn with_data(
    page: &Page<'_>,
    files: &Files<'_>,
    table: &Table,
    max_bytes: u64,
) -> Result<InlinedPage, PackError> {
    let document = page.document();
    let links = document.scan(table).map(|scan| scan.links).unwrap_or_default();
    let leads = |link: Link| {
        let url = str::from_utf8(&page.bytes[link.range.clone()]).ok().filter(|_| is_css(&link, table))?;
        // A style that stays a part is none of them.
        let (file, fragment) = files.file(url).filter(|(file, _)| files.text(*file).is_none())?;
        Some((link.range, file, fragment))
    };
    let led: Vec<_> = links.into_iter().filter_map(leads).collect();
    let mut places = vec![0; files.resources.len()];
    led.iter().for_each(|(_, file, _)| places[*file] += 1);

    let mut findings = Vec::new();
    let mut urls = vec![None; files.resources.len()];
    let mut room = max_bytes.saturating_sub(page.bytes.len() as u64);
    for (index, file) in files.resources.iter().enumerate().filter(|(index, _)| places[*index] > 0) {
        let length = BASE64.encode_len(file.bytes.len()) * places[index];
        if length > CSS_IMAGE_BYTES {
            let message = format!(
                "as a data: URL it would take {length} bytes in the page, and the limit is {CSS_IMAGE_BYTES}; it stays a \
                 part, which mail programs do not show where CSS names it"
            );
            findings.push(finding(Code::MailImage, file, message));
            continue;
        }
        room = room.checked_sub(length as u64).ok_or_else(|| PackError::TooLong {
            bytes: max_bytes.saturating_add(1),
            limit: max_bytes,
            path: Some(file.path.clone()),
        })?;
        urls[index] = Some(format!("data:{};base64,{}", file.media_type, BASE64.encode(&file.bytes)));
    }
    let (mut edits, mut within) = (Edits::default(), Vec::new());
    for (range, file, fragment) in &led {
        if let Some(url) = &urls[*file] {
            edits.push(range.clone(), format!("{url}{fragment}").as_bytes());
            within.push(*file);
        }
    }
    Ok(InlinedPage { bytes: edits.splice(page.bytes), within, findings })
}

/// Returns whether a link is in a style element or in an attribute of CSS, and not in a document within the document.
fn is_css(link: &Link, table: &Table) -> bool {
    match link.place {
        Place::StyleElement { nesting, .. } => nesting == 0,
        Place::Attribute { row, nesting: 0, .. } => table.rows()[usize::from(row)].grammar == Grammar::Css,
        _ => false,
    }
}
