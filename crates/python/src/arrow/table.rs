//! What the tables of a stream have in common.

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema};

/// Rows that become record batches.
pub(crate) trait Table<T> {
    fn schema(&self) -> Schema;

    fn add(&mut self, rows: T);

    fn is_full(&self) -> bool;

    fn is_empty(&self) -> bool;

    /// Returns the rows as a batch, and begins the next one.
    fn finish(&mut self) -> Result<RecordBatch, ArrowError>;
}
