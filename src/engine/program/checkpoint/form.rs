//! The file `state.json`: what a folder holds, and the hashes of all files.

use std::path::Path;

use limbforge_algos::op::Why;
use limbforge_algos::program::ProgramFailure;
use limbforge_algos::program::text::syntax::Span;
use limbforge_limb::IntType;
use serde_json::{Value, json};

use super::{CheckpointError, list_kind};

/// The name of the file.
pub(super) const STATE: &str = "state.json";
/// The name of the file of the program.
pub(super) const PROGRAM: &str = "program.lf";
const FORMAT: &str = "limbforge checkpoint";
const VERSION: u64 = 1;

/// A file of integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Integers {
    /// The name of the input, or the number of the value.
    pub(super) name: String,
    pub(super) ty: IntType,
    pub(super) count: usize,
    /// The hash of the file.
    pub(super) hash: String,
}

/// The content of `state.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) program_hash: String,
    pub(super) inputs: Vec<Integers>,
    pub(super) instances: usize,
    pub(super) stage: usize,
    pub(super) round: u64,
    pub(super) values: Vec<Integers>,
    pub(super) failures: Vec<ProgramFailure>,
    /// The files of each list: the instances of its rows, then the columns.
    pub(super) lists: Vec<Vec<Integers>>,
    /// The rows of each list that have been taken.
    pub(super) taken: Vec<u64>,
}

/// Whether the bytes are a file of this format, of whatever version.
pub(super) fn is_state(bytes: &[u8]) -> bool {
    let value: Option<Value> = serde_json::from_slice(bytes).ok();
    value.is_some_and(|value| value["format"] == FORMAT)
}

impl Form {
    pub(super) fn to_json(&self) -> Vec<u8> {
        let failure = |failure: &ProgramFailure| {
            let ProgramFailure { instance, why, span } = failure;
            json!({ "instance": instance, "why": why.name(), "start": span.start, "end": span.end })
        };
        let value = json!({
            "format": FORMAT,
            "version": VERSION,
            "program": self.program_hash,
            "instances": self.instances,
            "inputs": files("input", &self.inputs),
            "stage": self.stage,
            "round": self.round,
            "values": files("value", &self.values),
            "failures": self.failures.iter().map(failure).collect::<Vec<_>>(),
            "lists": self.lists.iter().enumerate().map(|(i, all)| files(&list_kind(i), all)).collect::<Vec<_>>(),
            "taken": self.taken,
        });
        format!("{value:#}\n").into_bytes()
    }

    pub(super) fn from_json(path: &Path, bytes: &[u8]) -> Result<Self, CheckpointError> {
        let damaged = |why: String| CheckpointError::damaged(path, why);
        let value: Value = serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
        if value["format"] != FORMAT {
            return Err(damaged(format!("expected the format `{FORMAT}`, found {}", value["format"])));
        }
        if value["version"] != VERSION {
            let (path, found) = (path.to_owned(), value["version"].to_string());
            return Err(CheckpointError::Version { path, expected: VERSION, found });
        }
        Self::parse(&value).ok_or_else(|| {
            damaged("expected program, inputs, instances, stage, round, values and failures".to_owned())
        })
    }

    fn parse(value: &Value) -> Option<Self> {
        let all = |key: &str| value[key].as_array()?.iter().map(Integers::parse).collect::<Option<Vec<_>>>();
        let list = |value: &Value| value.as_array()?.iter().map(Integers::parse).collect::<Option<Vec<_>>>();
        // Checkpoints of earlier versions have no lists, or take no rows.
        let lists = value["lists"].as_array().map_or(&[][..], Vec::as_slice);
        let taken = match &value["taken"] {
            Value::Null => vec![0; lists.len()],
            taken => taken.as_array()?.iter().map(Value::as_u64).collect::<Option<Vec<_>>>()?,
        };
        if taken.len() != lists.len() {
            return None;
        }
        let failure = |value: &Value| {
            let place = |key: &str| u32::try_from(value[key].as_u64()?).ok();
            Some(ProgramFailure {
                instance: number(&value["instance"])?,
                why: Why::from_name(value["why"].as_str()?)?,
                span: Span { start: place("start")?, end: place("end")? },
            })
        };
        Some(Self {
            program_hash: value["program"].as_str()?.to_owned(),
            inputs: all("inputs")?,
            instances: number(&value["instances"])?,
            stage: number(&value["stage"])?,
            round: value["round"].as_u64()?,
            values: all("values")?,
            failures: value["failures"].as_array()?.iter().map(failure).collect::<Option<_>>()?,
            lists: lists.iter().map(list).collect::<Option<_>>()?,
            taken,
        })
    }
}

/// The name of the file of an input or a value.
pub(super) fn file(kind: &str, index: usize) -> String {
    format!("{kind}-{index}.bin")
}

fn files(kind: &str, all: &[Integers]) -> Vec<Value> {
    let entry = |(index, Integers { name, ty, count, hash }): (usize, &Integers)| {
        let file = file(kind, index);
        json!({ "name": name, "type": ty.to_string(), "integers": count, "file": file, "hash": hash })
    };
    all.iter().enumerate().map(entry).collect()
}

fn number(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

impl Integers {
    fn parse(value: &Value) -> Option<Self> {
        let text = |key: &str| Some(value[key].as_str()?.to_owned());
        Some(Self {
            name: text("name")?,
            ty: value["type"].as_str()?.parse().ok()?,
            count: number(&value["integers"])?,
            hash: text("hash")?,
        })
    }
}
