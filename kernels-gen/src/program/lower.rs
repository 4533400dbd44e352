//! Regions of a program as items of a tape.

mod arrays;
mod builder;
mod carried;
mod cases;
mod cold;
mod control;
mod convert;
mod integers;
mod inverses;
mod lists;
mod lives;
mod memory;
mod memory_inverses;
mod memory_states;
mod nodes;
mod powers;
mod random;
mod residues;
mod ring;
mod rounds;
mod scalars;
mod shared;
mod shared_tables;
mod shifts;
mod stages;
mod state;
mod threads;
mod values;
mod width;
mod windows;
mod written;

use std::collections::{BTreeSet, HashMap};

use limbforge_algos::op::Why;
use limbforge_algos::program::text::syntax::Span;
use limbforge_algos::program::{
    Element, Kind as NodeKind, Node, Region, ResidueOp, TypedProgram, Uniform, ValueId,
};
use limbforge_limb::IntType;

use super::tape::code::{Class, Item, Var, What};
use crate::spec::SpecError;
use builder::Builder;
pub(super) use cases::Case;
pub(super) use lists::row_words;
use lives::Lives;
pub(super) use random::FIRST_INSTANCE;
use ring::Ring;
pub use shared::Place;
pub(super) use shared::{Shared, Style};
use shared_tables::Indexed;
pub(super) use shared_tables::{Table, TableModulus};
pub use stages::Entry;
pub(super) use stages::{Segment, segments, slices};
pub use state::Plane;
pub(super) use state::planes;
use values::Held;
pub(super) use width::widest;

/// The lowering of a segment.
pub(super) struct Lowerer<'p> {
    program: &'p TypedProgram,
    uniform: &'p Uniform,
    padded: u32,
    widest: IntType,
    style: Style,
    b: Builder,
    env: Vec<Option<Held>>,
    rings: Vec<Option<Ring>>,
    /// Residues that are small constants, that were made of an integer, and that are a word over 2^32.
    small: HashMap<ValueId, num_bigint::BigInt>,
    made_of: HashMap<ValueId, (Held, Element)>,
    words: HashMap<ValueId, Held>,
    /// Scalars that are digits of so many bits.
    digits: HashMap<Var, u32>,
    /// Operations whose code the kernel needs.
    uses: BTreeSet<What>,
    places: Vec<Place>,
    cases: Vec<Case>,
    constants: Vec<u32>,
    cold: u32,
    cold_scalars: u32,
    /// The most that an earlier segment takes.
    most_cold: (u32, u32),
    lives: Lives,
    /// Integers of arrays of inputs.
    indexed: HashMap<ValueId, Indexed>,
    tables: Vec<Table>,
}

impl<'p> Lowerer<'p> {
    fn new(
        program: &'p TypedProgram,
        uniform: &'p Uniform,
        (padded, widest): (u32, IntType),
        style: Style,
        shared: Shared,
    ) -> Self {
        let values = program.types().len();
        let Shared { places, cases, constants, cold, cold_scalars, tables } = shared;
        let mut lowerer = Self {
            program,
            uniform,
            padded,
            widest,
            style,
            b: Builder::new(),
            env: vec![None; values],
            rings: vec![None; program.moduli().len()],
            small: HashMap::new(),
            made_of: HashMap::new(),
            words: HashMap::new(),
            digits: HashMap::new(),
            uses: BTreeSet::new(),
            places,
            cases,
            constants,
            cold: 0,
            cold_scalars: 0,
            most_cold: (cold, cold_scalars),
            indexed: HashMap::new(),
            tables,
            lives: if style == Style::Tape { Lives::default() } else { Lives::of(program) },
        };
        lowerer.inputs();
        lowerer
    }

    /// The inputs stay in memory until something needs them.
    fn inputs(&mut self) {
        for (i, input) in self.program.inputs().iter().enumerate() {
            for part in &input.parts {
                let at = |e: u32| Held::Input { input: i as u32, element: part.first + e * part.stride };
                let held = match self.ty(part.value).length {
                    None => at(0),
                    Some(length) => Held::Array((0..length).map(at).collect()),
                };
                self.set(part.value, held);
            }
        }
    }

    fn region(&mut self, region: &Region) -> Result<(), SpecError> {
        region.nodes.iter().try_for_each(|node| self.node(node))
    }

    fn node(&mut self, node: &Node) -> Result<(), SpecError> {
        match &node.kind {
            NodeKind::For { .. } => self.for_loop(node, None).map(|_| ()),
            NodeKind::While { .. } => self.while_loop(node, None).map(|_| ()),
            NodeKind::If { then, otherwise } => self.branch(node, then, otherwise),
            NodeKind::Array => {
                let (elements, result) =
                    (node.args.iter().map(|&arg| self.held(arg)).collect(), node.results[0]);
                self.set(result, Held::Array(elements));
                if self.in_memory(result) {
                    let block = self.as_block(result)?;
                    self.set(result, Held::Block(block));
                }
                Ok(())
            }
            NodeKind::Index => self.index_node(node),
            NodeKind::Update => self.update(node),
            NodeKind::Emit { list, guarded } => self.emit(node, *list, *guarded),
            NodeKind::Require => {
                let holds = self.var(node.args[0]);
                let fails = self.negated(holds);
                self.fail(fails, node, Why::Require);
                Ok(())
            }
            NodeKind::Residue(ResidueOp::Inverse)
                if self.ty(node.results[0]).length.is_some() && !self.in_memory(node.results[0]) =>
            {
                self.inverses(node);
                Ok(())
            }
            _ => match self.ty(node.results[0]).length {
                Some(length) => self.elementwise(node, length),
                None => self.simple(node),
            },
        }
    }

    /// The index of a place, from 1 on.
    fn place(&mut self, span: Span, reasons: &[Why]) -> u32 {
        let place = Place { span, reasons: reasons.to_vec() };
        let known = self.places.iter().position(|known| *known == place);
        let index = known.unwrap_or_else(|| {
            self.places.push(place);
            self.places.len() - 1
        });
        index as u32 + 1
    }

    /// A node that the tape has no operation for.
    fn refused(&self, node: &Node, what: String, fits: String) -> SpecError {
        let before = &self.program.text()[..node.span.start as usize];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        SpecError::ProgramOperation { line: line as u32, column: column as u32, what, fits }
    }

    fn forget(&mut self, value: ValueId) {
        self.small.remove(&value);
        self.made_of.remove(&value);
        self.words.remove(&value);
        self.indexed.remove(&value);
    }

    /// The items, the classes of variables, and what the next segment shares.
    fn finish(self) -> (Vec<Item>, Vec<Class>, BTreeSet<What>, Shared) {
        let Self { places, cases, constants, cold, cold_scalars, most_cold, tables, uses, b, .. } = self;
        let (cold, cold_scalars) = (cold.max(most_cold.0), cold_scalars.max(most_cold.1));
        let (items, classes) = b.finish();
        (items, classes, uses, Shared { places, cases, constants, cold, cold_scalars, tables })
    }
}
