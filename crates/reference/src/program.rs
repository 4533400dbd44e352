//! The meaning of programs: a second reading of the language, from the syntax tree alone.
//!
//! It knows nothing of the intermediate representation, shares no code with it, and takes one instance at a
//! time in integers without bound. Every backend is compared with it.
//!
//! A program is read twice. The survey runs both arms of every `if` and one round of every loop without the
//! numbers of inputs: it finds the types of variables that start as numbers without a type. Then each instance
//! runs with these types.
//!
//! # Places of failures
//!
//! | failure | place |
//! | --- | --- |
//! | of an operator, a function or a power | its whole expression, `a / b` or `modinv(a, n)` |
//! | `INDEX` | `a[i]`; where an element is assigned, from the array's name to the index |
//! | `EVEN`, `DIV0` of a modulus | the n of the first `mod n` in the text; found by the first residue that is made |
//! | `LIMIT` | the `while` statement without its block |
//! | `REQUIRE` | the statement |
//!
//! Operands come before what is computed from them, the left one first. An array fails as its first element
//! that fails.

mod assigned;
mod batch;
mod class;
mod convert;
mod evaluate;
mod exact;
mod function;
mod interface;
mod lists;
mod loops;
mod operation;
mod random;
mod residue;
mod scope;
mod statement;
mod value;

use std::collections::HashMap;
use std::sync::Arc;

use limbforge_algos::program::text::syntax::{Function, Item, Span, Tree};
use limbforge_limb::IntType;
use num_bigint::BigInt;

pub use batch::Expected;
use class::{Classes, Key};
pub use lists::Row;
use scope::{Scope, Variable};
use value::Value;

/// The reason why an instance has no results, and the place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stopped {
    /// `DIV0`, `NOINVERSE`, `EVEN`, `INDEX`, `LIMIT`, `REQUIRE`, `NEGATIVE`, `INEXACT`, `OVERFLOW` or `DEGREE`.
    pub mark: &'static str,
    /// The place.
    pub place: Span,
}

/// A result of one instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its name.
    pub name: Arc<str>,
    /// The type of its batch.
    pub ty: IntType,
    /// Its integers in the range of the type; one unless it is an array or a tuple.
    pub values: Vec<BigInt>,
}

/// A program whose inputs have these types.
#[derive(Debug)]
pub struct Reading<'t> {
    tree: &'t Tree,
    types: Vec<(Arc<str>, IntType)>,
    classes: Classes,
    /// The results without their numbers.
    shapes: Vec<(Arc<str>, Value)>,
}

impl<'t> Reading<'t> {
    /// Surveys a program for batches of these types.
    ///
    /// # Panics
    /// If the program has no types for them.
    #[must_use]
    pub fn new(tree: &'t Tree, types: &[(&str, IntType)]) -> Self {
        let types: Vec<(Arc<str>, IntType)> = types.iter().map(|(name, ty)| ((*name).into(), *ty)).collect();
        let mut survey = Run::new(&types, None, Classes::default());
        if let Err(stopped) = survey.program(tree) {
            panic!("a survey has no failures, found {stopped:?}");
        }
        let (mut classes, shapes) = (survey.classes, survey.shapes);
        classes.settle();
        Self { tree, types, classes, shapes }
    }

    /// The results of an instance with these integers for each input, in the program's order.
    ///
    /// # Errors
    /// The first failure in the program's order.
    ///
    /// # Panics
    /// If an input is missing or has another number of integers.
    pub fn run(&self, inputs: &[(&str, Vec<BigInt>)]) -> Result<Vec<Output>, Stopped> {
        self.run_instance(0, inputs)
    }
}

/// As [`Reading::run`], of inputs with the types of their batches.
///
/// # Errors
/// The first failure in the program's order.
///
/// # Panics
/// If the program has no types for these inputs, or an input is missing or has another number of integers.
pub fn run(tree: &Tree, inputs: &[(&str, IntType, Vec<BigInt>)]) -> Result<Vec<Output>, Stopped> {
    let types: Vec<_> = inputs.iter().map(|(name, ty, _)| (*name, *ty)).collect();
    let values: Vec<_> = inputs.iter().map(|(name, _, values)| (*name, values.clone())).collect();
    Reading::new(tree, &types).run(&values)
}

/// One walk over a program: a survey, or the run of an instance.
struct Run<'t> {
    types: &'t [(Arc<str>, IntType)],
    /// The number of the instance.
    instance: usize,
    /// The integers of the instance; `None` in a survey.
    inputs: Option<HashMap<String, Vec<BigInt>>>,
    classes: Classes,
    /// The moduli that were evaluated so far.
    moduli: HashMap<String, BigInt>,
    constants: Scope,
    functions: HashMap<Arc<str>, &'t Function>,
    /// Names from the outermost block inwards.
    scopes: Vec<Scope>,
    /// The calls and the elements around the present place: a text is read anew for each.
    path: Vec<Span>,
    /// The results of a survey, and of an instance.
    shapes: Vec<(Arc<str>, Value)>,
    outputs: Vec<Output>,
    lists: Vec<lists::List>,
}

impl<'t> Run<'t> {
    fn new(
        types: &'t [(Arc<str>, IntType)],
        inputs: Option<HashMap<String, Vec<BigInt>>>,
        classes: Classes,
    ) -> Self {
        Self {
            types,
            instance: 0,
            inputs,
            classes,
            moduli: HashMap::new(),
            constants: Scope::default(),
            functions: HashMap::new(),
            scopes: vec![Scope::default()],
            path: vec![],
            shapes: vec![],
            outputs: vec![],
            lists: vec![],
        }
    }

    /// Both arms of branches run, and numbers are unknown.
    const fn is_survey(&self) -> bool {
        self.inputs.is_none()
    }

    fn program(&mut self, tree: &'t Tree) -> Result<(), Stopped> {
        for item in &tree.items {
            match item {
                Item::Const { name, value } => {
                    let value = self.evaluate(value, None)?;
                    self.constants.insert(name.text.clone(), Variable::new(value.clone()));
                    self.declare(&name.text, value);
                }
                Item::Inputs(inputs) => {
                    inputs.iter().try_for_each(|(name, ty)| self.input(name, ty.as_ref()))?;
                }
                Item::List(list) => self.list(list)?,
                Item::Function(function) => {
                    self.functions.insert(function.name.text.clone(), function);
                }
                Item::Outputs(outputs) => {
                    for (name, value) in outputs {
                        self.output(name, value.as_ref())?;
                    }
                }
                Item::Statement(statement) => {
                    self.statement(statement)?;
                }
            }
        }
        Ok(())
    }

    /// The key of a type that the survey finds at a place.
    fn key(&self, span: Span, what: &str) -> Key {
        Key { path: self.path.clone(), span, what: what.to_owned() }
    }
}
