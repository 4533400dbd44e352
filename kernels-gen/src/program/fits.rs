//! What would fit of a program that needs too much of a device.

use limbforge_algos::program::{Program, TypedProgram};
use limbforge_limb::IntType;

use super::assemble::OPERATIONS;
use super::lower::widest;
use super::render::rendered;
use super::spec::TapeSpec;
use super::threads::{mapping, widths};
use crate::spec::{Limits, ProgramFits, SpecError};

/// The error of a program that has no kernel, with what would fit if it needs too much of a resource.
pub(super) fn refused(spec: &TapeSpec<'_>, limits: &Limits, why: SpecError) -> SpecError {
    if why.limit().is_none() || matches!(why, SpecError::ProgramOperation { .. } | SpecError::Straight { .. })
    {
        return why;
    }
    let fits = match why {
        SpecError::Program { what: OPERATIONS, .. } => ProgramFits::Operations,
        _ => Open::of(spec).and_then(|open| open.fitting(limits, &why)).unwrap_or(ProgramFits::Values),
    };
    SpecError::ProgramRefused { why: Box::new(why), fits }
}

/// A program whose text leaves types of inputs open.
struct Open<'p> {
    spec: &'p TapeSpec<'p>,
    program: Program,
    /// The names and types of these inputs.
    inputs: Vec<(String, IntType)>,
}

impl<'p> Open<'p> {
    fn of(spec: &'p TapeSpec<'p>) -> Option<Self> {
        let program = Program::parse(spec.program.text()).ok()?;
        let open: Vec<String> =
            program.inputs().filter(|(_, ty)| ty.is_none()).map(|(name, _)| name.to_owned()).collect();
        let types =
            spec.program.inputs().iter().filter(|input| open.iter().any(|name| **name == *input.name));
        let inputs: Vec<_> = types.map(|input| (input.name.to_string(), input.ty)).collect();
        (!inputs.is_empty()).then_some(Self { spec, program, inputs })
    }

    /// The program with open inputs of at most so many bits, if it has types then.
    fn at(&self, bits: u32) -> Option<TypedProgram> {
        let narrowed = |ty: IntType| IntType::new(ty.bits().min(bits).into(), ty.is_signed()).ok();
        let types = self.inputs.iter().map(|(name, ty)| Some((name.as_str(), narrowed(*ty)?)));
        self.program.typed(&types.collect::<Option<Vec<_>>>()?).ok()
    }

    fn with<'q>(&'q self, program: &'q TypedProgram) -> TapeSpec<'q> {
        TapeSpec { program, ..self.spec.clone() }
    }

    /// The most bits of the inputs with which no number of the program has more than `most` bits.
    fn within(&self, most: u32) -> Option<u32> {
        let is_within =
            |bits| self.at(bits).is_some_and(|program| widest(&self.with(&program)).bits() <= most);
        let (mut low, mut high) = (1, self.inputs.iter().map(|(_, ty)| ty.bits()).max()?);
        // Literals of the text may need more bits than the narrowest types have: those count as too narrow.
        let is_too_wide =
            |bits| self.at(bits).is_some_and(|program| widest(&self.with(&program)).bits() > most);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if is_too_wide(middle) { high = middle - 1 } else { low = middle }
        }
        is_within(low).then_some(low)
    }

    fn has_kernel(&self, bits: u32, limits: &Limits) -> bool {
        self.at(bits).is_some_and(|program| rendered(&self.with(&program), limits).is_ok())
    }

    /// The widest inputs below those of the program with which it has a kernel. The search begins at the width
    /// that the exceeded limit suggests, as a plan takes up to a second.
    fn fitting(&self, limits: &Limits, why: &SpecError) -> Option<ProgramFits> {
        let present = widest(self.spec).bits();
        let mut steps: Vec<u32> = widths().into_iter().filter(|&width| width < present).collect();
        // Narrower inputs in a program whose widest numbers have written types.
        steps.dedup_by_key(|width| self.within(*width));
        steps.retain(|&width| self.within(width).is_some());
        // A warp needs as much as the words of a lane.
        let lane = |width: u32| {
            let of_lane = IntType::new(width.into(), false).ok().map(mapping);
            of_lane.and_then(Result::ok).map_or(u32::MAX, |mapping| mapping.run_words)
        };
        let suggested = |width: u32| match why {
            SpecError::Program { needed, limit, .. } => {
                u64::from(lane(width)) * u64::from(*needed) <= u64::from(lane(present)) * u64::from(*limit)
            }
            _ => true,
        };
        let mut next = steps.iter().rposition(|&width| suggested(width)).map_or(1, |last| last + 1);
        let fits = |next: usize| {
            let bits = self.within(*steps.get(next.checked_sub(1)?)?)?;
            self.has_kernel(bits, limits).then_some(bits)
        };
        let mut found = fits(next);
        if found.is_some() {
            while next < steps.len()
                && let Some(wider) = fits(next + 1)
            {
                (next, found) = (next + 1, Some(wider));
            }
        } else {
            while found.is_none() && next > 1 {
                next -= 1;
                found = fits(next);
            }
        }
        let bits = found?;
        let names = self.inputs.iter().filter(|(_, ty)| ty.bits() > bits).map(|(name, _)| name.clone());
        Some(ProgramFits::Inputs { names: names.collect(), bits })
    }
}
