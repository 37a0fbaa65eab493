//! Columns in which rows that follow each other have the same text: it is looked up once for them. The writer of the crate `parquet`
//! looks up that of each row.

use std::collections::HashMap;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use zstd::bulk::Compressor;

use crate::values::ColumnValues;

/// How many rows there are at least for each text that is looked up.
const REPEATS: usize = 2;

/// The longest text in statistics in bytes.
const LONGEST: usize = 1 << 10;

/// Returns whether most texts of these rows follow themselves.
pub(super) fn is_repeated(chunks: &[ColumnValues]) -> bool {
    let rows: usize = chunks.iter().map(|values| values.has_value.len()).sum();
    let texts: usize = chunks.iter().map(|values| values.ends.len()).sum();
    rows >= texts * REPEATS
}

/// The different texts of a column.
#[derive(Default)]
struct Dictionary<'t> {
    numbers: HashMap<&'t [u8], u32>,
    /// The texts as a page has them: each behind its length.
    page: Vec<u8>,
    range: Option<(&'t [u8], &'t [u8])>,
}

impl<'t> Dictionary<'t> {
    fn number_of(&mut self, text: &'t [u8]) -> u32 {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(text).or_insert(next);
        if number == next {
            self.page.extend((text.len() as u32).to_le_bytes());
            self.page.extend(text);
            let (least, greatest) = self.range.unwrap_or((text, text));
            self.range = Some((least.min(text), greatest.max(text)));
        }
        number
    }

    fn statistics(&self, nulls: u64) -> Option<Statistics> {
        let is_short = |(least, greatest): &(&[u8], &[u8])| least.len().max(greatest.len()) <= LONGEST;
        let (least, greatest) = self.range.filter(is_short)?;
        let [least, greatest] = [least, greatest].map(|text| Some(ByteArray::from(text.to_vec())));
        Some(Statistics::byte_array(least, greatest, None, Some(nulls), false))
    }
}

/// Numbers in runs of equal ones: the hybrid of run lengths and packed bits that Parquet has, without the latter.
#[derive(Default)]
struct Runs(Vec<(u32, usize)>);

impl Runs {
    fn add(&mut self, number: u32, times: usize) {
        match self.0.last_mut() {
            Some((last, length)) if *last == number => *length += times,
            _ => self.0.push((number, times)),
        }
    }

    /// Returns the runs of numbers of so many bits.
    fn encode(&self, bits: u32) -> Vec<u8> {
        let mut encoded = Vec::new();
        for (number, times) in &self.0 {
            let mut header = times << 1;
            while header >= 0x80 {
                encoded.push(header as u8 | 0x80);
                header >>= 7;
            }
            encoded.push(header as u8);
            encoded.extend(&number.to_le_bytes()[..bits.div_ceil(8) as usize]);
        }
        encoded
    }
}

/// Returns a column of these rows, and its pages.
pub(super) fn column_of(
    chunks: &[ColumnValues],
    column: ColumnDescPtr,
    has_statistics: bool,
) -> Result<(Bytes, ColumnCloseResult), ParquetError> {
    let (mut dictionary, mut numbers, mut levels) = (Dictionary::default(), Runs::default(), Runs::default());
    for values in chunks {
        for run in values.keys.chunk_by(|one, other| one == other) {
            numbers.add(dictionary.number_of(values.bytes_of(run[0] as usize)), run.len());
        }
        for run in values.has_value.chunk_by(|one, other| one == other) {
            levels.add(u32::from(run[0]), run.len());
        }
    }
    let rows: usize = levels.0.iter().map(|(_, times)| times).sum();
    let nulls: usize = levels.0.iter().filter(|(level, _)| *level == 0).map(|(_, times)| times).sum();
    let mut data = Vec::new();
    if column.max_def_level() > 0 {
        let levels = levels.encode(1);
        data.extend((levels.len() as u32).to_le_bytes());
        data.extend(levels);
    }
    let texts = dictionary.numbers.len() as u32;
    let bits = u32::BITS - texts.saturating_sub(1).leading_zeros();
    data.push(bits as u8);
    data.extend(numbers.encode(bits));
    let statistics = has_statistics.then(|| dictionary.statistics(nulls as u64)).flatten();
    let (pages, specs) = pages_of((&dictionary.page, texts), (&data, rows as u32))?;
    let metadata = ColumnChunkMetaData::builder(column)
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY])
        .set_total_compressed_size(specs.iter().map(|page| page.compressed_size as i64).sum())
        .set_total_uncompressed_size(specs.iter().map(|page| page.uncompressed_size as i64).sum())
        .set_num_values(rows as i64)
        .set_dictionary_page_offset(Some(specs[0].offset as i64))
        .set_data_page_offset(specs[1].offset as i64);
    let metadata = statistics.into_iter().fold(metadata, |metadata, statistics| metadata.set_statistics(statistics));
    let (bytes_written, rows_written) = (pages.len() as u64, rows as u64);
    let metadata = metadata.build()?;
    let (bloom_filter, column_index, offset_index) = (None, None, None);
    let close = ColumnCloseResult { bytes_written, rows_written, metadata, bloom_filter, column_index, offset_index };
    Ok((pages, close))
}

/// Returns a page with a dictionary, and one with data, with the number of values in each.
fn pages_of(dictionary: (&[u8], u32), data: (&[u8], u32)) -> Result<(Bytes, [PageWriteSpec; 2]), ParquetError> {
    let mut compressor = Compressor::new(ZstdLevel::default().compression_level())?;
    let mut pages = TrackedWrite::new(Vec::new());
    let mut writer = SerializedPageWriter::new(&mut pages);
    let buf = compressor.compress(dictionary.0)?.into();
    let page = Page::DictionaryPage { buf, num_values: dictionary.1, encoding: Encoding::PLAIN, is_sorted: false };
    let first = writer.write_page(CompressedPage::new(page, dictionary.0.len()))?;
    let page = Page::DataPage {
        buf: compressor.compress(data.0)?.into(),
        num_values: data.1,
        encoding: Encoding::RLE_DICTIONARY,
        def_level_encoding: Encoding::RLE,
        rep_level_encoding: Encoding::RLE,
        statistics: None,
    };
    let second = writer.write_page(CompressedPage::new(page, data.0.len()))?;
    Ok((pages.into_inner()?.into(), [first, second]))
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use crate::cell::{Cell, Column, TableWriter};
    use crate::parquet::ParquetTable;

    /// The text of a row, or null: none, one, or as many as need two bytes each.
    fn text(row: usize, texts: usize) -> Option<String> {
        let number = row / 3;
        (number % 7 != 6 && texts > 0).then(|| "é".repeat(number % texts % 50) + &(number % texts).to_string())
    }

    #[test]
    fn texts_are_read_as_they_were_written() -> Result<(), Box<dyn std::error::Error>> {
        for texts in [0, 1, 2, 3, 257] {
            let mut written = Vec::new();
            let mut table = ParquetTable::new(&[Column::nullable("url")], &mut written)?;
            for row in 0..2000 {
                table.write(&[Cell::optional(text(row, texts).as_deref())])?;
            }
            table.finish()?;
            drop(table);
            let reader = SerializedFileReader::new(bytes::Bytes::from(written))?;
            let mut rows = 0;
            for (number, row) in reader.get_row_iter(None)?.enumerate() {
                assert_eq!(row?.get_string(0).ok(), text(number, texts).as_ref(), "{texts} {number}");
                rows += 1;
            }
            assert_eq!(rows, 2000);
        }
        Ok(())
    }
}
