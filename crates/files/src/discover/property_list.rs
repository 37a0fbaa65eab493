//! Property lists in the attribute `kMDItemWhereFroms`: an array of strings, in binary (`bplist00`, written by macOS).

/// The size of the trailer in bytes: widths of integers, index of the root object, offset of the offset table.
const TRAILER: usize = 32;

/// Returns the first string of an array of strings; `None` for any other property list.
///
/// An object is a byte with its kind and length, followed by its content. The elements of an array are indexes into the
/// table of offsets, which precedes the trailer.
pub(crate) fn first_text(list: &[u8]) -> Option<String> {
    list.strip_prefix(b"bplist00")?;
    let trailer = list.last_chunk::<TRAILER>()?;
    let (offset_width, index_width) = (usize::from(trailer[6]), usize::from(trailer[7]));
    let (root, table) = (number(&trailer[16..24])?, number(&trailer[24..32])?);
    let object = |index: usize| {
        let entry = table.checked_add(index.checked_mul(offset_width)?)?;
        Object::at(list, number(bytes(list, entry, offset_width)?)?)
    };
    let texts = object(root)?;
    if texts.kind != 0xA || texts.length == 0 {
        return None;
    }
    let text = object(number(bytes(list, texts.content, index_width)?)?)?;
    match text.kind {
        0x5 => str::from_utf8(bytes(list, text.content, text.length)?).ok().map(str::to_owned),
        0x6 => {
            let units = bytes(list, text.content, text.length.checked_mul(2)?)?.chunks_exact(2);
            String::from_utf16(&units.map(|unit| u16::from_be_bytes([unit[0], unit[1]])).collect::<Vec<_>>()).ok()
        }
        _ => None,
    }
}

/// The header of an object.
struct Object {
    kind: u8,
    /// The number of elements of an array, or of bytes or UTF-16 units of a string.
    length: usize,
    /// The offset of the elements or of the string.
    content: usize,
}

impl Object {
    fn at(list: &[u8], start: usize) -> Option<Self> {
        let marker = *list.get(start)?;
        let (kind, length, content) = (marker >> 4, usize::from(marker & 0xF), start + 1);
        if length < 0xF {
            return Some(Self { kind, length, content });
        }
        // A greater length is an integer after the marker, whose width is a power of two.
        let integer = *list.get(content)?;
        let width = (integer >> 4 == 0x1).then(|| 1_usize << (integer & 0xF))?;
        let length = number(bytes(list, content + 1, width)?)?;
        Some(Self { kind, length, content: content + 1 + width })
    }
}

fn bytes(list: &[u8], start: usize, length: usize) -> Option<&[u8]> {
    list.get(start..start.checked_add(length)?)
}

/// Returns a big-endian number of one to eight bytes.
fn number(digits: &[u8]) -> Option<usize> {
    let is_number = (1..=8).contains(&digits.len());
    is_number.then(|| digits.iter().fold(0_u64, |number, digit| number << 8 | u64::from(*digit)))?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::first_text;

    /// Packs objects as macOS does: offsets and indices of one byte, the list first.
    fn packed(objects: &[&[u8]]) -> Vec<u8> {
        let mut list = b"bplist00".to_vec();
        let mut offsets = Vec::new();
        for object in objects {
            offsets.push(list.len() as u8);
            list.extend_from_slice(object);
        }
        let table = list.len() as u8;
        list.extend_from_slice(&offsets);
        let mut trailer = [0; 32];
        (trailer[6], trailer[7], trailer[15], trailer[31]) = (1, 1, objects.len() as u8, table);
        list.extend_from_slice(&trailer);
        list
    }

    #[test]
    fn the_first_text_of_a_list() {
        let short: &[u8] = b"\x5Ahttp://h/a";
        let long: &[u8] = b"\x5F\x10\x12http://h/long-name";
        let wide: &[u8] = b"\x65\0h\0t\0t\0p\0\xE9";
        for (objects, expected) in [
            (&[&b"\xA2\x01\x02"[..], short, long][..], Some("http://h/a")),
            (&[b"\xA2\x02\x01", short, long], Some("http://h/long-name")),
            (&[b"\xA1\x01", wide], Some("httpé")),
            (&[b"\xA1\x01", b"\x52\xC3\xA9"], Some("é")),
            (&[b"\xA1\x01", b"\x51\xE9"], None),
            (&[b"\xA0"], None),
            (&[b"\xA1\x01", b"\x10\x05"], None),
            (&[b"\xA1\x07"], None),
            (&[b"\xD1\x01\x01", short], None),
            (&[b"\xA1\x01", b"\x5F\x13\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFFx"], None),
        ] {
            assert_eq!(first_text(&packed(objects)).as_deref(), expected, "{objects:?}");
        }
    }

    /// As the library of Python writes it, with lengths and offsets of two bytes.
    #[test]
    fn offsets_of_two_bytes() {
        let url = format!("http://h/{}", "y".repeat(300));
        let start: &[u8] = b"bplist00\xA1\x01\x5F\x11\x01\x35";
        let table: &[u8] = b"\0\x08\0\x0A\0\0\0\0\0\0\x02\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x43";
        let list = [start, url.as_bytes(), table].concat();
        assert_eq!(first_text(&list), Some(url));
        for end in 0..list.len() {
            assert_eq!(first_text(&list[..end]), None, "{end}");
        }
        for at in 0..list.len() {
            let mut broken = list.clone();
            broken[at] = 0xFF;
            first_text(&broken);
        }
    }
}
