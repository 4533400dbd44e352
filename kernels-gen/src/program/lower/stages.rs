//! The whole program, and its slices, as segments of one tape.

use std::collections::BTreeSet;

use limbforge_algos::program::{Kind as NodeKind, Stage, TypedProgram, Uniform, stages};
use limbforge_limb::IntType;

use super::control::Cut;
use super::values::{Held, is_scalar};
use super::{Lowerer, Shared, Style};
use crate::invariant::broken_invariant;
use crate::program::tape::code::{Class, Instr, Item, What};
use crate::spec::SpecError;

/// Where a launch enters the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// The whole program.
    Whole,
    /// The straight nodes of a stage, from the state of the stage before, if there is one, to that of this
    /// one, or to the results.
    Nodes(usize),
    /// Rounds of the loop of a stage, from its state to its state.
    Rounds(usize),
}

/// A segment of the tape.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) entry: Entry,
    pub(crate) items: Vec<Item>,
    pub(crate) classes: Vec<Class>,
    pub(crate) uses: BTreeSet<What>,
}

/// The whole program and its slices.
pub(crate) fn segments(
    program: &TypedProgram,
    one_for_all: &[bool],
    width: (u32, IntType),
) -> Result<(Vec<Segment>, Shared), SpecError> {
    segments_of(program, one_for_all, (width, Style::Tape), vec![Entry::Whole])
}

/// The slices in order; of a program without loops, the whole of it. Residues are in Montgomery form, or plain.
pub(crate) fn slices(
    program: &TypedProgram,
    one_for_all: &[bool],
    width: (u32, IntType),
    is_plain: bool,
) -> Result<(Vec<Segment>, Shared), SpecError> {
    let whole = if stages(program).len() == 1 { vec![Entry::Whole] } else { vec![] };
    segments_of(program, one_for_all, (width, Style::Straight { is_plain }), whole)
}

fn segments_of(
    program: &TypedProgram,
    one_for_all: &[bool],
    (width, style): ((u32, IntType), Style),
    mut entries: Vec<Entry>,
) -> Result<(Vec<Segment>, Shared), SpecError> {
    let uniform = Uniform::new(program, one_for_all);
    let stages = stages(program);
    if stages.len() > 1 {
        for (i, stage) in stages.iter().enumerate() {
            entries.push(Entry::Nodes(i));
            entries.extend(stage.cut.map(|_| Entry::Rounds(i)));
        }
    }
    let (mut segments, mut shared) = (vec![], Shared::default());
    for entry in entries {
        let mut lowerer = Lowerer::new(program, &uniform, width, style, shared);
        lowerer.segment(entry, &stages)?;
        let (items, classes, uses, next) = lowerer.finish();
        segments.push(Segment { entry, items, classes, uses });
        shared = next;
    }
    Ok((segments, shared))
}

impl Lowerer<'_> {
    fn segment(&mut self, entry: Entry, stages: &[Stage]) -> Result<(), SpecError> {
        match entry {
            Entry::Whole => {
                let program = self.program;
                self.region(program.body())?;
                self.results()?;
            }
            Entry::Nodes(i) => {
                self.top_constants();
                if i > 0 {
                    self.read_state(&stages[i - 1], false)?;
                }
                let nodes = &self.program.body().nodes[stages[i].nodes.clone()];
                nodes.iter().try_for_each(|node| self.node(node))?;
                match stages[i].cut {
                    None => self.results()?,
                    Some(node) => {
                        let (_, carried) = self.split(&self.program.body().nodes[node]);
                        let alive = stages[i].alive.iter().chain(carried).copied();
                        self.in_blocks(alive)?;
                        self.write_alive(&stages[i])?;
                        self.write_carried(&stages[i], carried)?;
                    }
                }
            }
            Entry::Rounds(i) => self.rounds_of(&stages[i])?,
        }
        self.b.effect(Instr::new(What::Halt));
        Ok(())
    }

    /// Rounds of a stage's loop.
    fn rounds_of(&mut self, stage: &Stage) -> Result<(), SpecError> {
        let Some(node) = stage.cut_loop(self.program) else { broken_invariant("rounds are those of a loop") };
        self.top_constants();
        self.read_state(stage, true)?;
        let from = self.control(1);
        let to = self.control(3);
        let cut = Some(Cut { from, to });
        let open = match node.kind {
            NodeKind::For { .. } => self.for_loop(node, cut)?,
            _ => self.while_loop(node, cut)?,
        };
        if let Some(open) = open {
            self.b.effect(Instr::new(What::Open).x(open));
        }
        self.write_carried(stage, &node.results)
    }

    fn control(&mut self, word: u32) -> crate::program::tape::code::Var {
        self.b.scalar(Instr::new(What::Control).low(word), 64, false)
    }

    /// The constants of the top region, which are in no state.
    fn top_constants(&mut self) {
        for node in &self.program.body().nodes {
            if let NodeKind::Constant(constant) = &node.kind {
                self.set(node.results[0], Held::Constant(constant.clone()));
            }
        }
    }

    fn results(&mut self) -> Result<(), SpecError> {
        let parts = self.program.results().iter().flat_map(|output| &output.parts);
        self.in_blocks(parts.map(|part| part.value))?;
        self.b.effect(Instr::new(What::Status));
        for (i, output) in self.program.results().iter().enumerate() {
            for part in &output.parts {
                if self.in_memory(part.value) {
                    self.store_block(i as u32, part)?;
                    continue;
                }
                for (e, held) in self.elements(part.value).iter().enumerate() {
                    let element = self.element(part.value);
                    let var = self.var_of(held, element);
                    let what = if is_scalar(element) { What::ScalarStore } else { What::Store };
                    let place = part.first + e as u32 * part.stride;
                    self.b.effect(Instr::new(what).x(var).low(i as u32).high(place));
                }
            }
        }
        Ok(())
    }
}
