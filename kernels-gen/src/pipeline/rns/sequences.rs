//! Rounds of a sequence of products of sums in residue number systems.
//!
//! | launch | result |
//! | --- | --- |
//! | `P^2 % n` | what brings numbers into Montgomery's form |
//! | enter, for each number | its residues; once the constants of the modulus, and flags |
//! | sequence | all rounds; the results as residues |
//! | leave, for each result | a number that is the result modulo n |
//! | `number % n` | the results |

use super::{FLAG_WORDS, named};
use crate::kernel::modmul_rns::{Instances, Shape, System, sequence, step_words, variable_words};
use crate::pipeline::build::{Builder, internal};
use crate::pipeline::sequences::{Operands, SequenceSpec};
use crate::pipeline::{Sink, Source, Table};
use crate::spec::{InputForm, SpecError};

impl Builder<'_> {
    /// Adds the launches; the results are the program's.
    pub(in crate::pipeline) fn residue_sequence(
        &mut self,
        of: &SequenceSpec<'_>,
        operands: &Operands,
    ) -> Result<(), SpecError> {
        let Operands { node, n, numbers, bits, rounds } = operands;
        let system = System::for_sequences(self.spec.ty.bits());
        let shape = Shape::new(system.residues(), system.plan().bounds.joining, self.limits)?;
        let instances = Instances::of_batch(self.spec.limb.instance_words(self.spec.ty));
        let square = self.square_of_radix(*node, &system, n)?;
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
        let sources = states.into_iter().chain([moduli, *bits, *rounds]).chain(tables).collect();
        let left: Vec<_> =
            of.sequence.outputs().iter().map(|_| self.sink(system.residues().into())).collect();
        let variables = self.sink(variable_words(of.sequence, &shape)).0;
        self.program.fill_groups_of(shape.instances().into());
        let sinks = left.iter().map(|(sink, _)| *sink).chain([variables]).collect();
        self.program.push(kernel, sources, sinks);
        for (result, (_, residues)) in left.into_iter().enumerate() {
            let number = self.left_residues(&system, instances, residues, (n, None))?;
            let form = InputForm::Narrow { words: system.value_words() };
            let number = named(&self.named(*node, 'v', number, form));
            self.residues_as_result((result, &number), system.value_words(), operands)?;
        }
        self.flags_as_result(flags);
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
