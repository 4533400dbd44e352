//! Rounds of a sequence of products of sums: loops of programs over residues of one modulus.
//!
//! | launch | result |
//! | --- | --- |
//! | `P^2 % n` | what brings numbers into Montgomery's form |
//! | enter, for each number | its residues; once the constants of the modulus, and flags |
//! | sequence | all rounds; the results as residues |
//! | leave, for each result | a number that is the result modulo n |
//! | `number % n` | the results |

use core::fmt;

use limbforge_algos::expr::{Dag, Expr};
use limbforge_algos::modmul_rns::{Sequence, Step, Term};
use limbforge_limb::{IntType, Layout};

use super::{FLAG_WORDS, named, unsigned};
use crate::kernel::modmul_rns::{Instances, Shape, System, sequence, step_words, variable_words};
use crate::pipeline::build::{Builder, Value, internal};
use crate::pipeline::{Product, Program, ProgramSpec, Sink, Source, Table, memory};
use crate::spec::{InputForm, InputSpec, LimbKind, Limits, SpecError, Target};

/// Words of 32 bits of the rounds: their number, the place of the bit of the first one, and two that are not
/// read.
pub const ROUND_WORDS: usize = 4;

/// Rounds of a sequence for a batch of instances with a modulus each.
///
/// The program's operands are n, the numbers of the sequence, the bits of all rounds in words of 32 bits, and
/// [`ROUND_WORDS`]; the last two are one for all instances. In round i the bit is the one of place `place -
/// i`. Its results are those of the sequence modulo n, and four words of flags, of which the second is 1
/// unless n has no inverse in the system or is 0: then the results mean nothing.
#[derive(Clone, Debug)]
pub struct SequenceSpec<'s> {
    /// The steps.
    pub sequence: &'s Sequence,
    /// The unsigned type of n, the numbers and the results.
    pub ty: IntType,
    /// Whether n is one for all instances, and whether each number is.
    pub broadcast: (bool, Vec<bool>),
    /// The compiler of the kernels.
    pub target: Target,
}

/// The canonical text, which identifies the program.
impl fmt::Display for SequenceSpec<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sequence, ty, broadcast, target } = self;
        write!(f, "sequence of {ty} broadcast={broadcast:?} target={target} {sequence:?}")
    }
}

impl SequenceSpec<'_> {
    /// Whether there is a system of residues for numbers of this type.
    #[must_use]
    pub fn exists(ty: IntType) -> bool {
        !ty.is_signed() && System::exists(ty.bits())
    }

    /// Whether terms depend on the bits of rounds.
    fn has_bits(&self) -> bool {
        let terms = self.sequence.steps().iter().flat_map(Step::sums).flatten();
        terms.into_iter().any(|Term { variables: [zero, one], .. }| zero != one)
    }

    /// The program for a device with these limits.
    ///
    /// # Errors
    /// [`SpecError`] if the device has no matrix products or too little shared memory, or there is no system
    /// of this width.
    pub fn program(&self, limits: &Limits) -> Result<Program, SpecError> {
        let Self { sequence, ty, broadcast: (modulus, numbers), target } = self;
        if !Self::exists(*ty) || numbers.len() != usize::from(sequence.inputs()) {
            return Err(internal(
                "a sequence has a width with a system, and says of each number whether it is one",
            ));
        }
        let names: Vec<String> = (0..numbers.len()).map(|i| format!("x{i}")).collect();
        let exprs: Vec<Expr> =
            ["n"].into_iter().chain(names.iter().map(String::as_str)).map(Expr::input).collect();
        let layout = Layout::InstanceMajor;
        let inputs = ["n"].into_iter().chain(names.iter().map(String::as_str));
        let inputs = inputs.zip([modulus].into_iter().chain(numbers));
        let spec = ProgramSpec {
            dag: Dag::of_all(&exprs),
            ty: *ty,
            limb: LimbKind::of::<u32>(),
            inputs: inputs.map(|(name, &one)| InputSpec::integers(name, layout, one)).collect(),
            output: layout,
            product: Product::Rns,
            target: *target,
        };
        let mut builder = Builder::of_rns(&spec, limits);
        builder.sequence(self)?;
        let mut program = builder.program;
        program.buffers = memory::share(&mut program.launches, &program.buffers);
        program.chunk = memory::chunk_of_expression(&program, &spec);
        Ok(program)
    }
}

