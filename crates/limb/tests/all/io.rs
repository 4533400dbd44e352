//! Files of integers: round trips through every format, chunking, and what is refused with which words.

use std::io::{BufReader, Cursor, Read};

use limbforge_limb::io::{NumberFormat, RecordReader, write_batch};
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_testing::operands;
use proptest::collection::vec;
use proptest::prelude::*;

const FORMATS: [NumberFormat; 3] = [NumberFormat::Hex, NumberFormat::Dec, NumberFormat::Bin];

/// Reads everything in chunks of at most `chunk` records or bytes, through a buffer of `buffer` bytes.
fn read_all<B: Base>(
    text: &[u8],
    format: NumberFormat,
    ty: IntType,
    chunk: usize,
    buffer: usize,
) -> Vec<Vec<B>> {
    let mut reader = RecordReader::new(BufReader::with_capacity(buffer, Cursor::new(text)), format, ty);
    let mut integers = vec![];
    loop {
        let records = reader.read(chunk, 4 * chunk).unwrap();
        if records.is_empty() {
            assert!(reader.at_end().unwrap());
            return integers;
        }
        assert!(records.len() <= chunk);
        assert_eq!(records.number(0), integers.len() as u64 + 1);
        let batch = records.to_batch::<B>(Layout::InstanceMajor).unwrap();
        integers.extend((0..batch.instances()).map(|i| batch.instance(i)));
    }
}

fn round_trip<B: Base>(
    ty: IntType,
    integers: &[Vec<B>],
    chunk: usize,
    buffer: usize,
) -> Result<(), TestCaseError> {
    let mut batch = Batch::<B>::zeros(ty, Layout::Interleaved, integers.len()).unwrap();
    for (i, integer) in integers.iter().enumerate() {
        batch.set_instance(i, integer);
    }
    for format in FORMATS {
        let mut text = vec![];
        write_batch(&batch, format, &mut text).unwrap();
        let expected: Vec<Vec<B>> = (0..integers.len()).map(|i| batch.instance(i)).collect();
        prop_assert_eq!(read_all::<B>(&text, format, ty, chunk, buffer), expected, "{}", format);
        let values: Vec<String> = batch.to_bigints().iter().map(ToString::to_string).collect();
        if format == NumberFormat::Dec {
            let text = String::from_utf8(text).unwrap();
            prop_assert_eq!(text.lines().collect::<Vec<_>>(), values);
        }
    }
    Ok(())
}

fn case<B: Base>() -> impl Strategy<Value = (IntType, Vec<Vec<B>>, usize, usize)> {
    (1..400_u64, any::<bool>(), 0..12_usize).prop_flat_map(|(bits, signed, n)| {
        let ty = IntType::new(bits, signed).unwrap();
        (Just(ty), vec(operands::integer::<B>(ty.limbs::<B>()), n), 1..9_usize, 1..200_usize)
    })
}

proptest! {
    #[test]
    fn every_format_round_trips_u32((ty, integers, chunk, buffer) in case::<u32>()) {
        round_trip(ty, &integers, chunk, buffer)?;
    }

    #[test]
    fn every_format_round_trips_u64((ty, integers, chunk, buffer) in case::<u64>()) {
        round_trip(ty, &integers, chunk, buffer)?;
    }

    #[test]
    fn every_format_round_trips_u128((ty, integers, chunk, buffer) in case::<u128>()) {
        round_trip(ty, &integers, chunk, buffer)?;
    }

    /// Whatever the bytes are: an integer or a typed error, no panic.
    #[test]
    fn any_bytes_are_an_integer_or_an_error(bytes in vec(any::<u8>(), 0..60), bits in 1..70_u64, signed: bool) {
        let ty = IntType::new(bits, signed).unwrap();
        for format in FORMATS {
            let records = RecordReader::new(&bytes[..], format, ty).read(usize::MAX, usize::MAX).unwrap();
            for i in 0..records.len() {
                let mut out = vec![0_u32; ty.limbs::<u32>()];
                if records.parse(i, &mut out).is_ok() {
                    prop_assert!(Batch::from_limbs(ty, Layout::InstanceMajor, out).is_ok());
                }
            }
        }
    }
}

