//! The plan of a program: types, loops, products of a round, and bytes of a state.

mod kernel;
mod residues;

use std::path::Path;

use limbforge::algos::op::Op;
use limbforge::algos::program::text::syntax::Span;
use limbforge::algos::program::{Kind, List, Node, Region, ResidueOp, Rounds, Stage, TypedProgram, stages};
use limbforge::prelude::*;
use limbforge_kernels_gen::{Limits, SpecError};
use serde_json::{Value, json};

use self::kernel::OnDevice;
use super::arguments::BitsArgument;
use super::{in_program, parse};
use crate::error::CliError;
use crate::table::aligned;

/// The plan of a file, as text or as a JSON object: on the CPU, or on a device of this name; and why the device
/// has no kernel for it.
pub(crate) fn plan(
    path: &Path,
    bits: &[BitsArgument],
    is_signed: bool,
    is_json: bool,
    device: Option<(String, &Limits)>,
) -> Result<(String, Option<SpecError>), CliError> {
    let (program, usage) = (parse(path)?, CliError::usage("plan"));
    let mut types = vec![];
    for (name, _) in program.inputs().filter(|(_, ty)| ty.is_none()) {
        let given = |name: Option<&str>| bits.iter().rev().find(|bits| bits.name.as_deref() == name);
        let missing =
            || usage(format!("expected --bits N or --bits {name}=N: the program does not say its type"));
        let found = given(Some(name)).or_else(|| given(None)).ok_or_else(missing)?;
        let ty = IntType::new(found.bits, found.is_signed.unwrap_or(is_signed));
        types.push((name, ty.map_err(|error| usage(error.to_string()))?));
    }
    let typed = program.typed(&types).map_err(|error| in_program(Some(path), program.text(), &error))?;
    let device = device.map(|device| OnDevice::new(&typed, device));
    let text = if is_json {
        format!("{:#}\n", object(path, &typed, device.as_ref()))
    } else {
        text(path, &typed, device.as_ref())
    };
    Ok((text, device.and_then(OnDevice::refused)))
}

