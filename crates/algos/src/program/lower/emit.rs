//! New values and nodes.

use num_bigint::BigInt;

use super::class::Class;
use super::open::{Leaf, OpenKind, OpenNode, Want};
use super::{Known, Lower, Result, type_error};
use crate::invariant::broken_invariant;
use crate::program::region::Kind;
use crate::program::text::syntax::Span;
use crate::program::ty::{Element, ValueId};

impl Lower<'_> {
    /// A new value of the region at hand.
    pub(super) fn value(&mut self, class: Class, length: Option<u32>) -> ValueId {
        let depth = self.regions.len() - 1;
        self.values.push(Known { class, length, depth });
        ValueId::new(self.values.len() - 1)
    }

    /// Adds a node with these results.
    pub(super) fn node(
        &mut self,
        kind: OpenKind,
        args: Vec<(Leaf, Want)>,
        results: Vec<ValueId>,
        span: Span,
    ) {
        let Some(region) = self.regions.last_mut() else {
            broken_invariant("there is a region to lower into")
        };
        region.nodes.push(OpenNode { kind, args, results, span });
    }

    /// Adds a node with one result, an array if an operand is one.
    pub(super) fn emit(
        &mut self,
        kind: OpenKind,
        args: Vec<(Leaf, Want)>,
        class: Class,
        span: Span,
    ) -> Result<Leaf> {
        let length = self.common_length(args.iter().map(|(leaf, _)| leaf), span)?;
        Ok(self.emit_of(kind, args, (class, length), span))
    }

    /// Adds a node with one result of this type.
    pub(super) fn emit_of(
        &mut self,
        kind: OpenKind,
        args: Vec<(Leaf, Want)>,
        (class, length): (Class, Option<u32>),
        span: Span,
    ) -> Leaf {
        let result = self.value(class, length);
        self.node(kind, args, vec![result], span);
        Leaf::Value(result)
    }

    /// The elements of the arrays among these operands.
    pub(super) fn common_length<'l>(
        &self,
        leaves: impl Iterator<Item = &'l Leaf>,
        span: Span,
    ) -> Result<Option<u32>> {
        let mut common = None;
        for length in leaves.filter_map(|leaf| self.length(leaf)) {
            if *common.get_or_insert(length) != length {
                let expected = format!("arrays of {} elements", common.unwrap_or(length));
                return Err(type_error(span, expected, format!("one of {length}")));
            }
        }
        Ok(common)
    }

    /// The number of elements, if it is an array.
    pub(super) fn length(&self, leaf: &Leaf) -> Option<u32> {
        match leaf {
            Leaf::Number(_) => None,
            Leaf::Value(value) => self.values[value.index()].length,
        }
    }

    /// The class of a value; numbers have none.
    pub(super) fn class(&self, leaf: &Leaf) -> Option<Class> {
        match leaf {
            Leaf::Number(_) => None,
            Leaf::Value(value) => Some(self.values[value.index()].class),
        }
    }

    /// The type of a value, if it is known; numbers have none.
    pub(super) fn element(&self, leaf: &Leaf) -> Option<Element> {
        self.classes.known(self.class(leaf)?)
    }

    pub(super) fn is_bool(&self, leaf: &Leaf) -> bool {
        self.element(leaf) == Some(Element::Bool)
    }

    pub(super) fn is_residue(&self, leaf: &Leaf) -> bool {
        matches!(self.element(leaf), Some(Element::Residue(_)))
    }

    pub(super) fn bool_class(&mut self) -> Class {
        self.classes.of(Element::Bool)
    }

    /// `true` or `false`.
    pub(super) fn truth(&mut self, value: bool, span: Span) -> Leaf {
        let class = self.bool_class();
        let constant = OpenKind::Fixed(Kind::Constant(BigInt::from(u8::from(value))));
        self.emit_of(constant, vec![], (class, None), span)
    }

    /// The type in words, for errors.
    pub(super) fn describe(&self, leaf: &Leaf) -> String {
        let element = match (leaf, self.element(leaf)) {
            (Leaf::Number(_), _) => "a number".to_owned(),
            (_, None) => "an integer".to_owned(),
            (_, Some(Element::Bool)) => "a bool".to_owned(),
            (_, Some(Element::Int(ty))) => ty.to_string(),
            (_, Some(Element::Residue(_))) => "a residue".to_owned(),
        };
        match self.length(leaf) {
            Some(length) => format!("an array of {length} ({element})"),
            None => element,
        }
    }
}