fn read(text: &str, format: NumberFormat, ty: &str) -> Result<Vec<String>, String> {
    let records = RecordReader::new(text.as_bytes(), format, ty.parse().unwrap()).read(100, 1 << 20).unwrap();
    let batch = records.to_batch::<u64>(Layout::InstanceMajor).map_err(|error| error.to_string())?;
    Ok(batch.to_bigints().iter().map(ToString::to_string).collect())
}

#[test]
fn text_may_have_prefixes_blanks_signs_and_no_last_newline() {
    assert_eq!(
        read("ff\n 0xFF \r\n0X0f\n000001", NumberFormat::Hex, "u8").unwrap(),
        ["255", "255", "15", "1"]
    );
    assert_eq!(read("-80\n7f\n-0x1\n-0\n", NumberFormat::Hex, "i8").unwrap(), ["-128", "127", "-1", "0"]);
    assert_eq!(read("-128\n127\n\t5\n", NumberFormat::Dec, "i8").unwrap(), ["-128", "127", "5"]);
    assert_eq!(read("-1\n0\n", NumberFormat::Dec, "i1").unwrap(), ["-1", "0"]);
    assert_eq!(read("", NumberFormat::Hex, "u8").unwrap(), [""; 0]);
}

#[test]
fn errors_name_line_column_and_reason() {
    for (text, format, ty, error) in [
        ("1\n\n", NumberFormat::Hex, "u8", "2: expected an integer, found an empty line"),
        ("  12g4\n", NumberFormat::Hex, "u64", "1: column 5: expected a digit in base 16, found `g`"),
        ("-0x1x\n", NumberFormat::Hex, "i64", "1: column 5: expected a digit in base 16, found `x`"),
        ("1a\n", NumberFormat::Dec, "u64", "1: column 2: expected a digit in base 10, found `a`"),
        (
            "0x\n",
            NumberFormat::Hex,
            "u64",
            "1: column 3: expected a digit in base 16, found the end of the line",
        ),
        ("+5\n", NumberFormat::Dec, "u64", "1: column 1: expected a digit in base 10, found `+`"),
        ("1\0\n", NumberFormat::Dec, "u64", "1: column 2: expected a digit in base 10, found byte 0x00"),
        (
            "100\n",
            NumberFormat::Hex,
            "u8",
            "1: the number does not fit u8: it needs 9 bits; expected 0 to 2^8 - 1",
        ),
        (
            "128\n",
            NumberFormat::Dec,
            "i8",
            "1: the number does not fit i8: it needs 9 bits; expected -2^7 to 2^7 - 1",
        ),
        (
            "-129\n",
            NumberFormat::Dec,
            "i8",
            "1: the number does not fit i8: it needs 9 bits; expected -2^7 to 2^7 - 1",
        ),
        (
            "1\n",
            NumberFormat::Dec,
            "i1",
            "1: the number does not fit i1: it needs 2 bits; expected -2^0 to 2^0 - 1",
        ),
        (
            "-1\n",
            NumberFormat::Hex,
            "u8",
            "1: found a negative integer; u8 is unsigned, expected 0 to 2^8 - 1",
        ),
        ("abc", NumberFormat::Bin, "u16", "2: the file ends within a record: expected 2 bytes, found 1"),
        (
            "\u{7f}",
            NumberFormat::Bin,
            "u6",
            "1: the number does not fit u6: it needs 7 bits; expected 0 to 2^6 - 1",
        ),
    ] {
        assert_eq!(read(text, format, ty).unwrap_err(), error, "{text:?} as {ty}");
    }
}

