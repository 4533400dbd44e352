//! `is_prime` by residue number systems: `docs/primality.md`.
//!
//! | part | launches | instances |
//! | --- | --- | --- |
//! | small factors | one | the batch |
//! | strong test to the base 2 | `P mod n` and d; enter, powers of 2, leave; the end of the test | a list of those that are open |
//! | strong Lucas test | W_1 and m; `P mod n`, `2 P mod n`, `W_1 P mod n`; enter, the sequence, leave twice; `W_d`; the end | a list of those that have passed |
//! | verdicts | one | the batch |
//! | `is_prime` | one, whose blocks exit if all their instances have a verdict | those that no part has served |

mod chains;
mod lists;

use limbforge_algos::expr::{Expr, Op};
use limbforge_limb::IntType;

use super::{named, unsigned};
use crate::kernel::modmul_rns::{Shape, System, verdict};
use crate::pipeline::Source;
use crate::pipeline::build::{Builder, Value};
use crate::spec::{InputForm, Part, SkipMask, SpecError};
use lists::List;

/// The bit of the places of a list that are empty.
const EMPTY: SkipMask = SkipMask { mask: 1 };
/// Words of 32 bits of an instance's flags and of a place of a list.
const FLAG_WORDS: u32 = 4;

/// What all launches of a test share.
struct Test {
    node: usize,
    system: System,
    shape: Shape,
    /// Values that have a name.
    named: u8,
}

/// The kernel of expressions over values: its type, that of the results, the part of a test, and the list of its
/// instances.
struct Computed {
    types: [IntType; 2],
    part: Part,
    list: Option<Source>,
}

impl Builder<'_> {
    /// Adds the kernels of a test; returns it in terms of what they leave, and the type to compute it in.
    pub(super) fn prime_test(&mut self, node: usize) -> Result<(Expr, IntType), SpecError> {
        let n = self.instances(self.spec.dag.nodes()[node].args[0].index())?;
        let system = System::for_tests(self.spec.ty.bits());
        let shape = Shape::new(system.residues(), system.plan().bounds.joining, self.limits)?;
        let mut test = Test { node, system, shape, named: 0 };
        let types = [self.spec.ty, self.verdict_type()?];
        let small = Computed { types, part: Part::Small, list: None };
        let [small] = self.values_of(&mut test, [is_prime(&n)], &small);
        let first = self.first_list(&mut test, small.source, &n)?;
        let (strong, served) = self.strong_to_two(&mut test, &first)?;
        let second = self.next_list(&mut test, [strong, first.places, served], &first.numbers)?;
        let (lucas, lucas_served) = self.lucas_test(&mut test, &second)?;
        let words = self.spec.limb.instance_words(types[1]);
        let kernel = verdict(words, (self.spec.target, self.limits))?;
        let read = [small.source, first.place, served, strong, second.place, lucas_served, lucas];
        let flags = self.launch(kernel, read.to_vec(), FLAG_WORDS.into());
        let flags = self.named(node, 'f', flags, InputForm::Narrow { words: FLAG_WORDS });
        let other = self.other(node, Op::IsPrime, &[&n], flags.source);
        let known = (named(&flags) >> 32).cmp_ne(&Expr::literal(0_u32));
        let ty = unsigned(u64::from(self.spec.ty.bits()).max(128))?;
        Ok((known.select(&(named(&flags) & Expr::literal(1_u32)), &other), ty))
    }

    /// The verdicts of strong tests to the base 2 of the numbers of a list, and whether they were served.
    fn strong_to_two(&mut self, test: &mut Test, list: &List) -> Result<(Source, Source), SpecError> {
        let (ty, n) = (self.spec.ty, &list.numbers);
        let [form] = self.forms(test, [1], list)?;
        let less = named(n) ^ Expr::literal(1_u32);
        let [d] = self.values_of(test, [less.clone() >> less.ctz()], &list.computed([ty; 2]));
        let ([power], served) = self.chains(test, (&form, form.source), &d, list)?;
        let end = Computed { part: Part::AfterPower, ..list.computed([ty, self.verdict_type()?]) };
        let [verdict] = self.values_of(test, [strong(n, &power)], &end);
        Ok((verdict.source, served))
    }

    /// The verdicts of strong Lucas tests of the numbers of a list, and whether they were served.
    fn lucas_test(&mut self, test: &mut Test, list: &List) -> Result<(Source, Source), SpecError> {
        let (ty, n) = (self.spec.ty, &list.numbers);
        let first = Computed { part: Part::LucasFirst, ..list.computed([ty; 2]) };
        let [p] = self.values_of(test, [is_prime(n)], &first);
        let one = || Expr::literal(1_u32);
        let next = named(n) + one();
        let [m] = self.values_of(test, [next.clone() >> (next.ctz() + one())], &list.computed([ty; 2]));
        let [form, two] = self.forms(test, [1, 2], list)?;
        let product = Expr::operation(Op::MulMod, vec![named(&p), named(&form), named(n)]);
        let [first] = self.values_of(test, [product], &list.computed([ty; 2]));
        let ([low, high], served) = self.chains(test, (&two, first.source), &m, list)?;
        let [w] = self.values_of(test, [last_of_ladder(n, &p, [&low, &high])], &list.computed([ty; 2]));
        let end = Computed { part: Part::AfterLadder, ..list.computed([ty, self.verdict_type()?]) };
        let [verdict] = self.values_of(test, [strong(n, &w)], &end);
        Ok((verdict.source, served))
    }

    /// The type of verdicts, as short as kernels write words in vectors.
    fn verdict_type(&self) -> Result<IntType, SpecError> {
        unsigned(self.spec.ty.bits().min(128).into())
    }
}

impl Test {
    /// The letter of the next value.
    const fn letter(&mut self) -> char {
        self.named += 1;
        (b'@' + self.named) as char
    }
}

fn is_prime(n: &Value) -> Expr {
    Expr::operation(Op::IsPrime, vec![named(n)])
}

fn strong(n: &Value, x: &Value) -> Expr {
    Expr::operation(Op::IsStrongProbablePrime, vec![named(n), named(x)])
}

/// `W_d` of `W_m` and `W_(m+1)` for `d = 2 m + 1`: their product less `W_1`. It is n, which passes, if they are equal
/// or opposite, and 1, which does not, if `W_1` is n, which is composite then.
fn last_of_ladder(n: &Value, p: &Value, [low, high]: [&Value; 2]) -> Expr {
    let [n, p, low, high] = [n, p, low, high].map(named);
    let product = Expr::operation(Op::MulMod, vec![low.clone(), high.clone(), n.clone()]);
    let difference = product.clone() - p.clone();
    let last = product.cmp_lt(&p).select(&(difference.clone() + n.clone()), &difference);
    let passes = low.cmp_eq(&high) | (low + high).cmp_eq(&n);
    p.cmp_eq(&n).select(&Expr::literal(1_u32), &passes.select(&n, &last))
}
