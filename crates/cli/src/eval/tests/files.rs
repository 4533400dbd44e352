//! Random files of integers, whose numbers are known.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::write::GzEncoder;
use num_bigint::{BigInt, Sign};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// Numbers that look random and are the same every time: `SplitMix64`.
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True once in so many calls.
    pub(super) fn once_in(&mut self, calls: usize) -> bool {
        self.below(calls) == 0
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A record of a file.
#[derive(Clone, Debug)]
pub(super) enum Record {
    Number(BigInt),
    /// Text that is no number.
    Bad,
}

/// A file: records, and their lines from 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    pub(super) records: Vec<(u64, Record)>,
    /// The line after the last.
    pub(super) next: u64,
}

/// An expression of `a` and `b` over two files.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) expression: &'static str,
    pub(super) format: &'static str,
    pub(super) bits: u64,
    pub(super) is_signed: bool,
    pub(super) is_lenient: bool,
    pub(super) marks: bool,
    pub(super) columns: [Column; 2],
    /// Of the files.
    pub(super) names: [String; 2],
    limb: &'static str,
}

impl Case {
    pub(super) fn random(random: &mut Random) -> Self {
        let format = random.pick(&["hex", "dec", "bin"]);
        let is_text = format != "bin";
        let bits = random.pick(&[1, 7, 8, 30, 32, 61, 64, 100, 128, 192, 256, 1000]);
        let (is_signed, bad) = (random.once_in(2), random.once_in(2) && is_text);
        let several = random.pick(&[1, 2, 5, 60, 300]);
        let other = match random.below(8) {
            0 | 1 => 1,
            2 => 1 + random.below(several),
            _ => several,
        };
        let rare = random.pick(&[2, 20, 400]);
        let mut column = |count: usize| {
            let record = |random: &mut Random| match bad && random.once_in(rare) {
                true => Record::Bad,
                false => Record::Number(number(random, bits, is_signed)),
            };
            let records = (0..count).map(|_| (0, record(random))).collect();
            Column { records, next: 0 }
        };
        let mut columns = [column(several), column(other)];
        if random.once_in(2) {
            columns.swap(0, 1);
        }
        Self {
            expression: random.pick(&["a + b", "a * b - a", "a / b", "mul_wide(a, b)", "b - a"]),
            format,
            bits,
            is_signed,
            is_lenient: is_text && random.once_in(2),
            marks: is_text && random.once_in(2),
            columns,
            names: [String::new(), String::new()],
            limb: random.pick(&["u32", "u64", "u128"]),
        }
    }

    /// Writes the files, and returns the arguments. Notes the lines of the records.
    pub(super) fn write(&mut self, folder: &Path, random: &mut Random) -> Vec<String> {
        let bits = self.bits.to_string();
        let words = [self.expression, "--bits", &bits, "--format", self.format, "--limb", self.limb];
        let mut arguments: Vec<String> = words.map(str::to_owned).to_vec();
        let flags = [(self.is_signed, "--signed"), (self.is_lenient, "--lenient")];
        arguments.extend(flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| (*flag).to_owned()));
        if self.marks {
            arguments.extend(["--on-error".to_owned(), "mark".to_owned()]);
        }
        for (i, name) in ["a", "b"].into_iter().enumerate() {
            let bytes = if self.format == "bin" { self.binary(i) } else { self.text(i, random) };
            let (name_of_file, bytes) = packed(name, bytes, random);
            let path = folder.join(&name_of_file);
            fs::write(&path, bytes).unwrap();
            arguments.extend(["--in".to_owned(), format!("{name}={}", path.display())]);
            self.names[i] = name_of_file;
        }
        arguments
    }

    fn binary(&mut self, column: usize) -> Vec<u8> {
        let size = self.bits.div_ceil(8) as usize;
        let column = &mut self.columns[column];
        let mut bytes = vec![];
        for (line, (number, record)) in (1..).zip(&mut column.records) {
            *number = line;
            let Record::Number(value) = record else { continue };
            bytes.extend(super::reference::binary(value, size));
        }
        column.next = column.records.len() as u64 + 1;
        bytes
    }

    fn text(&mut self, column: usize, random: &mut Random) -> Vec<u8> {
        let (mut text, mut line) = (String::new(), 1);
        let radix = if self.format == "dec" { 10 } else { 16 };
        let count = self.columns[column].records.len();
        for (i, (number, record)) in self.columns[column].records.iter_mut().enumerate() {
            while self.is_lenient && random.once_in(3) {
                text += random.pick(&["\n", "# a comment\n", "   \r\n", " # 12\n"]);
                line += 1;
            }
            *number = line;
            text += random.pick(&["", "", " ", "\t"]);
            match record {
                Record::Number(value) => text += &digits(value, radix, random),
                Record::Bad => text += random.pick(&["x", "1 2", "-", "12_3", "0y1"]),
            }
            text += if self.is_lenient && random.once_in(4) { " # note" } else { "" };
            let is_last_open = i + 1 == count && random.once_in(3);
            text += if is_last_open { "" } else { random.pick(&["\n", "\n", "\r\n", " \n"]) };
            line += 1;
        }
        self.columns[column].next = line;
        text.into_bytes()
    }
}

/// A number of the type, often 0 or next to a limit.
pub(super) fn number(random: &mut Random, bits: u64, is_signed: bool) -> BigInt {
    let bytes: Vec<u8> = (0..bits.div_ceil(8)).map(|_| random.next() as u8).collect();
    let all = BigInt::from(1) << bits;
    let value = match random.below(6) {
        0 => BigInt::from(random.below(3)),
        1 => &all - 1 - random.below(2),
        2 => &all >> 1,
        _ => BigInt::from_bytes_le(Sign::Plus, &bytes),
    };
    super::reference::wrapped(value, bits, is_signed)
}

fn digits(value: &BigInt, radix: u32, random: &mut Random) -> String {
    let (sign, magnitude) = (if value.sign() == Sign::Minus { "-" } else { "" }, value.magnitude());
    let digits = magnitude.to_str_radix(radix);
    let digits = if random.once_in(3) { digits.to_uppercase() } else { digits };
    let prefix = if radix == 16 { random.pick(&["", "0x", "0X"]) } else { "" };
    format!("{sign}{prefix}{}{digits}", random.pick(&["", "", "0", "000"]))
}

/// A file's name and its bytes, compressed or not.
fn packed(name: &str, bytes: Vec<u8>, random: &mut Random) -> (String, Vec<u8>) {
    match random.below(6) {
        0 => {
            let mut encoder = GzEncoder::new(vec![], flate2::Compression::default());
            encoder.write_all(&bytes).unwrap();
            (format!("{name}.gz"), encoder.finish().unwrap())
        }
        1 => (format!("{name}.zst"), compress_to_vec(&*bytes, CompressionLevel::Fastest)),
        _ => (name.to_owned(), bytes),
    }
}
