//! Checkpoints: folders of plain integers, from which any backend goes on with a run.
//!
//! | file | content |
//! | --- | --- |
//! | `program.lf` | the text of the program |
//! | `state.json` | version, stage, round, failures; types, numbers and hashes (BLAKE3) of all other files |
//! | `input-I.bin` | input I: little-endian records of ceil(bits / 8) bytes |
//! | `list-I-0.bin`, `list-I-K.bin` | list I so far: the instance of each row, and column K - 1, likewise |
//! | `value-I.bin` | value I of the state, likewise: a residue is its number, a `bool` 0 or 1 |

mod error;
mod folder;
mod form;

use std::fs;
use std::path::Path;

use limbforge_algos::program::{Program, Rows, State, TypedProgram, stages};
use limbforge_limb::io::{NumberFormat, Splitter, write_instances};
use limbforge_limb::{Base, Batch, BatchError, IntType, Layout};

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
        let lists = program.lists().iter().zip(&state.lists).enumerate();
        let lists = lists.map(|(i, (list, rows))| {
            let unwritable = |error: BatchError| CheckpointError::damaged(path, error.to_string());
            let columns = rows.columns().map_err(unwritable)?;
            let all = std::iter::once(rows.numbers().map_err(unwritable)?).chain(columns).enumerate();
            all.map(|(k, batch)| integers(&list_kind(i), k, &list.name, &batch)).collect()
        });
        let taken = state.lists.iter().map(Rows::taken).collect();
        let form = Form {
            program_hash: hash(program.text().as_bytes()),
            inputs,
            instances: *instances,
            stage: state.stage,
            round: state.round,
            values: values.collect::<Result<_, _>>()?,
            failures: state.failures.clone(),
            lists: lists.collect::<Result<_, _>>()?,
            taken,
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
        let lists = form.lists.iter().zip(&form.taken).enumerate();
        let lists = lists.map(|(i, (files, &taken))| Ok(read_list(path, i, files)?.after(taken)));
        let lists = lists.collect::<Result<_, CheckpointError>>()?;
        Ok(Self { program, inputs, instances, state: State { stage, round, values, failures, lists } })
    }
}

/// The kind of the files of a list: the numbers of instances, and the columns.
fn list_kind(list: usize) -> String {
    format!("list-{list}")
}

fn read_list(path: &Path, list: usize, files: &[Integers]) -> Result<Rows, CheckpointError> {
    let all = read_all(path, &list_kind(list), files)?;
    let rows = all.split_first().and_then(|(instances, columns)| {
        let instances = instances.to_u64s().ok()?;
        Rows::new(instances, columns)
    });
    let name = files.first().map_or("", |file| &file.name);
    rows.ok_or_else(|| {
        CheckpointError::damaged(
            &path.join(STATE),
            format!("the columns of the list `{name}` have other rows"),
        )
    })
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
