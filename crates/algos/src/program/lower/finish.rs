//! Typed regions from open ones: every class has its type now, and operands are converted to the types that
//! nodes want.

mod output;
mod want;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use limbforge_limb::IntType;

use super::class::{Class, Classes};
use super::open::{Leaf, OpenKind, OpenNode, OpenRegion, of_residues};
use super::{Known, Lower, Result, type_error};
use crate::invariant::broken_invariant;
use crate::op::Op;
use crate::program::region::{Input, Kind, Modulus, Node, Region, ResidueOp, TypedProgram};
use crate::program::text::syntax::Span;
use crate::program::ty::{Element, Ty, ValueId};

/// The type of integers about which a program says nothing.
pub(super) fn default_type() -> IntType {
    IntType::new(64, true).unwrap_or_else(|_| broken_invariant("i64 is a type"))
}

struct Finish {
    classes: Classes,
    types: Vec<Ty>,
    /// Values that are other ones.
    same: HashMap<ValueId, ValueId>,
    /// The modulus of each residue, unless it is a number.
    moduli: Vec<Option<ValueId>>,
    /// Values that are computed already: those of the inputs first.
    computed: HashSet<ValueId>,
}

pub(super) fn finish(mut lower: Lower<'_>, text: &Arc<str>) -> Result<TypedProgram> {
    let classes = core::mem::take(&mut lower.classes);
    let ty = |known: &Known| Ty {
        element: classes.known(known.class).unwrap_or(Element::Int(default_type())),
        length: known.length,
    };
    let types = lower.values.iter().map(ty).collect();
    let moduli = lower.moduli.iter().map(|modulus| match modulus.modulus {
        Leaf::Value(value) => Some(value),
        Leaf::Number(_) => None,
    });
    let inputs = lower.inputs.iter().flat_map(|input| &input.parts);
    let computed = inputs.map(|part| part.value).collect();
    let mut finish = Finish { classes, types, same: HashMap::new(), moduli: moduli.collect(), computed };
    let Some(open) = lower.regions.pop() else { broken_invariant("the top region is open") };
    // Moduli that are numbers come first.
    let mut nodes = vec![];
    let mut numbers = vec![];
    for modulus in &lower.moduli {
        numbers.push(match &modulus.modulus {
            Leaf::Number(n) => Some(finish.own_constant(n, modulus.span, &mut nodes)?),
            Leaf::Value(_) => None,
        });
    }
    let mut body = finish.region(open, Span::default())?;
    body.nodes.splice(0..0, nodes);
    let mut moduli = vec![];
    for (open, number) in lower.moduli.iter().zip(numbers) {
        let value = match (&open.modulus, number) {
            (Leaf::Value(value), _) => finish.resolve(*value),
            (Leaf::Number(_), Some(value)) => value,
            (Leaf::Number(_), None) => broken_invariant("numbers are constants"),
        };
        let Some(ty) = finish.types[value.index()].as_int() else {
            return Err(type_error(open.span, "an integer as modulus", "another value"));
        };
        moduli.push(Modulus { value, ty, span: open.span });
    }
    let inputs = lower.inputs.into_iter();
    let inputs = inputs.map(|i| Input { name: i.name, ty: i.ty, elements: i.elements, parts: i.parts });
    let results = lower.outputs.iter().map(|output| finish.output(output)).collect::<Result<_>>()?;
    let (inputs, text) = (inputs.collect(), Arc::clone(text));
    let lists = lower.lists;
    Ok(TypedProgram { text, inputs, moduli, types: finish.types, body, results, lists })
}

impl Finish {
    fn resolve(&self, value: ValueId) -> ValueId {
        self.same.get(&value).map_or(value, |other| self.resolve(*other))
    }

    fn element(&self, class: Class) -> Element {
        self.classes.known(class).unwrap_or(Element::Int(default_type()))
    }

    /// A region of a node at this place.
    fn region(&mut self, open: OpenRegion, span: Span) -> Result<Region> {
        let mut nodes = vec![];
        for node in open.nodes {
            self.node(node, &mut nodes)?;
        }
        // The place of what is yielded is that of the loop or branch around.
        let mut yields = vec![];
        for (leaf, want) in open.yields {
            yields.push(self.want(&leaf, want, span, &mut nodes)?);
        }
        Ok(Region { params: open.params, nodes, yields })
    }

    fn node(&mut self, open: OpenNode, nodes: &mut Vec<Node>) -> Result<()> {
        let OpenNode { kind, args, results, span } = open;
        let mut wanted = vec![];
        for (leaf, want) in &args {
            wanted.push(self.want(leaf, *want, span, nodes)?);
        }
        let kind = match kind {
            OpenKind::Convert => {
                self.computed.extend(&results);
                self.same.insert(results[0], wanted[0]);
                return Ok(());
            }
            OpenKind::Fixed(kind) => kind,
            OpenKind::Meeting(op, class) => match self.element(class) {
                Element::Residue(_) => return self.residues(&op, wanted, &results, span, nodes),
                Element::Int(_) | Element::Bool => Kind::Integer(op),
            },
            OpenKind::For { over, after, body } => Kind::For { over, after, body: self.region(body, span)? },
            OpenKind::While { limit, condition, body } => Kind::While {
                limit,
                condition: self.region(condition, span)?,
                body: self.region(body, span)?,
            },
            OpenKind::If { then, otherwise } => {
                Kind::If { then: self.region(then, span)?, otherwise: self.region(otherwise, span)? }
            }
        };
        self.computed.extend(&results);
        nodes.push(Node { kind, args: wanted, results, span });
        Ok(())
    }

    /// An operation of operands that turned out to be residues.
    fn residues(
        &mut self,
        op: &Op,
        args: Vec<ValueId>,
        results: &[ValueId],
        span: Span,
        nodes: &mut Vec<Node>,
    ) -> Result<()> {
        if let Some(residue) = of_residues(op) {
            nodes.push(Node { kind: Kind::Residue(residue), args, results: results.to_vec(), span });
            return Ok(());
        }
        if *op == Op::Ne {
            let equal = self.add(Ty::BOOL, Kind::Residue(ResidueOp::Eq), args, span, nodes);
            nodes.push(Node { kind: Kind::Not, args: vec![equal], results: results.to_vec(), span });
            return Ok(());
        }
        let found = op.row().map_or("", |row| row.name);
        let error = type_error(span, "+ - * or ** of residues", format!("`{found}`"));
        Err(error.with_help("declare the variable with its type: var x: mod n = ..."))
    }

    fn add(&mut self, ty: Ty, kind: Kind, args: Vec<ValueId>, span: Span, nodes: &mut Vec<Node>) -> ValueId {
        self.types.push(ty);
        let value = ValueId::new(self.types.len() - 1);
        nodes.push(Node { kind, args, results: vec![value], span });
        value
    }
}
