//! Tables as Parquet, in row groups of bounded size, so that memory does not grow with the table.

use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::cell::{Cell, Column, Kind, Presence, TableWriter};
use crate::values::ColumnValues;

/// Rows of a row group; those of the record that reaches it are the last.
const ROWS: usize = 64 << 10;

/// Bytes of texts of a row group, likewise.
const BYTES: usize = 16 << 20;

/// The columns of texts whose rows are in an order, so that readers can skip row groups by what is least and greatest in them.
const IN_ORDER: [&str; 5] = ["path", "record", "url", "date", "source"];

/// Writes rows as Parquet.
#[allow(missing_debug_implementations, reason = "an output has none")]
pub struct ParquetTable<'o> {
    writer: SerializedFileWriter<Bytes>,
    /// What the writer has written since the last row group.
    written: Bytes,
    output: &'o mut dyn Write,
    /// The columns, with the chunks of the next row group.
    columns: Vec<(Column, Vec<ColumnValues>)>,
    rows: usize,
    bytes: usize,
}

impl<'o> ParquetTable<'o> {
    /// Returns a table without rows.
    ///
    /// # Errors
    ///
    /// A column that Parquet cannot have.
    pub fn new(columns: &[Column], output: &'o mut dyn Write) -> io::Result<Self> {
        let fields = columns.iter().map(|column| field(column).map(Arc::new)).collect::<Result<_, _>>();
        let schema = fields.and_then(|fields| Type::group_type_builder("schema").with_fields(fields).build());
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("absolve ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true);
        // The least and the greatest of what is in no order help no reader, and cost as much as the rest.
        let of_links = columns.iter().filter(|column| column.kind == Kind::Text && !IN_ORDER.contains(&column.name));
        let without = |properties: WriterPropertiesBuilder, column: &Column| {
            properties.set_column_statistics_enabled(column.name.into(), EnabledStatistics::None)
        };
        let properties = of_links.fold(properties, without).build();
        let written = Bytes::default();
        let schema = Arc::new(schema.map_err(failed)?);
        let writer = SerializedFileWriter::new(written.clone(), schema, Arc::new(properties)).map_err(failed)?;
        let columns = columns.iter().map(|column| (*column, Vec::new())).collect();
        Ok(Self { writer, written, output, columns, rows: 0, bytes: 0 })
    }

    /// Adds the columns of some rows.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub fn add(&mut self, chunk: Vec<ColumnValues>) -> io::Result<()> {
        let rows = chunk.first().map_or(0, |values| values.has_value.len());
        if rows == 0 {
            return Ok(());
        }
        self.rows += rows;
        self.bytes += chunk.iter().map(ColumnValues::bytes).sum::<usize>();
        self.columns.iter_mut().zip(chunk).for_each(|((_, chunks), values)| chunks.push(values));
        self.write_if_full()
    }

    fn write_if_full(&mut self) -> io::Result<()> {
        if self.rows >= ROWS || self.bytes >= BYTES { self.write_row_group() } else { Ok(()) }
    }

    fn write_row_group(&mut self) -> io::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group().map_err(failed)?;
        for (column, chunks) in &mut self.columns {
            write_values(&mut group, &mut chunks.drain(..), column).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        (self.rows, self.bytes) = (0, 0);
        self.output.write_all(&self.written.take())
    }
}

impl TableWriter for ParquetTable<'_> {
    fn write(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        for ((column, chunks), cell) in self.columns.iter_mut().zip(cells) {
            if chunks.is_empty() {
                chunks.push(ColumnValues::new(*column));
            }
            chunks.last_mut().into_iter().for_each(|values| values.push(cell));
        }
        self.rows += 1;
        self.bytes += cells.iter().map(|cell| if let Cell::Text(text) = cell { text.len() } else { 0 }).sum::<usize>();
        self.write_if_full()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.write_row_group()?;
        self.writer.finish().map_err(failed)?;
        self.output.write_all(&self.written.take())
    }
}

fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

fn field(column: &Column) -> Result<Type, ParquetError> {
    let (physical, logical) = match column.kind {
        Kind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Number => (PhysicalType::INT64, None),
        Kind::Flag => (PhysicalType::BOOLEAN, None),
    };
    Type::primitive_type_builder(column.name, physical)
        .with_logical_type(logical)
        .with_repetition(repetition(column))
        .build()
}

/// Returns whether a column can be null. A flag is false rather than null.
fn repetition(column: &Column) -> Repetition {
    match (column.presence, column.kind) {
        (Presence::Nullable | Presence::Rare, Kind::Text) => Repetition::OPTIONAL,
        _ => Repetition::REQUIRED,
    }
}

fn write_values(
    group: &mut SerializedRowGroupWriter<'_, Bytes>,
    chunks: &mut dyn Iterator<Item = ColumnValues>,
    column: &Column,
) -> Result<(), ParquetError> {
    let Some(mut writer) = group.next_column()? else { return Ok(()) };
    let is_optional = repetition(column) == Repetition::OPTIONAL;
    for values in chunks {
        let levels = is_optional.then(|| values.has_value.iter().map(|has_value| i16::from(*has_value)).collect());
        match column.kind {
            Kind::Text => {
                let bytes = bytes::Bytes::from(values.texts);
                let mut start = 0;
                let text = |end: &usize| ByteArray::from(bytes.slice(mem::replace(&mut start, *end)..*end));
                let texts: Vec<ByteArray> = values.ends.iter().map(text).collect();
                let rows: Vec<ByteArray> = values.keys.iter().map(|key| texts[*key as usize].clone()).collect();
                write::<ByteArrayType>(&mut writer, &rows, levels)?;
            }
            Kind::Number => write::<Int64Type>(&mut writer, &values.numbers, levels)?,
            Kind::Flag => write::<BoolType>(&mut writer, &values.flags, levels)?,
        }
    }
    writer.close()
}

fn write<T: DataType>(
    column: &mut SerializedColumnWriter<'_>,
    values: &[T::T],
    levels: Option<Vec<i16>>,
) -> Result<(), ParquetError> {
    column.typed::<T>().write_batch(values, levels.as_deref(), None)?;
    Ok(())
}

/// Bytes in memory, of which the writer has one clone: it requires an output that can be sent to another thread.
#[derive(Clone, Debug, Default)]
struct Bytes(Arc<Mutex<Vec<u8>>>);

impl Bytes {
    fn take(&self) -> Vec<u8> {
        mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
