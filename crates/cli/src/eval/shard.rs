//! Parts of a run, for jobs on several machines.

use std::fs;
use std::io;
use std::str::FromStr;

use limbforge::limb::io::{NumberFormat, RecordReader};

use super::arguments::{EvalArguments, InputArgument};
use super::source::{Reading, none};
use crate::error::CliError;
use crate::input::{self, Kind};

/// Bytes of text that are split into lines at once.
const BLOCK: usize = 1 << 20;

/// The part of this number, from 1, of so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    number: u64,
    of: u64,
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = |text: &str| text.parse::<u64>().ok();
        let shard = text.split_once('/').and_then(|(number, of)| Some((parse(number)?, parse(of)?)));
        let shard = shard.filter(|&(number, of)| 1 <= number && number <= of);
        shard.map(|(number, of)| Self { number, of }).ok_or("expected I/N with 1 <= I <= N, as in 3/8")
    }
}

impl Shard {
    /// The first instance of the part and their number, of so many in all. Parts differ by at most one.
    fn range(self, instances: u64) -> (u64, u64) {
        let before = |number: u64| (u128::from(instances) * u128::from(number) / u128::from(self.of)) as u64;
        let first = before(self.number - 1);
        (first, before(self.number) - first)
    }
}

/// The instances of a run, if they are not all.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) first: u64,
    pub(super) count: u64,
    /// Whether an input has one integer in all, which is used for all instances.
    pub(super) is_single: Vec<bool>,
}

impl Part {
    /// The integers of an input before the first of the part.
    pub(super) fn skip(&self, input: usize) -> u64 {
        if self.is_single[input] { 0 } else { self.first }
    }
}

/// The integers of a file, and the number of the line or record behind them.
struct Count {
    integers: u64,
    next: u64,
}

/// Counts the integers of all inputs, and finds those of the part.
pub(super) fn part(shard: Shard, arguments: &EvalArguments, reading: Reading) -> Result<Part, CliError> {
    let inputs = &arguments.inputs;
    let counts = inputs.iter().map(|input| count(input, reading)).collect::<Result<Vec<_>, _>>()?;
    let is_single: Vec<bool> = counts.iter().map(|count| count.integers == 1).collect();
    let several = || (0..inputs.len()).filter(|&input| !is_single[input]);
    let longest = several().max_by_key(|&input| counts[input].integers);
    let instances = longest.map_or(1, |input| counts[input].integers);
    if let Some(shorter) = several().find(|&input| counts[input].integers < instances)
        && let Some(longest) = longest
    {
        let (shown, longer) = (inputs[shorter].shown(), inputs[longest].shown());
        return Err(CliError::ended(&shown, counts[shorter].next, &longer, ["integer", "integers"]));
    }
    let (first, count) = shard.range(instances);
    Ok(Part { first, count, is_single })
}

fn count(input: &InputArgument, reading: Reading) -> Result<Count, CliError> {
    let (path, shown) = (&input.path, input.shown());
    if !fs::metadata(path).map_err(CliError::file(path, "open"))?.is_file() {
        let why = "expected a file, as its integers are counted before they are read: --shard cannot read standard \
                   input, pipes and devices";
        return Err(CliError::Columns { path: path.clone(), why: why.to_owned() });
    }
    #[cfg(feature = "columns")]
    if let Some(place) = &input.place {
        let integers = super::columns::Table::open(path, place.kind)?.rows()?;
        return if integers == 0 { Err(none(&shown)) } else { Ok(Count { integers, next: integers + 1 }) };
    }
    let integers = match reading.format {
        NumberFormat::Bin => bytes(input)?.div_ceil(reading.ty.bytes() as u64),
        NumberFormat::Hex | NumberFormat::Dec => return lines(input, reading),
    };
    if integers == 0 { Err(none(&shown)) } else { Ok(Count { integers, next: integers + 1 }) }
}

/// The bytes of a file, of a compressed one those that it holds.
fn bytes(input: &InputArgument) -> Result<u64, CliError> {
    let path = &input.path;
    if let Some((_, bytes)) = input::open_ranges(path)? {
        return Ok(bytes);
    }
    let mut content = input::open(path, Kind::Binary)?;
    io::copy(&mut content, &mut io::sink()).map_err(CliError::file(path, "read"))
}

fn lines(input: &InputArgument, reading: Reading) -> Result<Count, CliError> {
    let path = &input.path;
    let content = input::open(path, Kind::Text)?;
    let mut reader = RecordReader::new(content, reading.format, reading.ty).lenient(reading.is_lenient);
    let mut count = Count { integers: 0, next: 1 };
    loop {
        let records = reader.read(usize::MAX, BLOCK).map_err(CliError::file(path, "read"))?;
        count.next = records.number(records.len());
        count.integers += records.len() as u64;
        if records.is_empty() {
            break;
        }
    }
    if count.integers == 0 { Err(none(path)) } else { Ok(count) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_contiguous_and_cover_all() {
        for (instances, of) in [(10, 3), (1, 4), (7, 7), (u64::MAX, 5), (2, 1)] {
            let mut next = 0;
            for number in 1..=of {
                let (first, count) = Shard { number, of }.range(instances);
                assert!(first == next && count.abs_diff(instances / of) <= 1, "{number}/{of} of {instances}");
                next = first + count;
            }
            assert_eq!(next, instances);
        }
        for text in ["0/3", "4/3", "1", "a/b", "1/0", "-1/2", "1/2/3", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
