//! What the segments of a program share, and what their items become.

use limbforge_algos::op::Why;
use limbforge_algos::program::text::syntax::Span;

use super::Case;
use super::shared_tables::Table;

/// A place of the program at which instances fail. The kernel writes 1 and its index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The place in the text.
    pub span: Span,
    /// The reasons for which they may fail there: one, or several of some operations on integers, of which the
    /// first that holds is the reason.
    pub reasons: Vec<Why>,
}

/// What all segments of a tape share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) places: Vec<Place>,
    pub(crate) cases: Vec<Case>,
    pub(crate) constants: Vec<u32>,
    /// Numbers and scalars in local memory.
    pub(crate) cold: u32,
    pub(crate) cold_scalars: u32,
    /// In shared memory.
    pub(crate) tables: Vec<Table>,
}

/// What the items become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Operations of a tape, of which a body for each value of a bit costs few.
    Tape,
    /// Statements; residues are in Montgomery form, or as they are.
    Straight { is_plain: bool },
}
