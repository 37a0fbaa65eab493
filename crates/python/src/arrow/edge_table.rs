//! Edges of a graph as a table.

use std::mem;
use std::sync::Arc;

use absolve_table::{ColumnValues, EDGE_COLUMNS, Edges, Graph};
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema};

use crate::arrow::link_table::{array, field};
use crate::arrow::table::Table;

/// Edges that become record batches. An edge is in each batch once, with what was counted since the one before.
#[derive(Debug, Default)]
pub(crate) struct EdgeTable {
    graph: Graph,
    error: Option<std::io::Error>,
}

impl Table<Edges> for EdgeTable {
    fn schema(&self) -> Schema {
        Schema::new(EDGE_COLUMNS.iter().map(field).collect::<Vec<_>>())
    }

    fn add(&mut self, edges: Edges) {
        self.error = self.error.take().or(self.graph.add(edges).err());
    }

    fn is_full(&self) -> bool {
        const BYTES: usize = 16 << 20;
        self.graph.bytes() >= BYTES || self.error.is_some()
    }

    fn is_empty(&self) -> bool {
        self.graph.bytes() == 0
    }

    fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let external = |error| ArrowError::from_external_error(Box::new(error));
        if let Some(error) = self.error.take() {
            return Err(external(error));
        }
        let (edges, _) = mem::take(&mut self.graph).finish().map_err(external)?;
        let mut columns = EDGE_COLUMNS.map(ColumnValues::new);
        for edge in edges {
            let edge = edge.map_err(external)?;
            columns.iter_mut().zip(&edge.cells()).for_each(|(values, cell)| values.push(cell));
        }
        let arrays = columns.into_iter().map(|values| array(values.column.kind, vec![values]));
        RecordBatch::try_new(Arc::new(self.schema()), arrays.collect())
    }
}
