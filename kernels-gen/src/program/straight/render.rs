//! The kernel of a straight program.

use limbforge_algos::program::stages;
use limbforge_limb::IntType;
use minijinja::context;

use super::lazy::has_slack;
use super::resources::Resources;
use super::special::Special;
use super::tables;
use super::text::{Program, Text};
use crate::kernel::{Geometry, Kernel};
use crate::program::kernel::{RowWords, TapeKernel};
use crate::program::lower::{self, Entry, Segment, Shared, Table, slices, widest};
use crate::program::open::{differing, template};
use crate::program::render::with_lists;
use crate::program::shapes::shapes;
use crate::program::spec::{Emission, TapeSpec};
use crate::program::tape::without_dead;
use crate::spec::{Limits, Mapping, NotStraight, SpecError, WARP};
use crate::template::{Instructions, Templates, render_source};

const STRAIGHT: &str = include_str!("../../../templates/straight.cu.j2");
const INPUTS: &str = include_str!("../../../templates/program_inputs.cuh.j2");
const LISTS: &str = concat!(
    include_str!("../../../templates/program_rows.cuh"),
    include_str!("../../../templates/thread_lists.cuh")
);
const RANDOM: &str = concat!(
    include_str!("../../../templates/program_philox.cuh"),
    include_str!("../../../templates/thread_random.cuh")
);

/// Words of the widest numbers.
pub(super) const MOST_WORDS: u32 = 8;

/// Shared memory beside tables: of division steps, at most.
const STATIC_BYTES: u32 = 6 << 10;

/// Threads of a block.
const BLOCK_THREADS: u32 = 128;

/// Bytes of arrays of a thread from which on threads wait for memory.
const LARGE_ARRAYS: u32 = 1 << 10;

/// The kernel, or why there is none.
pub(in crate::program) fn rendered(
    spec: &TapeSpec<'_>,
    limits: &Limits,
) -> Result<Result<TapeKernel, NotStraight>, SpecError> {
    match planned(spec, limits) {
        Err(why) => Ok(Err(why)),
        Ok(plan) => plan.kernel(spec).map(Ok),
    }
}

/// What a kernel is rendered from.
pub(super) struct Plan {
    ty: IntType,
    pub(super) words: u32,
    instances: u32,
    blocks: u32,
    segments: Vec<Segment>,
    shared: Shared,
    stages: Vec<Vec<String>>,
    /// Whether some stage takes division steps.
    pub(super) steps: bool,
    /// Those of operations on integers.
    pub(super) templates: Templates,
    resources: Resources,
    pub(super) special: Option<Special>,
    /// Bytes of a thread's arrays.
    arrays: u32,
}

fn planned(spec: &TapeSpec<'_>, limits: &Limits) -> Result<Plan, NotStraight> {
    let ty = widest(spec);
    let words = ty.bits().div_ceil(32);
    if words > MOST_WORDS {
        return Err(NotStraight::Width { bits: ty.bits(), limit: 32 * MOST_WORDS });
    }
    let one_for_all: Vec<bool> = spec.inputs.iter().map(|input| input.one_for_all).collect();
    let special = Special::of(spec.program, words);
    let lowered = slices(spec.program, &one_for_all, (words, ty), special.is_some());
    let (mut segments, shared) =
        lowered.map_err(|error| NotStraight::Lowering { what: error.to_string() })?;
    for segment in &mut segments {
        let items = core::mem::take(&mut segment.items);
        segment.items = without_dead(items, segment.classes.len());
    }
    let (shapes, results) = shapes(spec);
    let program = Program {
        cases: &shared.cases,
        constants: &shared.constants,
        shapes: &shapes,
        results: &results,
        several_moduli: spec.program.moduli().len() > 1,
        is_special: special.is_some(),
        is_lazy: special.is_none() && has_slack(spec.program, words),
        cold: shared.cold,
    };
    let (mut stages, mut steps, mut templates) = (vec![], false, Templates::default());
    for (i, segment) in segments.iter().enumerate() {
        let stage = Text::of(&program, &segment.classes, &segment.items, i)?;
        stages.push(stage.lines);
        steps |= stage.steps;
        templates.extend(stage.templates);
    }
    let resources = Resources::of(&segments, words);
    let arrays = Resources::arrays(&shared, words)?;
    let shared_bytes = 4 * Table::words(&shared.tables, words) + STATIC_BYTES;
    let (instances, blocks) = match spec.instances {
        None if arrays >= LARGE_ARRAYS => resources.waiting_blocks(shared_bytes, limits)?,
        given => {
            let instances = given.unwrap_or(BLOCK_THREADS).next_multiple_of(WARP);
            (instances, resources.blocks(instances, shared_bytes, limits)?)
        }
    };
    Ok(Plan {
        ty,
        words,
        instances,
        blocks,
        segments,
        shared,
        stages,
        steps,
        templates,
        resources,
        arrays,
        special,
    })
}

