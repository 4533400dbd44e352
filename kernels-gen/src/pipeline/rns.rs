//! Powers modulo numbers in residue number systems: `docs/modmul_rns.md`.
//!
//! | launch | result |
//! | --- | --- |
//! | `P^2 % n` | what brings numbers into Montgomery's form |
//! | enter | residues of the base and of that, the constants of the modulus, and flags |
//! | power | the power by fixed windows, as residues |
//! | leave | a number that is the power modulo n |
//! | `powmod` | the power of instances whose modulus has no inverse in base 1; blocks without one exit |
//! | `select(flags, number % n, power)` | the result |
//!
//! One modulus for all instances becomes part of the rows instead: `pipeline/rns/one_modulus.rs`.

mod one_modulus;
mod primes;
mod sequences;
mod strong;

use limbforge_algos::expr::{Expr, Op};
use limbforge_limb::{IntType, Layout};
use num_bigint::BigUint;

use super::build::{Builder, Value, internal};
use super::{Source, Table};
use crate::kernel::modmul_rns::{Instances, Shape, System, enter, leave, power};
use crate::spec::{InputForm, SkipMask, SpecError};

/// The bit of the flags of instances that have a power by residues.
const SERVED: SkipMask = SkipMask { mask: 1 };
/// Words of an instance's flags.
pub(super) const FLAG_WORDS: u32 = 4;

