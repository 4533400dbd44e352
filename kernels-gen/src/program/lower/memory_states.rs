//! Arrays in memory as parts of states and of results.

use limbforge_algos::program::{Element, Part, ValueId};

use super::Lowerer;
use super::state::Plane;
use super::values::{Held, is_scalar};
use crate::program::tape::code::{Class, Instr, What};
use crate::spec::SpecError;

impl Lowerer<'_> {
    /// The array of a state whose first plane this is: kept as it is, read, or both.
    pub(super) fn read_block(
        &mut self,
        plane: &Plane,
        is_kept: bool,
        is_known: bool,
    ) -> Result<(), SpecError> {
        let (element, ty) = (self.element(plane.value), self.program.plain(plane.value));
        let block = self.new_block(plane.value);
        if let (Element::Residue(id), false) = (element, is_known) {
            // What conversions take is made once.
            self.check_modulus(id);
            self.square(id);
        }
        self.each(block.length, |lowerer, index| {
            let (read, class) = if is_scalar(element) {
                let high = ty.bits() | u32::from(ty.is_signed()) << 8 | plane.words << 16;
                (Instr::new(What::ScalarStateRead).high(high), Class::Scalar)
            } else {
                (Instr::new(What::StateRead).high(plane.words), Class::Number)
            };
            let var = lowerer.b.fallible(read.y(index).low(plane.before), class);
            if is_kept {
                let write = if class == Class::Scalar { What::ScalarStateWrite } else { What::StateWrite };
                lowerer.b.effect(Instr::new(write).x(var).y(index).low(plane.before).high(plane.words));
            }
            if !is_known {
                let x = match element {
                    Element::Residue(id) => lowerer.converted(id, var),
                    _ if !is_scalar(element) && ty.is_signed() => lowerer.wrapped(var, ty),
                    _ => var,
                };
                lowerer.block_write(block, index, x);
            }
            Ok(())
        })?;
        if !is_known {
            self.set(plane.value, Held::Block(block));
        }
        Ok(())
    }

    /// Arrays that are to be in memory are there from here on: behind it are only writes, which threads that have failed
    /// run, too.
    pub(super) fn in_blocks(&mut self, values: impl IntoIterator<Item = ValueId>) -> Result<(), SpecError> {
        for value in values {
            if self.in_memory(value) {
                let block = self.as_block(value)?;
                self.set(value, Held::Block(block));
            }
        }
        Ok(())
    }

    /// An array from its first plane on.
    pub(super) fn write_block(&mut self, plane: &Plane, value: ValueId) -> Result<(), SpecError> {
        let (element, block) = (self.element(value), self.as_block(value)?);
        self.each(block.length, |lowerer, index| {
            let x = lowerer.block_read(block, index);
            let (what, x) = match element {
                Element::Residue(id) => (What::StateWrite, lowerer.plain(id, x)),
                _ if is_scalar(element) => (What::ScalarStateWrite, x),
                _ => (What::StateWrite, x),
            };
            lowerer.b.effect(Instr::new(what).x(x).y(index).low(plane.before).high(plane.words));
            Ok(())
        })
    }

    /// A part of a result that is an array.
    pub(super) fn store_block(&mut self, result: u32, part: &Part) -> Result<(), SpecError> {
        let (element, block) = (self.element(part.value), self.as_block(part.value)?);
        let what = if is_scalar(element) { What::ScalarStore } else { What::Store };
        let stride = self.b.constant(part.stride.into());
        self.each(block.length, |lowerer, index| {
            let x = lowerer.block_read(block, index);
            let place = lowerer.b.scalar(Instr::new(What::ScalarMul).x(index).y(stride), 64, false);
            lowerer.b.effect(Instr::new(what).x(x).y(place).low(result).high(part.first));
            Ok(())
        })
    }
}
