//! Rounds of a sequence of products of sums by folds.
//!
//! | launch | result |
//! | --- | --- |
//! | rows, once | the residues by which products fold, and a multiple of n |
//! | sequence | all rounds; numbers that are the results modulo n |
//! | `number % n` | the results |

use limbforge_algos::modmul_fold::{Fold, FoldedSequence};

use crate::kernel::modmul_fold::{Shape, constant_words, rows, sequence, step_words};
use crate::pipeline::Table;
use crate::pipeline::build::{Builder, internal};
use crate::pipeline::rns::named;
use crate::pipeline::sequences::{Operands, SequenceSpec};
use crate::spec::{InputForm, SpecError};

/// Variables of an instance have at most so many words, in its thread's memory.
const MOST_WORDS: u32 = 4096;
const FEW: &str = "at most 4096 words of variables, and 4096 variables and constants";

/// The most variables of numbers of integers of so many words.
const fn most_variables(words: u32) -> u32 {
    MOST_WORDS / (words + 1).next_multiple_of(4)
}

impl Builder<'_> {
    /// Adds the launches; the results are the program's.
    pub(in crate::pipeline) fn folded_sequence(
        &mut self,
        of: &SequenceSpec<'_>,
        operands: &Operands,
    ) -> Result<(), SpecError> {
        let Operands { node, n, numbers, bits, rounds } = operands;
        if !n.input.broadcast {
            return Err(internal("products that fold have one modulus for all instances"));
        }
        let words = self.spec.limb.instance_words(self.spec.ty);
        let folded = Fold::for_sequences(words).and_then(|fold| FoldedSequence::new(fold, of.sequence));
        let found = of.sequence.variables().into();
        let folded = folded.filter(|folded| u32::from(folded.variables()) <= most_variables(words));
        let folded =
            folded.ok_or(SpecError::Mapping { what: "number of variables", found, expected: FEW })?;
        let tables = [step_words(&folded), constant_words(&folded)];
        let sizes = (folded.constants().len() as u32, tables[0].len() as u32);
        let shape = Shape::of_sequence(words, sizes, self.limits)
            .ok_or_else(|| internal("sequences by folds have a shape"))??;
        let device = (self.spec.target, self.limits);
        let of_modulus = rows(&shape, device)?;
        let rows =
            self.uniform(|builder| builder.launch(of_modulus, vec![n.source], shape.modulus_words().into()));
        let broadcast: Vec<bool> = numbers.iter().map(|number| number.input.broadcast).collect();
        let kernel = sequence(&shape, (&folded, of.has_bits()), &broadcast, device)?;
        let tables = tables.map(|words| self.program.add_table(Table::Words(words)));
        let sources = numbers.iter().map(|number| number.source).chain([rows, *bits, *rounds]).chain(tables);
        let entry_words = shape.entry_words();
        let left: Vec<_> = folded.outputs().iter().map(|_| self.sink(entry_words.into())).collect();
        let sinks = left.iter().map(|(sink, _)| *sink).collect();
        self.program.push(kernel, sources.collect(), sinks);
        for (result, (_, number)) in left.into_iter().enumerate() {
            let form = InputForm::Narrow { words: entry_words };
            let number = named(&self.named(*node, 'v', number, form));
            self.residues_as_result((result, &number), entry_words, operands)?;
        }
        Ok(())
    }
}
