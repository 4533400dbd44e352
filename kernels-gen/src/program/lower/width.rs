//! The widest numbers of a program.

use limbforge_algos::program::{Element, Kind as NodeKind, Region, ResidueOp, Rounds, TypedProgram, ValueId};
use limbforge_limb::IntType;

use crate::program::spec::TapeSpec;

/// The least width of numbers; narrower integers are scalars.
const LEAST: IntType = match IntType::unsigned(65) {
    Ok(ty) => ty,
    Err(_) => panic!("65 bits are a width"),
};

/// The widest type of a program's numbers. An input of which only bits and digits are read stays in memory, as
/// wide as it may be.
pub(in crate::program) fn widest(spec: &TapeSpec<'_>) -> IntType {
    let program = spec.program;
    let mut numbers = vec![false; program.types().len()];
    mark_region(program, program.body(), &mut numbers);
    let parts = program.results().iter().flat_map(|output| &output.parts);
    parts.for_each(|part| numbers[part.value.index()] = true);
    program.moduli().iter().for_each(|modulus| numbers[modulus.value.index()] = true);
    let types = program.types().iter().zip(&numbers).filter(|(_, is_number)| **is_number);
    let types = types.filter_map(|(ty, _)| match ty.element {
        Element::Int(ty) => Some(ty),
        Element::Residue(id) => Some(program.modulus(id).ty),
        Element::Bool => None,
    });
    types.chain([LEAST]).max_by_key(|ty| ty.bits()).unwrap_or(LEAST)
}

/// Marks the values that need their words at once: results of operations, and operands but for those of which
/// only digits are read.
fn mark_region(program: &TypedProgram, region: &Region, numbers: &mut [bool]) {
    region.params.iter().chain(&region.yields).for_each(|value| numbers[value.index()] = true);
    for node in &region.nodes {
        let digits = match node.kind {
            NodeKind::For { over: Rounds::Bits | Rounds::Digits(_), .. } => Some(0),
            // A negative exponent is negated.
            NodeKind::Residue(ResidueOp::Power) if !is_signed(program, node.args[1]) => Some(1),
            _ => None,
        };
        let operands = node.args.iter().enumerate().filter(|(i, _)| Some(*i) != digits);
        operands.map(|(_, value)| value).chain(&node.results).for_each(|value| numbers[value.index()] = true);
        node.kind.regions().into_iter().for_each(|region| mark_region(program, region, numbers));
    }
}

fn is_signed(program: &TypedProgram, value: ValueId) -> bool {
    matches!(program.ty(value).element, Element::Int(ty) if ty.is_signed())
}