impl Builder<'_> {
    fn sequence(&mut self, of: &SequenceSpec<'_>) -> Result<(), SpecError> {
        let roots: Vec<usize> = self.spec.dag.roots().iter().map(|root| root.index()).collect();
        let values: Vec<Value> = roots.iter().map(|root| self.values[root].clone()).collect();
        let (Some((n, numbers)), Some(&node)) = (values.split_first(), roots.first()) else {
            return Err(internal("a sequence has a modulus"));
        };
        // The bits, and the rounds.
        let [bits, rounds] = [0, 1].map(|i| Source::Input(values.len() + i));
        self.program.input_words.extend([0; 2]);
        let system = System::for_sequences(self.spec.ty.bits());
        let shape = Shape::new(system.residues(), system.plan().bounds.joining, self.limits)?;
        let instances = Instances::of_batch(self.spec.limb.instance_words(self.spec.ty));
        let square = self.square_of_radix(node, &system, n)?;
        let (mut states, mut of_modulus) = (vec![], None);
        for x in numbers {
            let [state, moduli, flags] = self.entered(&system, &shape, instances, ([x, n], square, None))?;
            states.push(state);
            of_modulus = of_modulus.or(Some((moduli, flags)));
        }
        let (moduli, flags) = of_modulus.ok_or_else(|| internal("a sequence is given a number"))?;
        let device = (self.spec.target, self.limits);
        let kernel = sequence(&system, &shape, (of.sequence, of.has_bits()), device)?;
        let tables = [step_words(of.sequence), system.power_constants(&shape), system.rows(&shape)];
        let tables = tables.map(|words| self.program.add_table(Table::Words(words)));
        let sources = states.into_iter().chain([moduli, bits, rounds]).chain(tables).collect();
        let left: Vec<_> =
            of.sequence.outputs().iter().map(|_| self.sink(system.residues().into())).collect();
        let variables = self.sink(variable_words(of.sequence, &shape)).0;
        self.program.fill_groups_of(shape.instances().into());
        let sinks = left.iter().map(|(sink, _)| *sink).chain([variables]).collect();
        self.program.push(kernel, sources, sinks);
        let residues: Vec<Source> = left.into_iter().map(|(_, source)| source).collect();
        self.sequence_results(node, (&system, instances), residues, n)?;
        self.flags_as_result(flags);
        Ok(())
    }

    /// The results modulo n, and places for the flags behind them.
    fn sequence_results(
        &mut self,
        node: usize,
        (system, instances): (&System, Instances),
        residues: Vec<Source>,
        n: &Value,
    ) -> Result<(), SpecError> {
        let count = residues.len();
        let ty = unsigned(32 * u64::from(system.value_words().max(instances.words)))?;
        for (result, residues) in residues.into_iter().enumerate() {
            let number = self.left_residues(system, instances, residues, (n, None))?;
            let form = InputForm::Narrow { words: system.value_words() };
            let number = self.named(node, 'v', number, form);
            // An instance without a modulus is flagged.
            let expr = named(&number) % named(n).max(&Expr::literal(1_u32));
            self.expression(&expr, [ty, self.spec.ty], Sink::Result(result), node);
        }
        self.program.result_words = vec![instances.words.into(); count];
        Ok(())
    }

    /// Makes the flags, which the first launch of `enter` leaves, the last result.
    fn flags_as_result(&mut self, flags: Source) {
        let Source::Buffer(buffer) = flags else { return };
        let result = self.program.result_words.len();
        self.program.result_words.push(FLAG_WORDS.into());
        let outputs = self.program.launches.iter_mut().flat_map(|launch| &mut launch.outputs);
        outputs
            .filter(|output| **output == Sink::Buffer(buffer))
            .for_each(|output| *output = Sink::Result(result));
    }
}
