//! Powers modulo one number for all instances, which becomes part of the rows.
//!
//! | launch, once | result |
//! | --- | --- |
//! | `P^2 % n` | what brings numbers into Montgomery's form |
//! | one | constants of powers, factors of rows |
//! | matrices | the rows, and whether they are within the limits for which bounds are proved |
//! | enter | residues of `P^2 % n` |
//!
//! | launch, for each instance | result |
//! | --- | --- |
//! | enter | residues of the base, and flags |
//! | power | the power by fixed windows, as residues |

use super::FLAG_WORDS;
use crate::kernel::modmul_rns::{Shape, System, enter_one, matrices, one};
use crate::pipeline::build::{Builder, Value};
use crate::pipeline::{Source, Table};
use crate::spec::SpecError;

/// What instances share.
struct Modulus {
    shape: Shape,
    /// Factors of rows, whether they fit, and the constants of the width.
    of_entering: [Source; 3],
    /// Residues of P^2 mod n, constants and rows.
    of_powers: [Source; 3],
}

impl Builder<'_> {
    /// The residues of the powers in base 2, and the flags of instances.
    pub(super) fn powers_of_one_modulus(
        &mut self,
        node: usize,
        system: &System,
        [x, e, n]: [&Value; 3],
    ) -> Result<(Source, Source), SpecError> {
        let modulus = self.uniform(|builder| builder.one_modulus(node, system, n))?;
        let Modulus { shape, of_entering, of_powers: [square, constants, rows] } = modulus;
        let [state, flags] = self.entered_one(system, &shape, (x.source, x.input.broadcast), of_entering)?;
        Ok((self.powers(system, &shape, [state, square, constants, rows], e)?, flags))
    }

    /// Adds the launches that run once.
    fn one_modulus(&mut self, node: usize, system: &System, n: &Value) -> Result<Modulus, SpecError> {
        let square = self.square_of_radix(node, system, n)?;
        let row_limits = system.plan().row_limits();
        let shape = system.power_shape(true, &self.rns_limits)?;
        let words = self.spec.limb.instance_words(self.spec.ty);
        let device = (self.spec.target, self.limits);
        let of_width = self.program.add_table(Table::Words(system.enter_constants(words)));
        let powers = self.program.add_table(Table::Words(system.power_constants(&shape)));
        let (constants_sink, constants) = self.sink(shape.constant_words().into());
        let (factors_sink, factors) = self.sink(shape.factor_words().into());
        let kernel = one(system, &shape, words, device)?;
        self.program.push(kernel, vec![n.source, of_width, powers], vec![constants_sink, factors_sink]);
        let generic = self.program.add_table(Table::Words(system.rows(&shape)));
        let (rows_sink, rows) = self.sink(shape.row_words().into());
        let (fits_sink, fits) = self.sink(shape.row_units().into());
        let kernel = matrices(system, &shape, &row_limits, device)?;
        self.program.push(kernel, vec![generic, powers, factors], vec![rows_sink, fits_sink]);
        // An integer of one instance has no stride.
        let of_entering = [factors, fits, of_width];
        let [square, _] = self.entered_one(system, &shape, (square, true), of_entering)?;
        Ok(Modulus { shape, of_entering, of_powers: [square, constants, rows] })
    }

    /// The residues of integers, and flags.
    fn entered_one(
        &mut self,
        system: &System,
        shape: &Shape,
        (integers, broadcast): (Source, bool),
        [factors, fits, constants]: [Source; 3],
    ) -> Result<[Source; 2], SpecError> {
        let words = self.spec.limb.instance_words(self.spec.ty);
        let kernel = enter_one(system, shape, (words, broadcast), (self.spec.target, self.limits))?;
        let (state_sink, state) = self.sink(u64::from(system.residues()) * 2);
        let (flag_sink, flags) = self.sink(FLAG_WORDS.into());
        self.program.push(kernel, vec![integers, factors, fits, constants], vec![state_sink, flag_sink]);
        Ok([state, flags])
    }
}
