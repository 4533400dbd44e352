//! Strong tests to any base whose power is computed in a residue number system: `docs/primality.md`.
//!
//! | launch | result |
//! | --- | --- |
//! | `m = n \| 1`, `d = (m - 1) >> ctz(m - 1)` | modulus and exponent; an even n has an answer without the power |
//! | those of a power | a number that is `base^d` modulo m |
//! | `number % m`, or -1 | the power; -1, which passes, of a base that is a multiple of m |
//! | end of the test | comparisons, and s - 1 squares |
//! | `is_strong_probable_prime` | the test of instances whose modulus has no inverse in base 1 |
//! | `select(flags, end, test)` | the result |

use limbforge_algos::expr::{Dag, Expr, Op};
use limbforge_limb::{IntType, Layout};

use super::named;
use crate::pipeline::build::{Builder, Value};
use crate::spec::{InputForm, Part, SpecError};

impl Builder<'_> {
    /// Adds the kernels of a strong test; returns it in terms of what they leave, and the type to compute it in.
    pub(super) fn strong_test(&mut self, node: usize) -> Result<(Expr, IntType), SpecError> {
        let operands = [0, 1].map(|i| self.spec.dag.nodes()[node].args[i].index());
        for operand in operands {
            self.instances(operand)?;
        }
        let [n, base] = operands.map(|operand| self.values[&operand].clone());
        let [m, d] = self.odd_parts(node, &n);
        let (number, served, ty) = self.power_of(node, [&base, &d, &m], false)?;
        let test = self.other(node, Op::IsStrongProbablePrime, &[&n, &base], served.source);
        let is_multiple = (named(&base) % named(&m)).cmp_eq(&Expr::literal(0_u32));
        let power = is_multiple.select(&(named(&m) ^ Expr::literal(1_u32)), &(number % named(&m)));
        let power = self.computed(node, 'x', &power, ty);
        let end = Expr::operation(Op::IsStrongProbablePrime, vec![named(&n), named(&power)]);
        let end = self.part_of_test(node, 'e', &end, Part::AfterPower);
        Ok((self.is_served(&served).select(&named(&end), &test), ty))
    }

    /// An odd modulus, n if it is odd, and d where it is `d 2^s + 1` for odd d; 0 of 1.
    fn odd_parts(&mut self, node: usize, n: &Value) -> [Value; 2] {
        let one = || Expr::literal(1_u32);
        let modulus = named(n) | one();
        let less = modulus.clone() ^ one();
        let dag = Dag::of_all(&[modulus, less.clone() >> less.ctz()]);
        let (ty, fails) = (self.spec.ty, self.fails(&[node, node]));
        let (spec, sources) = self.kernel_of(dag, [ty; 2], Layout::InstanceMajor, fails);
        let words = self.spec.limb.instance_words(ty).into();
        let [(m_sink, m), (d_sink, d)] = [self.sink(words), self.sink(words)];
        self.program.push(spec, sources, vec![m_sink, d_sink]);
        [('m', m), ('d', d)].map(|(letter, source)| self.named(node, letter, source, InputForm::Integers))
    }

    /// Adds a kernel of an expression that is computed in a type.
    fn computed(&mut self, node: usize, letter: char, expr: &Expr, ty: IntType) -> Value {
        let (sink, source) = self.sink(self.spec.limb.instance_words(self.spec.ty).into());
        self.expression(expr, [ty, self.spec.ty], sink, node);
        self.named(node, letter, source, InputForm::Integers)
    }

    /// Adds a kernel of a part of a test.
    fn part_of_test(&mut self, node: usize, letter: char, expr: &Expr, part: Part) -> Value {
        let (ty, fails) = (self.spec.ty, self.fails(&[node]));
        let (mut spec, sources) = self.kernel_of(expr.to_dag(), [ty; 2], Layout::InstanceMajor, fails);
        spec.part = part;
        let source = self.launch(spec, sources, self.spec.limb.instance_words(ty).into());
        self.named(node, letter, source, InputForm::Integers)
    }
}
