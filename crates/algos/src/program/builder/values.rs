//! Several values at once: what loops carry and arms give.

use std::rc::Rc;

use super::operand::Operand;
use super::value::Value;
use super::writer::Writer;

/// Rounds that a loop over bits or digits leaves out at the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct After(pub u64);

/// A value, or tuples, arrays and vectors of them: what a loop carries keeps its shape.
///
/// ```
/// use limbforge_algos::program::builder::{ProgramBuilder, Values};
/// let p = ProgramBuilder::new();
/// let pair = (p.input("a"), [p.input("b"), p.input("c")]);
/// assert_eq!(pair.members().len(), 3);
/// ```
pub trait Values: Sized {
    /// The values in order.
    fn members(&self) -> Vec<Value>;

    /// The same shape with other values. `next` gives as many as there are members.
    #[must_use]
    fn with_members(&self, next: &mut dyn FnMut() -> Value) -> Self;
}

impl Values for Value {
    fn members(&self) -> Vec<Value> {
        vec![self.clone()]
    }

    fn with_members(&self, next: &mut dyn FnMut() -> Value) -> Self {
        next()
    }
}

impl<T: Values, const N: usize> Values for [T; N] {
    fn members(&self) -> Vec<Value> {
        self.iter().flat_map(T::members).collect()
    }

    fn with_members(&self, next: &mut dyn FnMut() -> Value) -> Self {
        core::array::from_fn(|i| self[i].with_members(next))
    }
}

impl<T: Values> Values for Vec<T> {
    fn members(&self) -> Vec<Value> {
        self.iter().flat_map(T::members).collect()
    }

    fn with_members(&self, next: &mut dyn FnMut() -> Value) -> Self {
        self.iter().map(|member| member.with_members(next)).collect()
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {$(
        #[allow(non_snake_case, clippy::unused_unit, reason = "one macro for tuples of all lengths")]
        impl<$($name: Values),*> Values for ($($name,)*) {
            fn members(&self) -> Vec<Value> {
                let ($($name,)*) = self;
                let members: Vec<Vec<Value>> = vec![$($name.members()),*];
                members.concat()
            }

            fn with_members(&self, _next: &mut dyn FnMut() -> Value) -> Self {
                let ($($name,)*) = self;
                ($($name.with_members(_next),)*)
            }
        }
    )*};
}
tuples! { () (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) }

/// The values as an expression or a pattern: one by itself, several as a tuple.
pub(super) fn listed(values: &impl Values, writer: &Rc<Writer>) -> String {
    let members: Vec<_> = values.members().iter().map(|member| member.written(writer)).collect();
    if members.len() == 1 { members[0].to_string() } else { format!("({})", members.join(", ")) }
}

/// New names for values of this shape.
pub(super) fn names<V: Values>(shape: &V, writer: &Rc<Writer>) -> V {
    shape.with_members(&mut || Value { writer: Rc::clone(writer), written: writer.new_name() })
}