fn text(path: &Path, program: &TypedProgram, device: Option<&OnDevice>) -> String {
    let named = |name: &str, ty: IntType, elements: u32| match elements {
        1 => format!("{name} {ty}"),
        _ => format!("{name} {elements} x {ty}"),
    };
    let inputs: Vec<_> = program.inputs().iter().map(|i| named(&i.name, i.ty, i.elements)).collect();
    let results: Vec<_> = program.results().iter().map(|r| named(&r.name, r.ty, r.elements)).collect();
    let moduli = program.moduli().iter();
    let moduli: Vec<_> = moduli.map(|n| format!("{} in line {}", n.ty, line(program, n.span))).collect();
    let place = device.map_or("the CPU", |device| &device.name);
    let mut all = format!("{} on {place}\n\ninputs: {}\n", path.display(), inputs.join(", "));
    if !moduli.is_empty() {
        all += &format!("moduli: {}\n", moduli.join(", "));
    }
    if !results.is_empty() {
        all += &format!("results: {}\n", results.join(", "));
    }
    for list in program.lists() {
        let columns: Vec<_> = list.columns.iter().map(|&ty| program.column(ty).to_string()).collect();
        all += &format!("list {}: {}, at most {} rows\n", list.name, columns.join(", "), list.most);
    }
    all.push('\n');
    let head = ["loop", "line", "rounds", "products mod n", "integer products", "state bytes"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (i, stage) in stages(program).iter().enumerate() {
        let (name, line, rounds) = match stage.cut_loop(program) {
            Some(node) => ((i + 1).to_string(), line(program, node.span).to_string(), rounds(node)),
            None => ("end".to_owned(), String::new(), String::new()),
        };
        let counts = Products::of_stage(program, stage);
        let numbers = [counts.residues, counts.integers, state_bytes(program, stage)];
        rows.push([name, line, rounds].into_iter().chain(numbers.map(|n| n.to_string())).collect());
    }
    let kernel = device.map_or_else(String::new, OnDevice::text);
    all + &aligned(&rows, &[0, 2]).join("\n") + "\n" + &kernel
}

fn object(path: &Path, program: &TypedProgram, device: Option<&OnDevice>) -> Value {
    let integers = |name: &str, ty: IntType, elements: u32| json!({ "name": name, "type": ty.to_string(), "elements": elements });
    let moduli = program.moduli().iter();
    let stage = |stage: &Stage| {
        let node = stage.cut_loop(program);
        let Products { residues, integers } = Products::of_stage(program, stage);
        json!({
            "line": node.map(|node| line(program, node.span)),
            "rounds": node.map(rounds),
            "products_mod_n": residues,
            "integer_products": integers,
            "state_bytes": state_bytes(program, stage),
        })
    };
    json!({
        "program": path.display().to_string(),
        "backend": device.map_or("CPU", |device| &device.name),
        "kernel": device.map(OnDevice::object),
        "inputs": program.inputs().iter().map(|i| integers(&i.name, i.ty, i.elements)).collect::<Vec<_>>(),
        "moduli": moduli.map(|n| json!({ "type": n.ty.to_string(), "line": line(program, n.span) })).collect::<Vec<_>>(),
        "results": program.results().iter().map(|r| integers(&r.name, r.ty, r.elements)).collect::<Vec<_>>(),
        "lists": program.lists().iter().map(|list| list_object(program, list)).collect::<Vec<_>>(),
        "stages": stages(program).iter().map(stage).collect::<Vec<_>>(),
    })
}

fn list_object(program: &TypedProgram, list: &List) -> Value {
    let columns: Vec<_> = list.columns.iter().map(|&column| program.column(column).to_string()).collect();
    json!({ "name": list.name.to_string(), "columns": columns, "most": list.most })
}

fn line(program: &TypedProgram, span: Span) -> usize {
    program.text().bytes().take(span.start as usize).filter(|&byte| byte == b'\n').count() + 1
}

/// What says how many rounds a loop has.
fn rounds(node: &Node) -> String {
    let (over, after) = match &node.kind {
        Kind::While { limit, .. } => return format!("at most {limit}"),
        Kind::For { over, after, .. } => (over, *after),
        _ => return String::new(),
    };
    let over = match over {
        Rounds::Times => "a count".to_owned(),
        Rounds::Range => "a range".to_owned(),
        Rounds::Bits => "bits".to_owned(),
        Rounds::Digits(width) => format!("digits of {width} bits"),
        Rounds::Elements => "elements of an array".to_owned(),
    };
    if after == 0 { over } else { format!("{over}, after {after}") }
}

/// Bytes of an instance's values between two rounds.
fn state_bytes(program: &TypedProgram, stage: &Stage) -> usize {
    let held = stage.held(program).into_iter();
    held.map(|value| program.plain(value).bytes() * program.elements(value)).sum()
}

/// Products of a round, or of what is behind all loops. Those of inner loops and of both arms of a branch count
/// once; powers and inverses are none.
#[derive(Clone, Copy, Debug, Default)]
struct Products {
    residues: usize,
    integers: usize,
}

impl Products {
    fn of_stage(program: &TypedProgram, stage: &Stage) -> Self {
        let mut counts = Self::default();
        match stage.cut_loop(program) {
            Some(node) => node.kind.regions().into_iter().for_each(|region| counts.add(region)),
            None => program.body().nodes[stage.nodes.clone()].iter().for_each(|node| counts.add_node(node)),
        }
        counts
    }

    fn add(&mut self, region: &Region) {
        region.nodes.iter().for_each(|node| self.add_node(node));
    }

    fn add_node(&mut self, node: &Node) {
        match &node.kind {
            Kind::Residue(ResidueOp::Mul | ResidueOp::Sqr) => self.residues += 1,
            Kind::Integer(Op::Mul | Op::Sqr | Op::MulWide | Op::SqrWide) => self.integers += 1,
            kind => kind.regions().into_iter().for_each(|region| self.add(region)),
        }
    }
}
