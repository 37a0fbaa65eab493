//! Members that are damaged at their ends.

use std::cell::RefCell;
use std::io::{self, Read};

/// A reader that ends where its input cannot be read: what is good before a checksum that does not match is read first.
pub(super) struct ToError<'e, R> {
    pub(super) input: R,
    pub(super) error: &'e RefCell<io::Result<()>>,
}

impl<R: Read> Read for ToError<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.input.read(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                *self.error.borrow_mut() = Err(error);
                Ok(0)
            }
            read => read,
        }
    }
}
