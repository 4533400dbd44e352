//! Values that nobody needs.

use std::collections::HashSet;

use crate::program::region::{Kind, Node, Region, ResidueOp, TypedProgram};
use crate::program::ty::{Element, ModulusId, ValueId};

/// Drops nodes without a used result that cannot fail and append nothing.
pub(super) fn drop_unused(program: &mut TypedProgram) {
    let mut body = core::mem::take(&mut program.body);
    let parts = program.results.iter().flat_map(|output| &output.parts);
    let mut used: HashSet<ValueId> = parts.map(|part| part.value).collect();
    used.extend(program.moduli.iter().map(|modulus| modulus.value));
    region(program, &mut body, &mut used);
    program.body = body;
}

fn region(program: &TypedProgram, region: &mut Region, used: &mut HashSet<ValueId>) {
    used.extend(&region.yields);
    let mut kept = vec![];
    // A conversion checks its modulus unless one before it in the region does.
    let mut checked = HashSet::new();
    let checks: Vec<bool> = region.nodes.iter().map(|node| is_check(program, node, &mut checked)).collect();
    for (mut node, is_check) in region.nodes.drain(..).zip(checks).rev() {
        let is_used = node.results.iter().any(|value| used.contains(value));
        if !is_used && !is_check && !may_fail(program, &node) {
            continue;
        }
        used.extend(&node.args);
        for inner in node.kind.regions_mut() {
            self::region(program, inner, used);
        }
        kept.push(node);
    }
    kept.reverse();
    region.nodes = kept;
}

fn is_check(program: &TypedProgram, node: &Node, checked: &mut HashSet<ModulusId>) -> bool {
    match (&node.kind, &*node.results) {
        (Kind::Residue(ResidueOp::Of), [result]) => match program.ty(*result).element {
            Element::Residue(modulus) => checked.insert(modulus),
            Element::Bool | Element::Int(_) => false,
        },
        _ => false,
    }
}

/// Whether an instance may fail at a node, conversions to residues apart, or a node appends to a list.
fn may_fail(program: &TypedProgram, node: &Node) -> bool {
    match &node.kind {
        Kind::Integer(op) => op.may_fail(true),
        Kind::Residue(op) => matches!(op, ResidueOp::Inverse | ResidueOp::Power),
        Kind::Index | Kind::Update | Kind::Require | Kind::Emit { .. } | Kind::While { .. } => true,
        Kind::For { .. } | Kind::If { .. } => {
            let mut nodes = node.kind.regions().into_iter().flat_map(|region| &region.nodes);
            let mut none = HashSet::new();
            nodes.any(|node| may_fail(program, node) || is_check(program, node, &mut none))
        }
        Kind::Constant(_) | Kind::Cast | Kind::Shift { .. } | Kind::Not | Kind::And => false,
        Kind::Or | Kind::Select | Kind::Bit | Kind::BitLength | Kind::Array => false,
        Kind::Instance | Kind::Random => false,
    }
}
