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

use limbforge_algos::expr::{Expr, Op};
use limbforge_limb::{IntType, Layout};

use super::build::{Builder, Value, internal};
use super::{Source, Table};
use crate::kernel::modmul_rns::{Shape, System, enter, leave, power};
use crate::spec::{InputForm, InputSpec, SkipMask, SpecError};

/// The bit of the flags of instances that have a power by residues.
const SERVED: SkipMask = SkipMask { mask: 1 };
/// Words of an instance's flags.
pub(super) const FLAG_WORDS: u32 = 4;

impl Builder<'_> {
    /// Whether a node is a power that is computed in a residue number system: of unsigned numbers, for which
    /// there is one.
    pub(super) fn is_rns_power(&self, node: usize) -> bool {
        let ty = self.spec.ty;
        let is_power = matches!(self.op(node), Op::PowMod);
        self.has_rns_powers && is_power && !ty.is_signed() && System::exists(ty.bits())
    }

    /// Adds the kernels of a power; returns it in terms of what they leave, to be computed in the returned
    /// type.
    pub(super) fn rns_power(&mut self, node: usize) -> Result<(Expr, IntType), SpecError> {
        let operands = [0, 1, 2].map(|i| self.spec.dag.nodes()[node].args[i].index());
        let is_one = self.is_one_for_all(operands[2]);
        if is_one {
            self.uniform(|builder| builder.integers(operands[2]))?;
        }
        for operand in operands {
            self.instances(operand)?;
        }
        let system = System::of_bits(self.spec.ty.bits());
        let [x, e, n] = operands.map(|operand| self.values[&operand].clone());
        let (residues, flags) = if is_one {
            self.powers_of_one_modulus(node, &system, [&x, &e, &n])?
        } else {
            self.powers_of_each_modulus(node, &system, [&x, &e, &n])?
        };
        let number = self.left_residues(&system, residues, &n)?;
        let other = self.other_power(node, [&x, &e, &n], flags);
        let name = |letter: char| format!("%{node}{letter}");
        let narrow = |words| InputForm::Narrow { words };
        self.keep(self.key(node, 0), flags, &name('f'), narrow(FLAG_WORDS));
        self.keep(self.key(node, 1), number, &name('v'), narrow(system.value_words()));
        self.keep(self.key(node, 2), other, &name('o'), InputForm::Integers);
        let [flags, number, other] = ['f', 'v', 'o'].map(|letter| Expr::input(&name(letter)));
        let served = flags.cmp_ne(&Expr::literal(0_u32));
        let ty = unsigned(32 * u64::from(system.value_words()).max(4))?;
        Ok((served.select(&(number % Expr::input(&n.input.name)), &other), ty))
    }

    /// The residues of the powers in base 2, and the flags of instances.
    fn powers_of_each_modulus(
        &mut self,
        node: usize,
        system: &System,
        [x, e, n]: [&Value; 3],
    ) -> Result<(Source, Source), SpecError> {
        let square = self.square_of_radix(node, system, n)?;
        let shape = system.shape(false, self.limits)?;
        let [state, moduli, flags] = self.entered(system, &shape, [x, n], square)?;
        let constants = self.program.add_table(Table::Words(system.power_constants(&shape)));
        let rows = self.program.add_table(Table::Words(system.rows(&shape)));
        Ok((self.powers(system, &shape, [state, moduli, constants, rows], e)?, flags))
    }

    /// The key of a value of a power, which is no node's.
    fn key(&self, node: usize, which: usize) -> usize {
        (4 + which) * self.spec.dag.nodes().len() + node
    }

    /// P^2 mod n of each instance.
    pub(super) fn square_of_radix(
        &mut self,
        node: usize,
        system: &System,
        n: &Value,
    ) -> Result<Source, SpecError> {
        let mut digits = system.square_of_radix().to_u32_digits();
        let words = digits.len() as u32;
        digits.resize(digits.len().next_multiple_of(4), 0);
        let name = format!("%{node}p");
        let form = InputForm::Narrow { words };
        let input = InputSpec { form, ..InputSpec::integers(&name, Layout::InstanceMajor, true) };
        let source = self.program.add_table(Table::Words(digits));
        self.values.insert(self.key(node, 3), Value { source, input });
        let modulus = Expr::input(&n.input.name);
        // Kernels that run once for all instances never fail.
        let modulus = if self.is_uniform { modulus.max(&Expr::literal(1_u32)) } else { modulus };
        let expr = Expr::input(&name) % modulus;
        let (sink, source) = self.sink(self.spec.limb.instance_words(self.spec.ty).into());
        self.expression(&expr, [unsigned(32 * u64::from(words))?, self.spec.ty], sink, node);
        Ok(source)
    }

    /// The state of each instance, the constants of its modulus, and its flags.
    fn entered(
        &mut self,
        system: &System,
        shape: &Shape,
        [x, n]: [&Value; 2],
        square: Source,
    ) -> Result<[Source; 3], SpecError> {
        let words = self.spec.limb.instance_words(self.spec.ty);
        let constants = self.program.add_table(Table::Words(system.enter_constants(words)));
        let broadcast = [x, n].map(|value| value.input.broadcast);
        let kernel = enter(system, shape, words, broadcast, (self.spec.target, self.limits))?;
        let (state_sink, state) = self.sink(system.state_words().into());
        let (moduli_sink, moduli) = self.sink(shape.modulus_words().into());
        self.program.group = self.program.group.max(shape.team_instances().into());
        let (flag_sink, flags) = self.sink(FLAG_WORDS.into());
        let sinks = vec![state_sink, moduli_sink, flag_sink];
        self.program.push(kernel, vec![x.source, square, n.source, constants], sinks);
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

    /// Numbers that are the powers modulo n.
    fn left_residues(&mut self, system: &System, residues: Source, n: &Value) -> Result<Source, SpecError> {
        let words = self.spec.limb.instance_words(self.spec.ty);
        let constants = self.program.add_table(Table::Words(system.leave_constants()));
        let kernel = leave(system, words, n.input.broadcast, (self.spec.target, self.limits))?;
        Ok(self.launch(kernel, vec![residues, n.source, constants], system.value_words().into()))
    }

    /// The powers of the instances that are not served.
    fn other_power(&mut self, node: usize, [x, e, n]: [&Value; 3], flags: Source) -> Source {
        let [x, e, n] = [x, e, n].map(|value| Expr::input(&value.input.name));
        let expr = Expr::operation(Op::PowMod, vec![x, e, n]);
        let (ty, fails) = (self.spec.ty, self.fails(&[node]));
        let (mut spec, mut sources) = self.kernel_of(expr.to_dag(), [ty; 2], Layout::InstanceMajor, fails);
        spec.unless = Some(SERVED);
        sources.push(flags);
        self.launch(spec, sources, self.spec.limb.instance_words(ty).into())
    }
}

/// The unsigned type of so many bits.
fn unsigned(bits: u64) -> Result<IntType, SpecError> {
    IntType::unsigned(bits).map_err(|error| internal(&error.to_string()))
}
