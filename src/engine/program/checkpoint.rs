//! Checkpoints: folders of plain integers, from which any backend goes on with a run.
//!
//! | file | content |
//! | --- | --- |
//! | `program.lf` | the text of the program |
//! | `state.json` | version, stage, round, failures; types, numbers and hashes (BLAKE3) of all other files |
//! | `input-I.bin` | input I: little-endian records of ceil(bits / 8) bytes |
//! | `value-I.bin` | value I of the state, likewise: a residue is its number, a `bool` 0 or 1 |

mod error;
mod folder;
mod form;

use std::fs;
use std::path::Path;

use limbforge_algos::program::{Program, State, TypedProgram, stages};
use limbforge_limb::io::{NumberFormat, Splitter, write_instances};
use limbforge_limb::{Base, Batch, IntType, Layout};

pub use self::error::CheckpointError;
use self::folder::{NewFolder, complete};
use self::form::{Form, Integers, PROGRAM, STATE, file};

/// A run that is interrupted.
#[derive(Debug)]
pub(super) struct Checkpoint {
    pub(super) program: TypedProgram,
    /// In the order of the program.
    pub(super) inputs: Vec<Batch<u64>>,
    pub(super) instances: usize,
    pub(super) state: State,
}

/// The integers as records: those of two's complement have ones above their width.
pub(super) fn to_records<B: Base>(batch: &Batch<B>) -> Vec<u8> {
    let mut records = vec![];
    write_instances(batch, 0..batch.instances(), NumberFormat::Bin, &mut records);
    records
}

/// The integers of records, or the first that is none.
pub(super) fn from_records<B: Base>(ty: IntType, records: &[u8]) -> Result<Batch<B>, String> {
    let records = Splitter::new(NumberFormat::Bin, ty).split(records);
    records.to_batch(Layout::InstanceMajor).map_err(|error| error.to_string())
}

impl Checkpoint {
    /// Writes the folder, which takes the place of an earlier checkpoint when it is complete.
    pub(super) fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        let Self { program, inputs, instances, state } = self;
        let folder = NewFolder::create(path)?;
        let integers = |kind: &str, index: usize, name: &str, batch: &Batch<u64>| {
            let records = to_records(batch);
            folder.write(&file(kind, index), &records)?;
            let (name, ty, count) = (name.to_owned(), batch.ty(), batch.instances());
            Ok(Integers { name, ty, count, hash: hash(&records) })
        };
        let named = program.inputs().iter().zip(inputs).enumerate();
        let inputs = named.map(|(i, (input, batch))| integers("input", i, &input.name, batch));
        let inputs = inputs.collect::<Result<_, _>>()?;
        let values = state.values.iter().enumerate();
        let values = values.map(|(i, (value, batch))| integers("value", i, &value.to_string(), batch));
        let form = Form {
            program_hash: hash(program.text().as_bytes()),
            inputs,
            instances: *instances,
            stage: state.stage,
            round: state.round,
            values: values.collect::<Result<_, _>>()?,
            failures: state.failures.clone(),
        };
        folder.write(PROGRAM, program.text().as_bytes())?;
        folder.write(STATE, &form.to_json())?;
        folder.finish()
    }

    /// Reads a folder, and checks all of it.
    pub(super) fn read(path: &Path) -> Result<Self, CheckpointError> {
        let path = &complete(path);
        let state_path = path.join(STATE);
        let state = fs::read(&state_path).map_err(CheckpointError::file(&state_path, "read"))?;
        let form = Form::from_json(&state_path, &state)?;
        let program_path = path.join(PROGRAM);
        let text = read_hashed(&program_path, &form.program_hash)?;
        let text = String::from_utf8(text)
            .map_err(|error| CheckpointError::damaged(&program_path, error.to_string()))?;
        let types: Vec<(&str, IntType)> = form.inputs.iter().map(|input| (&*input.name, input.ty)).collect();
        let program = Program::parse(&text).and_then(|program| program.typed(&types));
        let program =
            program.map_err(|error| CheckpointError::Program { path: program_path, source: error.into() })?;
        let inputs = read_all(path, "input", &form.inputs)?;
        let values = read_all(path, "value", &form.values)?;
        let Form { instances, stage, round, failures, .. } = form.clone();
        let held = stages(&program).get(stage).map(|stage| stage.held(&program)).unwrap_or_default();
        let of_program = held.iter().map(|&value| (value.to_string(), program.plain(value)));
        if !of_program.eq(form.values.iter().map(|value| (value.name.clone(), value.ty))) {
            let why = "its values are not those that this version of limbforge computes with";
            return Err(CheckpointError::damaged(&state_path, why));
        }
        let values = held.into_iter().zip(values).collect();
        Ok(Self { program, inputs, instances, state: State { stage, round, values, failures } })
    }
}

fn read_all(path: &Path, kind: &str, all: &[Integers]) -> Result<Vec<Batch<u64>>, CheckpointError> {
    let read = |(i, integers): (usize, &Integers)| {
        let path = path.join(file(kind, i));
        let records = read_hashed(&path, &integers.hash)?;
        let damaged = |why: String| CheckpointError::damaged(&path, why);
        let batch = from_records::<u64>(integers.ty, &records).map_err(damaged)?;
        if batch.instances() != integers.count {
            return Err(damaged(format!(
                "expected {} integers, found {}",
                integers.count,
                batch.instances()
            )));
        }
        Ok(batch)
    };
    all.iter().enumerate().map(read).collect()
}

/// The content of a file that has this hash.
fn read_hashed(path: &Path, expected: &str) -> Result<Vec<u8>, CheckpointError> {
    let content = fs::read(path).map_err(CheckpointError::file(path, "read"))?;
    let found = hash(&content);
    if found != expected {
        let why = format!("expected content with the hash {expected}, found {found}");
        return Err(CheckpointError::damaged(path, why));
    }
    Ok(content)
}

fn hash(content: &[u8]) -> String {
    blake3::hash(content).to_hex().to_string()
}
