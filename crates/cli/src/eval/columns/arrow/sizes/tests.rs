use std::io::Cursor;
use std::sync::Arc;

use arrow_array::{Int64Array, RecordBatch};
use arrow_ipc::CompressionType;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};

use super::*;

const ROWS: usize = 1000;

/// The rows of two batches as a file, or as a stream.
fn written(compression: Option<CompressionType>, is_file: bool) -> Vec<u8> {
    let column = |from: i64| Arc::new(Int64Array::from_iter_values((0..ROWS as i64).map(|i| from + i))) as _;
    let batch = |from| RecordBatch::try_from_iter([("a", column(from)), ("b", column(7))]).unwrap();
    let (batches, schema) = ([batch(0), batch(5)], batch(0).schema());
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let mut bytes = vec![];
    if is_file {
        let mut writer = FileWriter::try_new_with_options(&mut bytes, &schema, options).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        writer.finish().unwrap();
    } else {
        let mut writer = StreamWriter::try_new_with_options(&mut bytes, &schema, options).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        writer.finish().unwrap();
    }
    bytes
}

/// A stream that gives a few bytes at a time.
struct Slow<'a>(&'a [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = bytes.len().min(self.1);
        self.0.read(&mut bytes[..count])
    }
}

fn check_stream(bytes: &[u8], step: usize) -> io::Result<Vec<u8>> {
    let mut read = vec![];
    Checked::new(Slow(bytes, step)).read_to_end(&mut read)?;
    Ok(read)
}

#[test]
fn sound_data_pass_unchanged() {
    for compression in [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)] {
        let file = written(compression, true);
        check_file(&mut Cursor::new(&file)).unwrap();
        assert_eq!(FileReader::try_new(Cursor::new(&file), None).unwrap().count(), 2);
        let stream = written(compression, false);
        for step in [1, 7, 4096] {
            assert_eq!(check_stream(&stream, step).unwrap(), stream);
        }
        let batches = StreamReader::try_new(Checked::new(&stream[..]), None).unwrap();
        assert_eq!(batches.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 2 * ROWS);
    }
}

#[test]
fn a_size_without_memory_is_an_error() {
    let size = (8 * ROWS as u64).to_le_bytes();
    for is_file in [true, false] {
        let sound = written(Some(CompressionType::LZ4_FRAME), is_file);
        let places: Vec<usize> = (0..sound.len() - 8).filter(|&at| sound[at..at + 8] == size).collect();
        // Two columns of two batches; metadata may have the number, too.
        let mut refused = 0;
        for at in places {
            let mut damaged = sound.clone();
            damaged[at..at + 8].copy_from_slice(&(i64::MAX as u64 / 3).to_le_bytes());
            let errors = if is_file {
                vec![check_file(&mut Cursor::new(&damaged)).err()]
            } else {
                [1, 7, 4096].map(|step| check_stream(&damaged, step).err()).into()
            };
            let why = "a compressed buffer claims 3074457345618258602 bytes, for which there is no memory";
            let of_size =
                |error: &Option<io::Error>| error.as_ref().is_some_and(|error| error.to_string() == why);
            assert!(errors.iter().all(of_size) || !errors.iter().any(of_size), "byte {at}: {errors:?}");
            refused += usize::from(errors.iter().all(of_size));
        }
        assert_eq!(refused, 4);
    }
}

#[test]
fn any_damage_ends_without_a_panic() {
    for is_file in [true, false] {
        let sound = written(Some(CompressionType::LZ4_FRAME), is_file);
        for at in 0..sound.len() {
            for byte in [0, 0x7f, 0xff] {
                let mut damaged = sound.clone();
                damaged[at] = byte;
                if is_file {
                    let _ = check_file(&mut Cursor::new(&damaged));
                } else {
                    let _ = check_stream(&damaged, 4096);
                }
            }
        }
    }
}