impl Builder<'_> {
    /// Whether a node is computed in a residue number system: a power, or a test that is mostly one, of unsigned
    /// numbers, for which there is a system.
    fn is_rns(&self, node: usize) -> bool {
        let ty = self.spec.ty;
        let has_power = matches!(self.op(node), Op::PowMod | Op::IsStrongProbablePrime | Op::IsPrime);
        self.has_rns_powers && has_power && !ty.is_signed() && System::exists(ty.bits())
    }

    /// Whether a node is a power, or a test that is mostly one, by products of matrices.
    pub(super) fn is_by_matrices(&self, node: usize) -> bool {
        self.is_rns(node) || self.is_folded(node)
    }

    /// Adds the kernels of such a node; returns it in terms of what they leave, to be computed in the returned
    /// type.
    pub(super) fn by_matrices(&mut self, node: usize) -> Result<(Expr, IntType), SpecError> {
        if self.is_folded(node) { self.folded(node) } else { self.rns(node) }
    }

    fn rns(&mut self, node: usize) -> Result<(Expr, IntType), SpecError> {
        match self.op(node) {
            Op::IsPrime => self.prime_test(node),
            Op::IsStrongProbablePrime => self.strong_test(node),
            _ => self.rns_power(node),
        }
    }

    /// Adds the kernels of a power.
    fn rns_power(&mut self, node: usize) -> Result<(Expr, IntType), SpecError> {
        let operands = [0, 1, 2].map(|i| self.spec.dag.nodes()[node].args[i].index());
        let is_one = self.is_one_for_all(operands[2]);
        if is_one {
            self.uniform(|builder| builder.integers(operands[2]))?;
        }
        for operand in operands {
            self.instances(operand)?;
        }
        let [x, e, n] = operands.map(|operand| self.values[&operand].clone());
        let (number, served, ty) = self.power_of(node, [&x, &e, &n], is_one)?;
        let other = self.other(node, Op::PowMod, &[&x, &e, &n], served.source);
        Ok((self.is_served(&served).select(&(number % named(&n)), &other), ty))
    }

    /// Adds the kernels of a power with residues. Returns a number that is the power modulo n, the flags of the
    /// instances that are served, and the type in which both are computed.
    fn power_of(
        &mut self,
        node: usize,
        [x, e, n]: [&Value; 3],
        is_one: bool,
    ) -> Result<(Expr, Value, IntType), SpecError> {
        let system = System::of_bits(self.spec.ty.bits());
        let instances = Instances::of_batch(self.spec.limb.instance_words(self.spec.ty));
        let (residues, flags) = if is_one {
            self.powers_of_one_modulus(node, &system, [x, e, n])?
        } else {
            self.powers_of_each_modulus(node, &system, instances, [x, e, n])?
        };
        let number = self.left_residues(&system, instances, residues, (n, None))?;
        let narrow = |words| InputForm::Narrow { words };
        let number = self.named(node, 'v', number, narrow(system.value_words()));
        let served = self.named(node, 'f', flags, narrow(FLAG_WORDS));
        Ok((named(&number), served, unsigned(32 * u64::from(system.value_words()).max(4))?))
    }

    /// The residues of the powers in base 2, and the flags of instances.
    fn powers_of_each_modulus(
        &mut self,
        node: usize,
        system: &System,
        instances: Instances,
        [x, e, n]: [&Value; 3],
    ) -> Result<(Source, Source), SpecError> {
        let square = self.square_of_radix(node, system, n)?;
        let shape = system.power_shape(false, &self.rns_limits)?;
        let [state, moduli, flags] = self.entered(system, &shape, instances, ([x, n], square, None))?;
        let constants = self.program.add_table(Table::Words(system.power_constants(&shape)));
        let rows = self.program.add_table(Table::Words(system.rows(&shape)));
        Ok((self.powers(system, &shape, [state, moduli, constants, rows], e)?, flags))
    }

    /// Keeps a value of a node's kernels, which is no node's; each has a letter of its own.
    pub(super) fn named(&mut self, node: usize, letter: char, source: Source, form: InputForm) -> Value {
        let key = (4 + letter as usize) * self.spec.dag.nodes().len() + node;
        self.keep(key, source, &format!("%{node}{letter}"), form);
        self.values[&key].clone()
    }

    /// Whether an instance has these flags' bit.
    fn is_served(&self, flags: &Value) -> Expr {
        named(flags).cmp_ne(&Expr::literal(0_u32))
    }

    /// P^2 mod n of each instance.
    pub(super) fn square_of_radix(
        &mut self,
        node: usize,
        system: &System,
        n: &Value,
    ) -> Result<Source, SpecError> {
        let (radix, ty) = self.constant(node, 'p', &system.square_of_radix())?;
        // Kernels that run once for all instances never fail.
        let modulus = if self.is_uniform { named(n).max(&Expr::literal(1_u32)) } else { named(n) };
        let expr = named(&radix) % modulus;
        let (sink, source) = self.sink(self.spec.limb.instance_words(self.spec.ty).into());
        self.expression(&expr, [ty, self.spec.ty], sink, node);
        Ok(source)
    }

    /// A number that is the same for all instances, and the type that has its words.
    fn constant(
        &mut self,
        node: usize,
        letter: char,
        number: &BigUint,
    ) -> Result<(Value, IntType), SpecError> {
        let mut digits = number.to_u32_digits();
        let words = digits.len() as u32;
        digits.resize(digits.len().next_multiple_of(4), 0);
        let source = self.program.add_table(Table::Words(digits));
        let form = InputForm::Narrow { words };
        let value = self.uniform(|builder| builder.named(node, letter, source, form));
        Ok((value, unsigned(32 * u64::from(words))?))
    }

    /// The state of each instance, the constants of its modulus, and its flags; `list` is that of the instances if
    /// they are dense.
    fn entered(
        &mut self,
        system: &System,
        shape: &Shape,
        instances: Instances,
        ([x, n], square, list): ([&Value; 2], Source, Option<Source>),
    ) -> Result<[Source; 3], SpecError> {
        let constants = self.program.add_table(Table::Words(system.enter_constants(instances.words)));
        let broadcast = [x, n].map(|value| value.input.broadcast);
        let kernel = enter(system, shape, instances, broadcast, (self.spec.target, self.limits))?;
        let (state_sink, state) = self.sink(system.state_words().into());
        let (moduli_sink, moduli) = self.sink(shape.modulus_words().into());
        self.program.fill_groups_of(shape.team_instances().into());
        let (flag_sink, flags) = self.sink(FLAG_WORDS.into());
        let sinks = vec![state_sink, moduli_sink, flag_sink];
        let sources = [x.source, square, n.source, constants].into_iter().chain(list);
        self.program.push(kernel, sources.collect(), sinks);
        Ok([state, moduli, flags])
    }

    /// The residues of the powers in base 2, from the state of each instance, what its modulus adds, constants and
    /// rows.
    pub(super) fn powers(
        &mut self,
        system: &System,
        shape: &Shape,
        [state, moduli, constants, rows]: [Source; 4],
        e: &Value,
    ) -> Result<Source, SpecError> {
        let words = self.spec.limb.instance_words(self.spec.ty);
        let kernel = power(system, shape, words, e.input.broadcast, (self.spec.target, self.limits))?;
        let (sink, residues) = self.sink(system.residues().into());
        let (table, _) = self.sink(system.table_words().into());
        self.program.push(kernel, vec![state, moduli, e.source, constants, rows], vec![sink, table]);
        Ok(residues)
    }

    /// Numbers that are those of the residues modulo n.
    fn left_residues(
        &mut self,
        system: &System,
        instances: Instances,
        residues: Source,
        (n, list): (&Value, Option<Source>),
    ) -> Result<Source, SpecError> {
        let constants = self.program.add_table(Table::Words(system.leave_constants()));
        let kernel = leave(system, instances, n.input.broadcast, (self.spec.target, self.limits))?;
        let sources = [residues, n.source, constants].into_iter().chain(list);
        Ok(self.launch(kernel, sources.collect(), system.value_words().into()))
    }

    /// An operation of the instances that are not served, by its kernel.
    fn other(&mut self, node: usize, op: Op, operands: &[&Value], flags: Source) -> Expr {
        let expr = Expr::operation(op, operands.iter().copied().map(named).collect());
        let (ty, fails) = (self.spec.ty, self.fails(&[node]));
        let (mut spec, mut sources) = self.kernel_of(expr.to_dag(), [ty; 2], Layout::InstanceMajor, fails);
        spec.unless = Some(SERVED);
        sources.push(flags);
        let other = self.launch(spec, sources, self.spec.limb.instance_words(ty).into());
        named(&self.named(node, 'o', other, InputForm::Integers))
    }
}

/// A value in an expression.
pub(super) fn named(value: &Value) -> Expr {
    Expr::input(&value.input.name)
}

/// The unsigned type of so many bits.
pub(super) fn unsigned(bits: u64) -> Result<IntType, SpecError> {
    IntType::unsigned(bits).map_err(|error| internal(&error.to_string()))
}
