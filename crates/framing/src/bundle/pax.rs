//! Records of pax (POSIX): `LENGTH KEY=VALUE`, with the length of all of it. Values may contain line breaks.

use std::io;

use crate::bundle::checked::damaged;

/// A record: its key and its value.
pub(crate) type PaxRecord<'b> = (&'b [u8], &'b [u8]);

/// Returns all records.
pub fn pax_records(mut bytes: &[u8]) -> io::Result<Vec<PaxRecord<'_>>> {
    let mut records = Vec::new();
    while !bytes.is_empty() {
        let (record, rest) = split_record(bytes).ok_or_else(|| damaged("a pax header is damaged"))?;
        records.push(record);
        bytes = rest;
    }
    Ok(records)
}

/// Splits the first record off.
fn split_record(bytes: &[u8]) -> Option<(PaxRecord<'_>, &[u8])> {
    let space = memchr::memchr(b' ', bytes)?;
    let length: usize = str::from_utf8(&bytes[..space]).ok()?.parse().ok()?;
    let record = bytes.get(space + 1..length)?.strip_suffix(b"\n")?;
    let equals = memchr::memchr(b'=', record)?;
    Some(((&record[..equals], &record[equals + 1..]), &bytes[length..]))
}

/// Returns the last value of a key, which is the one that counts.
pub(crate) fn value_of<'b>(records: &[PaxRecord<'b>], key: &[u8]) -> Option<&'b [u8]> {
    records.iter().rev().find(|(known, _)| *known == key).map(|(_, value)| *value)
}

/// Returns a record as bytes.
pub fn pax_record(key: &[u8], value: &[u8]) -> Vec<u8> {
    let rest = key.len() + value.len() + 3;
    let mut length = rest + rest.to_string().len();
    // The length counts its own digits.
    length = rest + length.to_string().len();
    [length.to_string().as_bytes(), b" ", key, b"=", value, b"\n"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_its_own_length() -> io::Result<()> {
        for length in 0..2000 {
            let value = vec![b'\n'; length];
            let record = pax_record(b"path", &value);
            assert_eq!(pax_records(&record)?, [(&b"path"[..], &value[..])], "{length}");
        }
        assert!(pax_records(b"5 a=b\n").is_err() && pax_records(b"999 a=b\n").is_err() && pax_records(b"x").is_err());
        Ok(())
    }
}
