//! States of stages, read and written.

use limbforge_algos::program::{Element, Kind as NodeKind, ResidueOp, Stage, TypedProgram, ValueId};

use super::Lowerer;
use super::values::{Held, is_scalar};
use crate::program::tape::code::{Class, Instr, What};
use crate::spec::SpecError;

/// A value in the state of a stage, as plain integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Plane {
    /// The value, of [`Stage::held`].
    pub value: ValueId,
    /// The element of an array, else 0.
    pub element: u32,
    /// Words of 32 bits of each instance.
    pub words: u32,
    /// Words of each instance in the planes before: for N instances it begins at word `before * N`.
    pub before: u32,
}

/// The planes of a stage's state, behind a word that is 0 or the place at which the instance has failed.
pub(crate) fn planes(program: &TypedProgram, stage: &Stage) -> Vec<Plane> {
    let mut planes = vec![];
    let mut before = 1;
    for value in stage.held(program) {
        let words = program.plain(value).bits().div_ceil(32);
        for element in 0..program.elements(value) as u32 {
            planes.push(Plane { value, element, words, before });
            before += words;
        }
    }
    planes
}

impl Lowerer<'_> {
    /// The status of instances and the values of a state, residues in Montgomery form. A loop `keeps` the alive
    /// ones as they are.
    pub(super) fn read_state(&mut self, stage: &Stage, keeps: bool) -> Result<(), SpecError> {
        self.b.effect(Instr::new(What::StatusRead));
        self.remade_of_inputs(stage.nodes.end)?;
        let planes = planes(self.program, stage);
        let mut values: Vec<(ValueId, Vec<Held>)> = vec![];
        // Integers first: moduli are among them.
        let is_kept = |plane: &Plane| keeps && stage.alive.contains(&plane.value);
        let is_known: Vec<bool> =
            planes.iter().map(|plane| self.env[plane.value.index()].is_some()).collect();
        let is_residue = |plane: &Plane| matches!(self.program.ty(plane.value).element, Element::Residue(_));
        let (residues, integers): (Vec<_>, Vec<_>) =
            planes.into_iter().zip(is_known).partition(|(plane, _)| is_residue(plane));
        for (plane, is_known) in integers.into_iter().chain(residues) {
            if self.in_memory(plane.value) {
                if plane.element == 0 {
                    self.read_block(&plane, is_kept(&plane), is_known)?;
                }
                continue;
            }
            if is_kept(&plane) {
                self.keep_plane(&plane);
            }
            if is_known {
                continue;
            }
            let held = self.read_plane(&plane);
            match values.last_mut() {
                Some((value, elements)) if *value == plane.value => elements.push(held),
                _ => values.push((plane.value, vec![held])),
            }
            if let Some((value, elements)) = values.last() {
                let held = match (self.ty(*value).length, &**elements) {
                    (None, [held]) => held.clone(),
                    _ => Held::Array(elements.clone().into()),
                };
                self.set(*value, held);
            }
        }
        Ok(())
    }

    /// Residues of inputs and of constants, also over powers of two, are computed again: what they are made of
    /// is known then.
    pub(super) fn remade_of_inputs(&mut self, end: usize) -> Result<(), SpecError> {
        let nodes = &self.program.body().nodes[..end];
        for node in nodes {
            let made = matches!(
                node.kind,
                NodeKind::Residue(ResidueOp::Of | ResidueOp::DivPower2(_)) | NodeKind::Cast
            );
            let known =
                |&value: &ValueId| self.env[value.index()].is_some() && self.ty(value).length.is_none();
            let modulus = |&value: &ValueId| match self.element(value) {
                Element::Residue(id) => known(&self.program.modulus(id).value),
                _ => true,
            };
            if made && node.args.iter().all(known) && node.results.iter().all(modulus) {
                self.node(node)?;
            }
        }
        Ok(())
    }

    /// The plane in the next state is that of this one.
    pub(super) fn keep_plane(&mut self, plane: &Plane) {
        if is_scalar(self.element(plane.value)) {
            let ty = self.program.plain(plane.value);
            let high = ty.bits() | u32::from(ty.is_signed()) << 8 | plane.words << 16;
            let read = Instr::new(What::ScalarStateRead).low(plane.before).high(high);
            let var = self.b.pure(read, Class::Scalar);
            let write = Instr::new(What::ScalarStateWrite).x(var);
            return self.b.effect(write.low(plane.before).high(plane.words));
        }
        self.uses.extend([What::StateRead, What::StateWrite]);
        let number = self.b.number(Instr::new(What::StateRead).low(plane.before).high(plane.words));
        self.b.effect(Instr::new(What::StateWrite).x(number).low(plane.before).high(plane.words));
    }

    pub(super) fn read_plane(&mut self, plane: &Plane) -> Held {
        let element = self.element(plane.value);
        let ty = self.program.plain(plane.value);
        if is_scalar(element) {
            let high = ty.bits() | u32::from(ty.is_signed()) << 8 | plane.words << 16;
            let instr = Instr::new(What::ScalarStateRead).low(plane.before).high(high);
            return Held::Var(self.b.pure(instr, Class::Scalar));
        }
        self.uses.insert(What::StateRead);
        let number = self.b.number(Instr::new(What::StateRead).low(plane.before).high(plane.words));
        match element {
            Element::Residue(id) => {
                // The stage before has used the modulus: its check stands before the loop.
                self.check_modulus(id);
                Held::Var(self.converted(id, number))
            }
            _ if ty.is_signed() => Held::Var(self.wrapped(number, ty)),
            _ => Held::Var(number),
        }
    }

    /// The alive values of a state.
    pub(super) fn write_alive(&mut self, stage: &Stage) -> Result<(), SpecError> {
        for plane in planes(self.program, stage) {
            if stage.alive.contains(&plane.value) {
                self.write_plane(&plane, plane.value)?;
            }
        }
        Ok(())
    }

    /// The status of instances, and the values that the loop carries.
    pub(super) fn write_carried(&mut self, stage: &Stage, carried: &[ValueId]) -> Result<(), SpecError> {
        self.b.effect(Instr::new(What::StatusWrite));
        let results = stage.cut_loop(self.program).map_or(&[][..], |node| &node.results);
        for plane in planes(self.program, stage) {
            if let Some(at) = results.iter().position(|&value| value == plane.value) {
                self.write_plane(&plane, carried[at])?;
            }
        }
        Ok(())
    }

    pub(super) fn write_plane(&mut self, plane: &Plane, value: ValueId) -> Result<(), SpecError> {
        if self.in_memory(value) {
            return if plane.element == 0 { self.write_block(plane, value) } else { Ok(()) };
        }
        let element = self.element(value);
        let held = self.elements(value)[plane.element as usize].clone();
        let var = self.var_of(&held, element);
        if is_scalar(element) {
            let write = Instr::new(What::ScalarStateWrite).x(var);
            self.b.effect(write.low(plane.before).high(plane.words));
            return Ok(());
        }
        let number = if let Element::Residue(id) = element { self.plain(id, var) } else { var };
        self.uses.insert(What::StateWrite);
        self.b.effect(Instr::new(What::StateWrite).x(number).low(plane.before).high(plane.words));
        Ok(())
    }
}
