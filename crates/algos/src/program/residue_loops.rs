//! Loops over residues of one modulus as sequences of products of sums, which residue number systems compute
//! ([`modmul_rns`](crate::modmul_rns)).
//!
//! A loop of the top region qualifies if all that it carries are residues of one modulus and a round has only
//! sums, differences, products, squares and choices by the round's bit. Sums cost no step: they are terms of
//! factors. Of a branch both sides are computed.

mod error;
mod finish;
mod form;
mod lower;

use std::collections::{BTreeSet, HashMap};

use num_bigint::BigInt;

use self::form::Form;
use super::region::{Kind, Node, Region, ResidueOp, Rounds, TypedProgram};
use super::ty::{Element, ModulusId, ValueId};
use crate::sequence::{Sequence, Step, Variable};
pub use error::NotResidues;

/// A loop of the top region as a sequence.
///
/// ```
/// use limbforge_algos::program::{Program, residue_loop, stages};
/// let program = Program::parse("in N, x\nin t: u64\nvar y = x mod N\nrepeat t { y = sqr(y) - 2 }\nout y")?;
/// let ty = "u2048".parse().unwrap();
/// let typed = program.typed(&[("N", ty), ("x", ty)])?;
/// let node = stages(&typed)[0].cut_loop(&typed).unwrap();
/// let found = residue_loop(&typed, node).unwrap();
/// assert_eq!((found.sequence.steps().len(), found.given.len(), found.has_bits), (2, 1, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResidueLoop {
    /// The steps of a round. Its results are the carried values, in the order in which they are given.
    pub sequence: Sequence,
    /// The modulus.
    pub modulus: ModulusId,
    /// The values that the sequence is given: what the loop carries, under the names of its results, then
    /// residues from before the loop.
    pub given: Vec<ValueId>,
    /// Whether rounds have bits.
    pub has_bits: bool,
}

/// A loop as a sequence.
///
/// # Errors
/// [`NotResidues`] with the reason why it is none.
pub fn residue_loop(program: &TypedProgram, node: &Node) -> Result<ResidueLoop, NotResidues> {
    let Kind::For { over, body, .. } = &node.kind else { return Err(NotResidues::While) };
    let has_bits = match over {
        Rounds::Bits => true,
        Rounds::Times | Rounds::Range => false,
        Rounds::Digits(_) | Rounds::Elements => return Err(NotResidues::Elements),
    };
    let modulus = modulus_of(program, node)?;
    let mut lowering = Lowering::new(program, modulus);
    let given = lowering.give(node, body);
    if let (true, Some(&bit)) = (has_bits, body.params.first()) {
        lowering.bits.insert(bit, true);
    }
    body.nodes.iter().try_for_each(|node| lowering.node(node))?;
    let sequence = lowering.finish(body, node.results.len() as Variable)?;
    Ok(ResidueLoop { sequence, modulus, given, has_bits })
}

/// The one modulus of all that a loop carries.
fn modulus_of(program: &TypedProgram, node: &Node) -> Result<ModulusId, NotResidues> {
    let mut found = None;
    for &value in &node.results {
        let ty = program.ty(value);
        match (ty.element, ty.length) {
            (Element::Residue(modulus), None) if found.is_none_or(|known| known == modulus) => {
                found = Some(modulus);
            }
            (Element::Residue(_), None) => return Err(NotResidues::Moduli),
            _ => return Err(NotResidues::Carried { ty }),
        }
    }
    found.ok_or(NotResidues::Nothing)
}

/// A loop that becomes a sequence.
struct Lowering<'p> {
    program: &'p TypedProgram,
    modulus: ModulusId,
    /// Integers, in any region.
    constants: HashMap<ValueId, BigInt>,
    forms: HashMap<ValueId, Form>,
    /// Truths that are the round's bit, or that it is 0.
    bits: HashMap<ValueId, bool>,
    steps: Vec<Step>,
    /// The variables of sums that are steps.
    sums: HashMap<Form, Variable>,
    one: Variable,
    /// For each variable how often lambda N it is at most.
    bounds: Vec<u32>,
}

