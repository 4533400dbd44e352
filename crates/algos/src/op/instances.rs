//! The instances of a tile: operands, results and failures.

use limbforge_limb::{Base, IntType};

use super::{Amount, Op, Why, amount::Bound};
use crate::invariant::broken_invariant;

/// An operand of a tile: M limbs per instance, or a stride of 0 and one integer for all instances.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand<'a, B> {
    pub(crate) limbs: &'a [B],
    pub(crate) stride: usize,
}

impl<'a, B: Base> Operand<'a, B> {
    #[inline(always)]
    pub(crate) fn get(self, instance: usize, m: usize) -> &'a [B] {
        &self.limbs[instance * self.stride..][..m]
    }
}

/// The instances that an operation is computed for. Results are residues modulo `2^N` in all bits of their
/// limbs; bits from N on are cleared afterwards.
pub(crate) struct Instances<'t, B> {
    pub(crate) ty: IntType,
    /// The results, and limbs of one: M, or those of 2N bits.
    pub(crate) out: &'t mut [B],
    pub(crate) out_m: usize,
    pub(crate) operands: &'t [Operand<'t, B>],
    /// The operands' instance of the first result.
    pub(crate) first: usize,
    /// Takes the instances without a result, and why.
    pub(crate) fail: &'t mut dyn FnMut(usize, Why),
}

impl<'t, B: Base> Instances<'t, B> {
    /// Runs a kernel that always has a result on the K operands of each instance.
    #[inline(always)]
    pub(crate) fn each<const K: usize>(self, mut kernel: impl FnMut(&mut [B], [&[B]; K])) {
        self.try_each(|out, operands| {
            kernel(out, operands);
            Ok(())
        });
    }

    /// Runs a kernel that may fail: then the result is 0.
    #[inline(always)]
    pub(crate) fn try_each<const K: usize>(
        self,
        mut kernel: impl FnMut(&mut [B], [&[B]; K]) -> Result<(), Why>,
    ) {
        let m = self.ty.limbs::<B>();
        let operands = fixed::<_, K>(self.operands);
        for (i, out) in self.out.chunks_exact_mut(self.out_m).enumerate() {
            let i = self.first + i;
            if let Err(why) = kernel(out, operands.map(|operand| operand.get(i, m))) {
                out.fill(B::ZERO);
                (self.fail)(i, why);
            }
        }
    }

    /// The instances from `first` on.
    pub(crate) fn from(self, first: usize) -> Self {
        let out = &mut self.out[first * self.out_m..];
        Self { out, first: self.first + first, ..self }
    }

    /// The number of instances.
    pub(crate) fn len(&self) -> usize {
        self.out.len() / self.out_m
    }

    /// The K operands of an instance.
    #[inline(always)]
    pub(crate) fn operands<const K: usize>(&self, instance: usize) -> [&'t [B]; K] {
        let m = self.ty.limbs::<B>();
        // A loop: functions of arrays that take closures are calls.
        let mut all = [&[][..]; K];
        for (limbs, operand) in all.iter_mut().zip(fixed::<_, K>(self.operands)) {
            *limbs = operand.get(self.first + instance, m);
        }
        all
    }

    /// The result of an instance.
    pub(crate) fn result(&mut self, instance: usize) -> &mut [B] {
        &mut self.out[instance * self.out_m..][..self.out_m]
    }

    /// [`try_each`](Self::try_each) for one instance.
    pub(crate) fn try_one<const K: usize>(
        &mut self,
        instance: usize,
        kernel: impl FnOnce(&mut [B], [&[B]; K]) -> Result<(), Why>,
    ) {
        let operands = self.operands(instance);
        let out = self.result(instance);
        if let Err(why) = kernel(out, operands) {
            out.fill(B::ZERO);
            (self.fail)(self.first + instance, why);
        }
    }

    /// Runs a kernel of V values and N amounts, which are constants of `op` or the last operands.
    #[inline(always)]
    pub(crate) fn each_amount<const V: usize, const N: usize>(
        self,
        op: &Op,
        mut kernel: impl FnMut(&mut [B], [&[B]; V], [Bound<'_, B>; N]),
    ) {
        let (m, held) = (self.ty.limbs::<B>(), op.amounts());
        // Shifts by an operand hold none.
        let constants: [_; N] = core::array::from_fn(|k| {
            if let Some(Amount::Constant(bits)) = held.get(k) { Some(bits) } else { None }
        });
        let (values, amounts) = self.operands.split_at(V.min(self.operands.len()));
        let values = fixed::<_, V>(values);
        for (i, out) in self.out.chunks_exact_mut(self.out_m).enumerate() {
            let i = self.first + i;
            let mut amounts = amounts.iter().map(|amount| amount.get(i, m));
            let bounds = constants.map(|constant| match constant {
                Some(bits) => Bound::Constant(bits),
                None => match amounts.next() {
                    Some(limbs) => Bound::Value(limbs),
                    None => broken_invariant("an amount is an operand"),
                },
            });
            kernel(out, values.map(|value| value.get(i, m)), bounds);
        }
    }
}

#[inline(always)]
fn fixed<'t, B: Base, const K: usize>(operands: &[Operand<'t, B>]) -> [Operand<'t, B>; K] {
    operands.try_into().unwrap_or_else(|_| broken_invariant("an operation has its operands"))
}
