//! Values of the text: leaves, and tuples of them.

use super::open::Leaf;

/// A value of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Leaf(Leaf),
    Tuple(Vec<Self>),
    /// An array of tuples, as the arrays of their members.
    Rows(Vec<Self>),
}

impl Shape {
    /// The members of a tuple, or the arrays of an array of tuples.
    pub(super) fn members(&self) -> Option<&[Self]> {
        match self {
            Self::Leaf(_) => None,
            Self::Tuple(members) | Self::Rows(members) => Some(members),
        }
    }

    /// The same structure with other members.
    pub(super) fn like(&self, members: Vec<Self>) -> Self {
        if matches!(self, Self::Rows(_)) { Self::Rows(members) } else { Self::Tuple(members) }
    }

    /// An array of values of this structure.
    pub(super) fn into_rows(self) -> Self {
        match self {
            Self::Tuple(members) => Self::Rows(members),
            other => other,
        }
    }

    /// An element of an array of this structure.
    pub(super) fn into_element(self) -> Self {
        match self {
            Self::Rows(members) => Self::Tuple(members),
            other => other,
        }
    }

    /// The leaves in order.
    pub(super) fn leaves(&self) -> Vec<&Leaf> {
        match self {
            Self::Leaf(leaf) => vec![leaf],
            Self::Tuple(members) | Self::Rows(members) => members.iter().flat_map(Self::leaves).collect(),
        }
    }

    /// A value of the same structure with other leaves.
    pub(super) fn with(&self, leaves: &mut impl Iterator<Item = Leaf>) -> Self {
        match self {
            Self::Leaf(leaf) => Self::Leaf(leaves.next().unwrap_or_else(|| leaf.clone())),
            Self::Tuple(members) | Self::Rows(members) => {
                self.like(members.iter().map(|member| member.with(leaves)).collect())
            }
        }
    }

    /// The shape with a function applied to each leaf.
    pub(super) fn map<E>(&self, f: &mut impl FnMut(&Leaf) -> Result<Leaf, E>) -> Result<Self, E> {
        Ok(match self {
            Self::Leaf(leaf) => Self::Leaf(f(leaf)?),
            Self::Tuple(members) | Self::Rows(members) => {
                self.like(members.iter().map(|member| member.map(f)).collect::<Result<_, _>>()?)
            }
        })
    }

    /// A few words for errors.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Leaf(_) => "a value".to_owned(),
            Self::Tuple(members) => format!("a tuple of {} values", members.len()),
            Self::Rows(members) => format!("an array of tuples of {} values", members.len()),
        }
    }
}