impl<'p> Lowering<'p> {
    fn new(program: &'p TypedProgram, modulus: ModulusId) -> Self {
        let mut constants = HashMap::new();
        find_constants(program.body(), &mut constants);
        let (forms, bits, sums) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { program, modulus, constants, forms, bits, steps: vec![], sums, one: 0, bounds: vec![] }
    }

    /// Gives variables to what the loop carries and to residues from before it; small numbers are multiples
    /// of 1.
    fn give(&mut self, node: &Node, body: &Region) -> Vec<ValueId> {
        let params = &body.params[body.params.len() - node.results.len()..];
        let (mut own, mut read) = (BTreeSet::new(), BTreeSet::new());
        add_own(body, &mut own);
        self.program.uses_of_region(body, &mut |value| _ = read.insert(value));
        let before = read.difference(&own).copied().filter(|&value| self.is_residue(value));
        let (numbers, before): (Vec<ValueId>, Vec<ValueId>) =
            before.partition(|&value| self.small(value).is_some());
        self.one = (params.len() + before.len()) as Variable;
        for (variable, &value) in params.iter().chain(&before).enumerate() {
            self.forms.insert(value, Form::of(variable as Variable));
            self.bounds.push(if variable < params.len() { finish::MOST_CARRIED } else { 1 });
        }
        self.bounds.push(1);
        for number in numbers {
            let form = self.small(number).map_or_else(Form::default, |small| Form::of(self.one).times(small));
            self.forms.insert(number, form);
        }
        node.results.iter().chain(&before).copied().collect()
    }

    /// Whether a value is a residue of the modulus, and no array.
    fn is_residue(&self, value: ValueId) -> bool {
        let ty = self.program.ty(value);
        ty.length.is_none() && ty.element == Element::Residue(self.modulus)
    }

    /// The small number that a residue before the loop is.
    fn small(&self, value: ValueId) -> Option<i32> {
        let nodes = &self.program.body().nodes;
        let node = nodes.iter().find(|node| node.results.contains(&value))?;
        match node.kind {
            Kind::Residue(ResidueOp::Of) => self.small_number(node.args[0]),
            _ => None,
        }
    }

    /// The number that an integer is, if it is at most 16 or that negated.
    fn small_number(&self, value: ValueId) -> Option<i32> {
        let number = i32::try_from(self.constants.get(&value)?).ok()?;
        Some(number).filter(|number| number.unsigned_abs() <= form::MOST)
    }

    /// A new variable of so many times lambda N.
    fn variable(&mut self, bound: u32) -> Result<Variable, NotResidues> {
        let variable = Variable::try_from(self.bounds.len()).map_err(|_| NotResidues::Long)?;
        self.bounds.push(bound);
        Ok(variable)
    }

    /// Adds a product; returns the variable that has it.
    fn product(&mut self, a: &Form, b: &Form) -> Result<Form, NotResidues> {
        let to = self.variable(1)?;
        self.steps.push(Step::Product { to, factors: [a.terms()?, b.terms()?] });
        Ok(Form::of(to))
    }

    /// Adds a sum unless it is there; returns the variable that has it.
    fn sum(&mut self, form: &Form) -> Result<Form, NotResidues> {
        if let Some(&known) = self.sums.get(form) {
            return Ok(Form::of(known));
        }
        let to = self.variable(form.weight(&self.bounds).max(1))?;
        self.steps.push(Step::Sum { to, terms: form.terms()? });
        self.sums.insert(form.clone(), to);
        Ok(Form::of(to))
    }

    /// The same number as a product, which has the least bound.
    fn multiplied_by_one(&mut self, form: &Form) -> Result<Form, NotResidues> {
        self.product(form, &Form::of(self.one))
    }
}

/// The values that a region and those in it define.
fn add_own(region: &Region, own: &mut BTreeSet<ValueId>) {
    own.extend(&region.params);
    for node in &region.nodes {
        own.extend(&node.results);
        node.kind.regions().into_iter().for_each(|region| add_own(region, own));
    }
}

fn find_constants(region: &Region, constants: &mut HashMap<ValueId, BigInt>) {
    for node in &region.nodes {
        if let (Kind::Constant(number), [result]) = (&node.kind, &*node.results) {
            constants.insert(*result, number.clone());
        }
        node.kind.regions().into_iter().for_each(|region| find_constants(region, constants));
    }
}
