//! Files compressed by gzip (RFC 1952): one member or many.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;

/// Whether the bytes begin like a member.
pub(crate) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b, 8])
}

/// What a file holds that consists of members, perhaps with zeros behind the last one, as tapes leave them.
pub(crate) fn gunzipped<R: Read>(input: R) -> impl Read {
    Members { member: Some(GzDecoder::new(BufReader::with_capacity(1 << 16, input))) }
}

struct Members<R: BufRead> {
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            self.member =
                self.member.take().and_then(|member| next_member(member.into_inner()).transpose()).transpose()?;
        }
        Ok(0)
    }
}

/// The member behind another one; `None` when only zeros are left.
fn next_member<R: BufRead>(mut input: R) -> io::Result<Option<GzDecoder<R>>> {
    loop {
        let bytes = input.fill_buf()?;
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        if bytes.is_empty() {
            return Ok(None);
        }
        if zeros < bytes.len() {
            input.consume(zeros);
            return Ok(Some(GzDecoder::new(input)));
        }
        input.consume(zeros);
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    #[test]
    fn members_and_zeros() -> std::io::Result<()> {
        let mut file = Vec::new();
        for text in ["one ", "", "two "] {
            let mut encoder = GzEncoder::new(&mut file, Compression::fast());
            encoder.write_all(text.as_bytes())?;
            encoder.finish()?;
        }
        for zeros in [0, 1, 100_000] {
            let padded = [&file[..], &vec![0; zeros]].concat();
            let mut text = String::new();
            super::gunzipped(&padded[..]).read_to_string(&mut text)?;
            assert_eq!(text, "one two ", "{zeros} zeros");
        }
        let cut = &file[..file.len() - 3];
        assert!(super::gunzipped(cut).read_to_string(&mut String::new()).is_err());
        let garbage = [&file[..], b"x"].concat();
        assert!(super::gunzipped(&garbage[..]).read_to_string(&mut String::new()).is_err());
        Ok(())
    }
}
