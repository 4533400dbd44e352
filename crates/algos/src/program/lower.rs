//! From the syntax tree to typed regions: names are looked up, functions inlined, tuples taken apart, numbers
//! folded, variables turned into values, and types found, in one pass over the tree. What a type decides is
//! left open in [`open`] until [`finish`] has all types.

mod array;
mod assigned;
mod branch;
mod call;
mod class;
mod constant;
mod convert;
mod emit;
mod expression;
mod finish;
mod interface;
mod lists;
mod loops;
mod meet;
mod open;
mod operation;
mod pattern;
mod random;
mod residue;
mod ring;
mod scope;
mod shape;
mod statement;
mod written;

use std::collections::HashMap;
use std::sync::Arc;

use limbforge_limb::IntType;

use super::region::{List, TypedProgram};
use super::text::syntax::{Function, Span, Tree};
use super::text::{ProgramError, ProgramErrorKind};
use class::{Class, Classes};
use interface::{OpenInput, OpenOutput};
use open::{Leaf, OpenRegion};
use scope::Scopes;

type Result<T> = core::result::Result<T, ProgramError>;

/// What is known of a value.
#[derive(Clone, Copy, Debug)]
struct Known {
    class: Class,
    length: Option<u32>,
    /// Regions around the one that computes it.
    depth: usize,
}

/// A modulus that residues have.
#[derive(Debug)]
struct OpenModulus {
    modulus: Leaf,
    span: Span,
}

/// A program that is being lowered.
struct Lower<'p> {
    /// The types of the inputs that have none in the text.
    given: &'p [(&'p str, IntType)],
    classes: Classes,
    values: Vec<Known>,
    /// The region that nodes go to, behind those around it.
    regions: Vec<OpenRegion>,
    scopes: Scopes,
    functions: HashMap<Arc<str>, &'p Function>,
    moduli: Vec<OpenModulus>,
    inputs: Vec<OpenInput>,
    outputs: Vec<OpenOutput>,
    lists: Vec<List>,
    growth: Growth,
}

/// How far functions, which are inlined, have grown the program.
#[derive(Debug, Default)]
struct Growth {
    /// Expressions within expressions, through calls.
    depth: usize,
    /// Calls so far.
    calls: usize,
}

/// Most expressions within expressions, through calls: what a stack of 2 MiB has room for in a debug build.
const MAX_DEPTH: usize = 200;
/// Most calls, and most values.
const MAX_SIZE: usize = 1 << 18;

/// The typed regions of `tree`, the syntax tree of `text`, for inputs of these types.
///
/// # Errors
/// Operations that do not take the types of their operands, and all else that the tree alone does not show.
pub(super) fn lower(text: &Arc<str>, tree: &Tree, given: &[(&str, IntType)]) -> Result<TypedProgram> {
    let mut lower = Lower {
        given,
        classes: Classes::default(),
        values: vec![],
        regions: vec![OpenRegion::default()],
        scopes: Scopes::default(),
        functions: HashMap::new(),
        moduli: vec![],
        inputs: vec![],
        outputs: vec![],
        lists: vec![],
        growth: Growth::default(),
    };
    let place = |error: ProgramError| error.placed(text);
    tree.items.iter().try_for_each(|item| lower.item(item)).map_err(place)?;
    finish::finish(lower, text).map_err(place)
}

fn type_error(span: Span, expected: impl Into<String>, found: impl Into<String>) -> ProgramError {
    ProgramError::new(ProgramErrorKind::Type, span, expected, found)
}
