//! Values of the text: leaves, and tuples of them.

use super::open::Leaf;

/// A value of the text. An array of tuples is a tuple of arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Leaf(Leaf),
    Tuple(Vec<Self>),
}

impl Shape {
    /// The leaves in order.
    pub(super) fn leaves(&self) -> Vec<&Leaf> {
        match self {
            Self::Leaf(leaf) => vec![leaf],
            Self::Tuple(members) => members.iter().flat_map(Self::leaves).collect(),
        }
    }

    /// A value of the same structure with other leaves.
    pub(super) fn with(&self, leaves: &mut impl Iterator<Item = Leaf>) -> Self {
        match self {
            Self::Leaf(leaf) => Self::Leaf(leaves.next().unwrap_or_else(|| leaf.clone())),
            Self::Tuple(members) => Self::Tuple(members.iter().map(|member| member.with(leaves)).collect()),
        }
    }

    /// The shape with a function applied to each leaf.
    pub(super) fn map<E>(&self, f: &mut impl FnMut(&Leaf) -> Result<Leaf, E>) -> Result<Self, E> {
        Ok(match self {
            Self::Leaf(leaf) => Self::Leaf(f(leaf)?),
            Self::Tuple(members) => {
                Self::Tuple(members.iter().map(|member| member.map(f)).collect::<Result<_, _>>()?)
            }
        })
    }

    /// A few words for errors.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Leaf(_) => "a value".to_owned(),
            Self::Tuple(members) => format!("a tuple of {} values", members.len()),
        }
    }
}
