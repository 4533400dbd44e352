//! The dense lists of instances that a test of primality goes on with.

use limbforge_limb::IntType;

use super::{Computed, FLAG_WORDS, Test};
use crate::kernel::modmul_rns::{Before, gather, tally};
use crate::pipeline::Source;
use crate::pipeline::build::{Builder, Value};
use crate::spec::{InputForm, Part, SpecError};

/// A list of at least so many waves over this pays: fewer instances take as long in a residue number system.
const LEAST_WAVES: (u32, u32) = (1, 2);

/// A list, as long as the batch, whose first places have instances.
pub(super) struct List {
    /// The number of each place.
    pub(super) numbers: Value,
    /// Four words of each place (`templates/modmul_rns_open.cuh`).
    pub(super) places: Source,
    /// The place of each instance of the list before, or of the batch.
    pub(super) place: Source,
}

impl List {
    /// The kernel of expressions over its numbers.
    pub(super) const fn computed(&self, types: [IntType; 2]) -> Computed {
        Computed { types, part: Part::Whole, list: Some(self.places) }
    }
}

impl Builder<'_> {
    /// The instances of the batch that have no small factor.
    pub(super) fn first_list(
        &mut self,
        test: &mut Test,
        small: Source,
        n: &Value,
    ) -> Result<List, SpecError> {
        self.list(test, true, [small; 3], (n, 1))
    }

    /// The instances of a list that have passed: verdicts, the places of that list, and whether it was served.
    pub(super) fn next_list(
        &mut self,
        test: &mut Test,
        passed: [Source; 3],
        n: &Value,
    ) -> Result<List, SpecError> {
        self.list(test, false, passed, (n, 2))
    }

    /// A list of those whose chains have so many columns.
    fn list(
        &mut self,
        test: &mut Test,
        is_batch: bool,
        flags: [Source; 3],
        (n, columns): (&Value, u32),
    ) -> Result<List, SpecError> {
        let words = self.spec.limb.instance_words(self.spec.ty);
        let before = Before { verdict_words: self.spec.limb.instance_words(self.verdict_type()?), is_batch };
        let device = (self.spec.target, self.limits);
        let tallies = self.launch(tally(before, device)?, flags.to_vec(), 1);
        let wave = test.shape.instances() / columns * self.limits.multiprocessors;
        let least = (wave * LEAST_WAVES.0 / LEAST_WAVES.1).max(1);
        let kernel = gather(before, (words, n.input.broadcast), least, device)?;
        let [numbers, places, place] = [words, FLAG_WORDS, 1].map(|words| self.sink(words.into()));
        let sources = flags.into_iter().chain([tallies, n.source]).collect();
        self.program.push(kernel, sources, vec![numbers.0, places.0, place.0]);
        let numbers = self.named(test.node, test.letter(), numbers.1, InputForm::Integers);
        Ok(List { numbers, places: places.1, place: place.1 })
    }
}
