//! The batches of a program's inputs, and their types.

use limbforge::algos::program::{Input, TypedProgram};
use limbforge::prelude::*;
use num_bigint::{BigInt, Sign};

use super::arguments::RunArguments;
use super::spec::{InputSpec, Source};
use super::{in_program, usage};
use crate::error::CliError;
use crate::eval::{check_file, read_all, type_of_file};
use crate::input::refuse_shared;

/// Numbers without a type have a multiple of so many bits.
const STEP: u64 = 64;

/// The names of inputs with their integers.
type Inputs<'a> = Vec<(&'a str, Batch<u64>)>;

/// An input with its integers, if they are not in a file.
struct Known<'a> {
    spec: &'a InputSpec,
    integers: Option<Vec<BigInt>>,
}

/// The typed program, and its inputs in the order of the command line.
pub(super) fn read<'a>(
    program: &Program,
    arguments: &'a RunArguments,
) -> Result<(TypedProgram, Inputs<'a>), CliError> {
    check(program, arguments)?;
    let known = |spec: &'a InputSpec| Known { spec, integers: spec.source.integers() };
    let inputs: Vec<Known<'_>> = arguments.inputs.iter().map(known).collect();
    let mut types = vec![];
    for input in &inputs {
        if !has_type(program, &input.spec.name) {
            types.push((&*input.spec.name, type_of(input, arguments)?));
        }
    }
    let typed = program
        .typed(&types)
        .map_err(|error| in_program(arguments.program.as_deref(), program.text(), &error))?;
    let mut batches = vec![];
    for input in inputs {
        let Some(of_program) = typed.inputs().iter().find(|known| *known.name == *input.spec.name) else {
            continue;
        };
        batches.push((&*input.spec.name, batch(input, of_program, arguments)?));
    }
    Ok((typed, batches))
}

fn has_type(program: &Program, name: &str) -> bool {
    program.inputs().any(|(known, ty)| known == name && ty.is_some())
}

/// Refuses names that do not go together, before anything is read.
fn check(program: &Program, arguments: &RunArguments) -> Result<(), CliError> {
    let inputs = &arguments.inputs;
    let names = || program.inputs().map(|(name, _)| name).collect::<Vec<_>>();
    for (i, InputSpec { name, text, source }) in inputs.iter().enumerate() {
        if inputs[..i].iter().any(|other| other.name == *name) {
            return Err(usage(format!("`--in {name}=...` is given twice")));
        }
        if !names().contains(&name.as_str()) {
            let expected = format!("its inputs are {}", names().join(", "));
            return Err(usage(format!("`--in {name}=...`: the program has no input `{name}`; {expected}")));
        }
        if let Source::File(file) = source {
            check_file(file, &format!("--in {name}={text}"), arguments.form()).map_err(usage)?;
        }
    }
    if let Some(missing) = names().into_iter().find(|name| inputs.iter().all(|input| input.name != *name)) {
        return Err(usage(format!(
            "the program's input `{missing}` is missing: expected --in {missing}=..."
        )));
    }
    for bits in &arguments.bits {
        let Some(name) = &bits.name else { continue };
        if !names().contains(&name.as_str()) {
            return Err(usage(format!("`--bits {name}=...`: the program has no input `{name}`")));
        }
        if has_type(program, name) {
            return Err(usage(format!("`--bits {name}=...`: the program says the type of `{name}`")));
        }
    }
    let files = inputs.iter().filter_map(|input| match &input.source {
        Source::File(file) => Some((format!("--in {}={}", input.name, input.text), file.path.as_path())),
        _ => None,
    });
    refuse_shared(files).map_err(usage)
}

/// The type of an input that has none in the program.
fn type_of(input: &Known<'_>, arguments: &RunArguments) -> Result<IntType, CliError> {
    let InputSpec { name, source, .. } = input.spec;
    let given = |name: Option<&str>| arguments.bits.iter().rev().find(|bits| bits.name.as_deref() == name);
    let own = given(Some(name));
    // Numbers made of primes have the width that they need, as exponents do not have that of a modulus.
    let of_all = matches!(source, Source::File(_) | Source::Number(_) | Source::Range { .. });
    if let Some(bits) = own.or_else(|| given(None).filter(|_| of_all)) {
        let is_signed = bits.is_signed.unwrap_or(arguments.signed);
        return IntType::new(bits.bits, is_signed).map_err(|error| usage(error.to_string()));
    }
    let needed = match (source, &input.integers) {
        (Source::File(file), _) => {
            let missing = || {
                usage(format!(
                    "expected --bits N, or --bits {name}=N: neither the program nor a column says the type of `{name}`"
                ))
            };
            return type_of_file(file)?.ok_or_else(missing);
        }
        (_, integers) => integers.iter().flatten().map(BigInt::bits).max().unwrap_or(0),
    };
    let is_signed = input.integers.iter().flatten().any(|integer| integer.sign() == Sign::Minus);
    let bits = (needed + u64::from(is_signed)).max(1).next_multiple_of(STEP);
    IntType::new(bits, is_signed).map_err(|error| usage(format!("`--in {name}=...`: {error}")))
}

/// The integers of an input in the type that it has.
fn batch(input: Known<'_>, of_program: &Input, arguments: &RunArguments) -> Result<Batch<u64>, CliError> {
    let (ty, InputSpec { name, text, source }) = (of_program.ty, input.spec);
    let Some(mut integers) = input.integers else {
        let Source::File(file) = source else {
            return Err(CliError::Internal(format!("`{name}` has no integers; please report this")));
        };
        return read_all(file, ty, arguments.form());
    };
    if matches!(source, Source::Gaps(..)) && integers.len() < of_program.elements as usize {
        integers.resize(of_program.elements as usize, BigInt::ZERO);
    }
    let refused = |error: BatchError| {
        let why = match error {
            BatchError::Value { instance, source } => format!("{}: {source}", integers[instance]),
            error => error.to_string(),
        };
        usage(format!("`--in {name}={text}`: {why}; --bits {name}=N is the width of an input without a type"))
    };
    Batch::from_bigints(ty, Layout::InstanceMajor, &integers).map_err(refused)
}
