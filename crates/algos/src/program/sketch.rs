//! Programs without a text, for tests.

use std::sync::Arc;

use limbforge_limb::IntType;

use super::region::{Input, Kind, Modulus, Node, Output, Part, Region, TypedProgram};
use super::text::syntax::Span;
use super::ty::{ModulusId, Ty, ValueId};

/// A program that grows node by node. The place of node k, counted over all regions, is the byte k.
#[derive(Debug)]
pub(crate) struct Sketch {
    program: TypedProgram,
    open: Vec<Region>,
    nodes: u32,
}

impl Sketch {
    pub(crate) fn new() -> Self {
        let (text, body) = (Arc::from(""), Region::default());
        let (inputs, moduli, types, results) = (vec![], vec![], vec![], vec![]);
        let program = TypedProgram { text, inputs, moduli, types, body, results };
        Self { program, open: vec![Region::default()], nodes: 0 }
    }

    fn value(&mut self, ty: Ty) -> ValueId {
        self.program.types.push(ty);
        ValueId::new(self.program.types.len() - 1)
    }

    /// An input, an array of so many elements if there is a number.
    pub(crate) fn input(&mut self, ty: IntType, length: Option<u32>) -> ValueId {
        let value = self.value(Ty { length, ..Ty::int(ty) });
        let (name, parts) = (format!("{value}").into(), vec![Part { value, first: 0, stride: 1 }]);
        self.program.inputs.push(Input { name, ty, elements: length.unwrap_or(1), parts });
        value
    }

    pub(crate) fn modulus(&mut self, value: ValueId) -> ModulusId {
        let (ty, span) = (self.program.plain(value), Span { start: 1000, end: 1001 });
        self.program.moduli.push(Modulus { value, ty, span });
        ModulusId::new(self.program.moduli.len() - 1)
    }

    /// A node with a result of each type.
    pub(crate) fn nodes<const K: usize>(
        &mut self,
        kind: Kind,
        args: &[ValueId],
        tys: [Ty; K],
    ) -> [ValueId; K] {
        let (results, span) = (tys.map(|ty| self.value(ty)), Span { start: self.nodes, end: self.nodes + 1 });
        self.nodes += 1;
        let node = Node { kind, args: args.to_vec(), results: results.to_vec(), span };
        if let Some(region) = self.open.last_mut() {
            region.nodes.push(node);
        }
        results
    }

    pub(crate) fn node(&mut self, kind: Kind, args: &[ValueId], ty: Ty) -> ValueId {
        let [result] = self.nodes(kind, args, [ty]);
        result
    }

    pub(crate) fn constant(&mut self, number: i64, ty: Ty) -> ValueId {
        self.node(Kind::Constant(number.into()), &[], ty)
    }

    /// Begins a region.
    pub(crate) fn begin<const K: usize>(&mut self, params: [Ty; K]) -> [ValueId; K] {
        let params = params.map(|ty| self.value(ty));
        self.open.push(Region { params: params.to_vec(), ..Region::default() });
        params
    }

    /// Ends it.
    pub(crate) fn end(&mut self, yields: &[ValueId]) -> Region {
        let region = self.open.pop().unwrap_or_default();
        Region { yields: yields.to_vec(), ..region }
    }

    pub(crate) fn output(&mut self, value: ValueId) {
        let (name, ty) = (format!("{value}").into(), self.program.plain(value));
        let (elements, parts) =
            (self.program.elements(value) as u32, vec![Part { value, first: 0, stride: 1 }]);
        self.program.results.push(Output { name, ty, elements, parts });
    }

    pub(crate) fn finish(mut self) -> TypedProgram {
        self.program.body = self.open.pop().unwrap_or_default();
        self.program
    }
}
