//! Tables as Parquet, in row groups of bounded size, so that memory does not grow with the table.

use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::commands::table::cell::{Cell, Column, Kind, Presence, TableWriter};

/// Rows of a row group.
const ROWS: usize = 64 << 10;

/// Bytes of texts of a row group; the row that reaches it is the last.
const BYTES: usize = 16 << 20;

/// Writes rows as Parquet.
pub(crate) struct ParquetTable<'o> {
    writer: SerializedFileWriter<Bytes>,
    /// What the writer has written since the last row group.
    written: Bytes,
    output: &'o mut dyn Write,
    columns: Vec<Values>,
    rows: usize,
    bytes: usize,
}

impl<'o> ParquetTable<'o> {
    pub(crate) fn new(columns: &[Column], output: &'o mut dyn Write) -> io::Result<Self> {
        let fields = columns.iter().map(|column| field(column).map(Arc::new)).collect::<Result<_, _>>();
        let schema = fields.and_then(|fields| Type::group_type_builder("schema").with_fields(fields).build());
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("absolve ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            .build();
        let written = Bytes::default();
        let schema = Arc::new(schema.map_err(failed)?);
        let writer = SerializedFileWriter::new(written.clone(), schema, Arc::new(properties)).map_err(failed)?;
        let columns = columns.iter().map(|column| Values::new(*column)).collect();
        Ok(Self { writer, written, output, columns, rows: 0, bytes: 0 })
    }

    fn write_row_group(&mut self) -> io::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group().map_err(failed)?;
        for column in &mut self.columns {
            column.write_to(&mut group).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        (self.rows, self.bytes) = (0, 0);
        self.output.write_all(&self.written.take())
    }
}

impl TableWriter for ParquetTable<'_> {
    fn write(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            self.bytes += column.push(cell);
        }
        self.rows += 1;
        if self.rows == ROWS || self.bytes >= BYTES { self.write_row_group() } else { Ok(()) }
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

/// The values of a column, of the rows that are not written yet.
#[derive(Debug)]
struct Values {
    column: Column,
    texts: Vec<u8>,
    /// The end of each text.
    ends: Vec<usize>,
    numbers: Vec<i64>,
    flags: Vec<bool>,
    /// For each row 1, or 0 if it is null.
    levels: Vec<i16>,
}

impl Values {
    fn new(column: Column) -> Self {
        let (texts, ends, numbers) = (Vec::new(), Vec::new(), Vec::new());
        Self { column, texts, ends, numbers, flags: Vec::new(), levels: Vec::new() }
    }

    /// Adds a cell. Returns the bytes of its text.
    fn push(&mut self, cell: &Cell<'_>) -> usize {
        self.levels.push(i16::from(!matches!(cell, Cell::Null)));
        match cell {
            Cell::Text(text) => {
                self.texts.extend_from_slice(text.as_bytes());
                self.ends.push(self.texts.len());
                return text.len();
            }
            Cell::Number(number) => self.numbers.push(i64::try_from(*number).unwrap_or(i64::MAX)),
            Cell::Flag(flag) => self.flags.push(*flag),
            Cell::Null => {}
        }
        0
    }

    fn write_to(&mut self, group: &mut SerializedRowGroupWriter<'_, Bytes>) -> Result<(), ParquetError> {
        let levels = mem::take(&mut self.levels);
        let levels = (repetition(&self.column) == Repetition::OPTIONAL).then_some(&levels[..]);
        match self.column.kind {
            Kind::Text => {
                let texts = bytes::Bytes::from(mem::take(&mut self.texts));
                let mut start = 0;
                let text = |end| ByteArray::from(texts.slice(mem::replace(&mut start, end)..end));
                write::<ByteArrayType>(group, &self.ends.drain(..).map(text).collect::<Vec<_>>(), levels)
            }
            Kind::Number => write::<Int64Type>(group, &mem::take(&mut self.numbers), levels),
            Kind::Flag => write::<BoolType>(group, &mem::take(&mut self.flags), levels),
        }
    }
}

fn write<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Bytes>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
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
