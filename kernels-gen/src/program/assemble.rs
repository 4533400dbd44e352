//! The tape as data.

use limbforge_limb::IntType;

use super::lower::{Entry, Shared, segments};
use super::spec::TapeSpec;
use super::tape::code::{Class, Extra, Instr, Item, What};
use super::tape::{Slots, allocate, flatten, free_slot, ordered, sunk, without_dead};
use crate::spec::{Mapping, SpecError};

/// Operations of a tape at most: what constant memory holds.
const MOST_OPERATIONS: u32 = 3500;

/// Operations as lowered, before those that nobody reads go, above which no tape is made.
const EARLY_OPERATIONS: u32 = MOST_OPERATIONS / 4 * 5;

/// The name of this limit.
pub(super) const OPERATIONS: &str = "operations of the tape";

/// Numbers up to which no other order of loops and of what stands before them is tried.
const FEW_SLOTS: u32 = 12;

/// Bytes of local memory of a thread for numbers.
pub(super) const MOST_COLD_BYTES: u32 = 32 << 10;

/// The tape as data.
pub(super) struct Tape {
    pub(super) lines: Vec<String>,
    pub(super) entries: Vec<(Entry, u32)>,
    pub(super) numbers: u32,
    /// The slot from which on operations on integers may overwrite shared memory.
    pub(super) free: u32,
    pub(super) scalars: u32,
    pub(super) uses: Vec<String>,
    pub(super) shared: Shared,
}

pub(super) fn tape(spec: &TapeSpec<'_>, mapping: &Mapping, ty: IntType) -> Result<Tape, SpecError> {
    let one_for_all: Vec<bool> = spec.inputs.iter().map(|input| input.one_for_all).collect();
    let (segments, shared) = segments(spec.program, &one_for_all, (mapping.padded_words(), ty))?;
    // The analysis below takes time in the square of the operations.
    let least = segments.iter().map(|segment| operations(&segment.items)).fold(0, u32::saturating_add);
    SpecError::program(OPERATIONS, least, EARLY_OPERATIONS).map_err(|_| SpecError::Program {
        what: OPERATIONS,
        needed: least,
        limit: MOST_OPERATIONS,
    })?;
    let mut tape =
        Tape { lines: vec![], entries: vec![], numbers: 1, free: 0, scalars: 1, uses: vec![], shared };
    for segment in segments {
        let (code, slots) = placed(without_dead(segment.items, segment.classes.len()), &segment.classes);
        tape.entries.push((segment.entry, tape.lines.len() as u32));
        let first = tape.lines.len();
        tape.lines.extend(encoded(&code, &slots, &segment.classes, first));
        tape.numbers = tape.numbers.max(slots.numbers);
        tape.free = tape.free.max(free_slot(&code, &segment.classes, &slots));
        tape.scalars = tape.scalars.max(slots.scalars);
        tape.uses.extend(code.iter().map(|instr| format!("{:?}", instr.what)));
        tape.uses.extend(segment.uses.iter().map(|what| format!("{what:?}")));
    }
    if let [(Entry::Whole, first)] = tape.entries[..] {
        // Without a loop to cut, the nodes of the one stage are all.
        tape.entries.push((Entry::Nodes(0), first));
    }
    tape.uses.sort();
    tape.uses.dedup();
    SpecError::program(OPERATIONS, tape.lines.len() as u32, MOST_OPERATIONS)?;
    SpecError::program("numbers in shared memory", tape.numbers, 0xfffe)?;
    let cold_bytes = tape.shared.cold.saturating_mul(4 * mapping.run_words);
    SpecError::program("bytes of a lane for arrays", cold_bytes, MOST_COLD_BYTES)?;
    Ok(tape)
}

/// Operations of items, without copies, which may cost nothing.
fn operations(items: &[Item]) -> u32 {
    let of = |item: &Item| match item {
        Item::Op(instr) => u32::from(!instr.is_copy()),
        Item::Loop { test, body, .. } => {
            operations(body) + test.as_ref().map_or(0, |(items, _)| operations(items))
        }
        Item::If { then, otherwise, .. } | Item::Branch { then, otherwise, .. } => {
            operations(then) + operations(otherwise)
        }
    };
    items.iter().map(of).fold(0, u32::saturating_add)
}

/// The operations in a good order, and the places of their variables.
fn placed(items: Vec<Item>, classes: &[Class]) -> (Vec<Instr>, Slots) {
    let of = |items: Vec<Item>| {
        let mut code = vec![];
        flatten(&ordered(items, classes), &mut code);
        let slots = allocate(&code, classes);
        (code, slots)
    };
    let as_written = of(items.clone());
    if as_written.1.numbers <= FEW_SLOTS {
        return as_written;
    }
    let behind = of(sunk(items));
    if behind.1.numbers < as_written.1.numbers { behind } else { as_written }
}

/// The operations with places, without copies of a place to itself.
pub(super) fn encoded(code: &[Instr], slots: &Slots, classes: &[Class], first: usize) -> Vec<String> {
    let mut targets = vec![];
    let mut next = first as u32;
    for instr in code {
        targets.push(next);
        next += u32::from(!slots.is_idle(instr));
    }
    targets.push(next);
    let place = |var: Option<_>| var.map_or_else(|| "NONE".to_owned(), |var| slots.place(var).to_string());
    let extra = |instr: &Instr, extra: Extra, is_low: bool| match extra {
        Extra::At(var) => slots.place(var),
        Extra::Word(word) if is_low && jumps(instr.what) => targets[word as usize],
        Extra::Word(word) => word,
    };
    debug_assert!(code.iter().all(|instr| instr.z.is_none_or(|z| z.index() < classes.len())));
    code.iter()
        .filter(|instr| !slots.is_idle(instr))
        .map(|instr| {
            let (low, high) = (extra(instr, instr.low, true), extra(instr, instr.high, false));
            let z = instr.z.map_or_else(|| "0".to_owned(), |z| slots.place(z).to_string());
            let (x, y) = (place(instr.x), place(instr.y));
            if instr.what == What::Mul && instr.y.is_none() {
                return format!("{{REDUCE, {z}, {x}, {z}, {low}u, {high}u}}");
            }
            format!("{{{}, {z}, {x}, {y}, {low}u, {high}u}}", instr.what.code())
        })
        .collect()
}

const fn jumps(what: What) -> bool {
    matches!(what, What::Head | What::Next | What::Test | What::Otherwise | What::Branch | What::Jump)
}
