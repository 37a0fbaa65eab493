//! Properties of private items, for tests and fuzzing.

use crate::discover::httrack;

/// Reads any bytes as the file list and the command of HTTrack. Returns the number of files in the list.
pub fn any_bytes_are_a_list_of_httrack(bytes: &[u8]) -> usize {
    let list = String::from_utf8_lossy(bytes);
    assert!(httrack::keeps_links(bytes).is_ok());
    httrack::rows(&list).len()
}

#[cfg(test)]
mod tests {
    use std::{fs, io};

    use absolve_testing::fixtures;

    /// Inputs found by fuzzing.
    #[test]
    fn found_by_fuzzing() -> io::Result<()> {
        type Law = fn(&[u8]) -> usize;
        let bodies: [(&str, Law); 1] = [("marks", super::any_bytes_are_a_list_of_httrack)];
        for (name, check) in bodies {
            let folder = fixtures().join("fuzz").join(name);
            for file in folder.exists().then(|| fs::read_dir(&folder)).into_iter().flatten().flatten() {
                check(&fs::read(file?.path())?);
            }
        }
        Ok(())
    }
}