#[test]
fn a_line_without_end_is_refused_in_bounded_memory() {
    let ty = IntType::unsigned(64).unwrap();
    let endless = BufReader::new(std::io::repeat(b'7').take(50_000_000).chain(&b"\n1\n"[..]));
    let mut reader = RecordReader::new(endless, NumberFormat::Hex, ty);
    let records = reader.read(10, 1 << 20).unwrap();
    assert_eq!((records.len(), records.is_cut()), (1, true));
    assert!(records.bytes() < 10_000);
    let mut out = [0_u64];
    let error = records.parse(0, &mut out).unwrap_err();
    let limit = NumberFormat::Hex.max_line(ty);
    assert!(error.to_string().starts_with(&format!("the line is longer than {limit} bytes")), "{error}");
    let records = reader.read(10, 1 << 20).unwrap();
    assert_eq!((records.len(), records.number(0), records.is_cut()), (1, 2, false));
    assert_eq!((records.parse(0, &mut out), out), (Ok(()), [1]));
}

/// A stream that never ends and has no line's end, as /dev/zero, is refused after a bounded part of it.
#[test]
fn a_stream_without_line_ends_is_not_read_to_its_end() {
    struct Counted(usize);
    impl Read for Counted {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            self.0 += out.len();
            assert!(self.0 < 100_000, "reads on");
            out.fill(0);
            Ok(out.len())
        }
    }
    for lenient in [false, true] {
        for format in [NumberFormat::Hex, NumberFormat::Dec] {
            let ty = IntType::unsigned(64).unwrap();
            let mut reader = RecordReader::new(BufReader::new(Counted(0)), format, ty).lenient(lenient);
            assert!(reader.read(1000, 1 << 20).unwrap().is_cut());
        }
    }
}

#[test]
fn lenient_readers_skip_empty_lines_and_comments_and_keep_line_numbers() {
    let text = "# head\r\n\r\n1\n  \n2 # two\n3#\n \t# x\n4\n\n#\n";
    for (chunk, buffer) in [(1, 1), (1, 100), (2, 3), (100, 100)] {
        let ty = IntType::unsigned(8).unwrap();
        let source = BufReader::with_capacity(buffer, text.as_bytes());
        let mut reader = RecordReader::new(source, NumberFormat::Dec, ty).lenient(true);
        let mut found = vec![];
        while !reader.at_end().unwrap() {
            let records = reader.read(chunk, 1 << 20).unwrap();
            let batch = records.to_batch::<u32>(Layout::InstanceMajor).unwrap();
            found.extend((0..records.len()).map(|i| (records.number(i), batch.instance(i)[0])));
        }
        assert_eq!(found, [(3, 1), (5, 2), (6, 3), (8, 4)], "{chunk} {buffer}");
    }
    assert_eq!(
        read("1\n# two\n", NumberFormat::Dec, "u8").unwrap_err(),
        "2: column 1: expected a digit in base 10, found `#`"
    );
}

/// An error behind skipped lines names the line of the file, and comments may be longer than any number.
#[test]
fn lenient_errors_name_the_line_of_the_file() {
    let ty = IntType::unsigned(8).unwrap();
    let long = "x".repeat(100_000);
    let text = format!("#{long}\n\n7 #{long}\nzz\n");
    let mut reader = RecordReader::new(text.as_bytes(), NumberFormat::Dec, ty).lenient(true);
    let error = reader.read(9, 1 << 20).unwrap().to_batch::<u64>(Layout::InstanceMajor).unwrap_err();
    assert_eq!(error.to_string(), "4: column 1: expected a digit in base 10, found `z`");
    let bytes = [b'#', b'\n', 7];
    let mut reader = RecordReader::new(&bytes[..], NumberFormat::Bin, ty).lenient(true);
    assert_eq!(
        reader.read(9, 9).unwrap().to_batch::<u32>(Layout::InstanceMajor).unwrap().limbs(),
        [35, 10, 7]
    );
}

#[test]
fn binary_records_are_little_endian_and_sign_extended() {
    let ty: IntType = "i12".parse().unwrap();
    let batch = Batch::<u32>::from_bigints(ty, Layout::InstanceMajor, &[(-2).into(), 0x123.into()]).unwrap();
    let mut bytes = vec![];
    write_batch(&batch, NumberFormat::Bin, &mut bytes).unwrap();
    assert_eq!(bytes, [0xfe, 0xff, 0x23, 0x01]);
}