impl Plan {
    fn kernel(self, spec: &TapeSpec<'_>) -> Result<TapeKernel, SpecError> {
        let states: Vec<Vec<lower::Plane>> =
            stages(spec.program).iter().map(|stage| lower::planes(spec.program, stage)).collect();
        let loops = states.iter().take(states.len() - 1);
        let words = |planes: &Vec<lower::Plane>| planes.last().map_or(1, |plane| plane.before + plane.words);
        let state_words = loops.map(words).max().unwrap_or(1);
        let source = self.source(spec, state_words)?;
        let shared_bytes = 4 * Table::words(&self.shared.tables, self.words);
        let geometry =
            Geometry { threads: self.instances, instances: self.instances, planes: 1, shared_bytes };
        let names = spec.program.inputs().iter().map(|input| input.name.to_string());
        let inputs = names.chain(["state".to_owned(), "control".to_owned()]).collect();
        let kernel = with_lists(Kernel::new(source, inputs, geometry, true), spec.program);
        let mut entries: Vec<(Entry, u32)> =
            self.segments.iter().enumerate().map(|(i, segment)| (segment.entry, i as u32)).collect();
        let count = entries.len() as u32;
        // A whole run is behind all stages; without a loop it is the only one.
        entries.push(if count == 1 { (Entry::Nodes(0), 0) } else { (Entry::Whole, count) });
        let kept = if count == 1 { 0 } else { 8 * state_words };
        let mapping =
            Mapping { run_words: self.words, runs: 1, lanes: 1, warps: 1, instances: self.instances };
        Ok(TapeKernel {
            emission: Emission::Straight,
            not_straight: None,
            kernel,
            entries,
            states,
            lists: RowWords::of(spec.program),
            differing: differing(spec.program, &spec.inputs),
            mapping,
            slots: self.resources.numbers,
            operations: self.resources.operations,
            local_bytes: kept.next_multiple_of(16) + self.arrays.next_multiple_of(16),
            places: self.shared.places,
        })
    }

    fn source(&self, spec: &TapeSpec<'_>, state_words: u32) -> Result<String, SpecError> {
        let full = self.ty.bits() == 32 * self.words;
        let texts = self.texts()?;
        let (shapes, _) = shapes(spec);
        let tables = tables::statements(&self.shared.tables, &shapes, self.special.is_some());
        render_source(
            STRAIGHT,
            context! {
                spec => spec.to_string(),
                words => self.words,
                instances => self.instances,
                blocks => self.blocks,
                full,
                instructions => Instructions::text(
                    &[Instructions::ThreadProducts(self.words), Instructions::Thread(self.words, full)],
                    spec.target,
                )?,
                templates => texts,
                inputs_template => render_source(INPUTS, context! { shapes => &shapes })?,
                shapes,
                results => spec.program.results().len(),
                lists => !spec.program.lists().is_empty(),
                list_template => LISTS,
                open_template => template(spec),
                random => self.resources.random,
                random_template => RANDOM,
                jumps => self.steps,
                tables => &tables,
                table_stride => Table::stride(self.words),
                cold => self.shared.cold,
                cold_scalars => self.shared.cold_scalars,
                stages => self.stages.len(),
                state_words,
                segments => &self.stages,
            },
        )
    }
}
