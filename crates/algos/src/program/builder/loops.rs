//! Loops and branches, as closures over the values that they carry.

#![expect(clippy::needless_pass_by_value, reason = "a loop takes what it carries, which its rounds replace")]

use super::values::{After, Values, listed, names};
use super::{Operand, ProgramBuilder, Value};

impl ProgramBuilder {
    /// `repeat count`: the values after so many rounds, each of which computes them from those before.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let (n, t) = (p.input("N"), p.input("t"));
    /// let y = p.repeat(&t, p.modulus(&n).of(2), |y| y.sqr());
    /// let program = p.finish([("y", y)])?;
    /// let expected = "repeat t {\n    let _3 = sqr(_2)\n    _2 = _3\n}\n";
    /// assert!(program.to_string().contains(expected));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    pub fn repeat<V: Values>(&self, count: impl Operand, carried: V, round: impl FnOnce(V) -> V) -> V {
        let head = format!("repeat {}", count.written(&self.writer));
        self.carry(&head, &carried, round)
    }

    /// `for i in from .. to`: the values after the rounds, which take the index and the values before.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let n = p.input("n");
    /// let sum = p.for_range(0, &n, p.number(0), |i, sum| sum + i.sqr());
    /// let program = p.finish([("sum", sum)])?;
    /// assert!(program.to_string().contains("for _1 in 0 .. n {\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    pub fn for_range<V: Values>(
        &self,
        from: impl Operand,
        to: impl Operand,
        carried: V,
        round: impl FnOnce(Value, V) -> V,
    ) -> V {
        let over = format!("{} .. {}", from.written(&self.writer), to.written(&self.writer));
        self.for_each(&over, After(0), &carried, round)
    }

    /// `for bit in bits(k)`: over the bits of k from its highest one, each a `bool`.
    ///
    /// ```
    /// use limbforge_algos::program::builder::{After, ProgramBuilder};
    /// let p = ProgramBuilder::new();
    /// let (k, n) = (p.input("k"), p.input("n"));
    /// let x = p.modulus(&n).of(3);
    /// let power = p.for_bits(&k, After(1), x.clone(), |bit, y| {
    ///     let y = y.sqr();
    ///     bit.select(&y * &x, &y)
    /// });
    /// let program = p.finish([("power", power)])?;
    /// assert!(program.to_string().contains("in bits(k) after 1 {\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    pub fn for_bits<V: Values>(
        &self,
        k: impl Operand,
        after: After,
        carried: V,
        round: impl FnOnce(Value, V) -> V,
    ) -> V {
        let over = format!("bits({})", k.written(&self.writer));
        self.for_each(&over, after, &carried, round)
    }

    /// `for digit in digits(k, width)`: over the digits of k of so many bits each, from its highest one.
    ///
    /// ```
    /// use limbforge_algos::program::builder::{After, ProgramBuilder};
    /// let p = ProgramBuilder::new();
    /// let sum = p.for_digits(p.input("k"), 4, After(0), p.number(0), |digit, sum| sum + digit);
    /// let program = p.finish([("sum", sum)])?;
    /// assert!(program.to_string().contains("in digits(k, 4) {\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    pub fn for_digits<V: Values>(
        &self,
        k: impl Operand,
        width: u32,
        after: After,
        carried: V,
        round: impl FnOnce(Value, V) -> V,
    ) -> V {
        let over = format!("digits({}, {width})", k.written(&self.writer));
        self.for_each(&over, after, &carried, round)
    }

    /// `for x in array`: over the elements of an array.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let gaps = p.input_array("gaps", "u64".parse().unwrap(), 9);
    /// let sum = p.for_elements(&gaps, p.number(0), |gap, sum| sum + gap);
    /// let program = p.finish([("sum", sum)])?;
    /// assert!(program.to_string().contains("in gaps {\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    pub fn for_elements<V: Values>(&self, array: &Value, carried: V, round: impl FnOnce(Value, V) -> V) -> V {
        self.for_each(&array.written(&self.writer), After(0), &carried, round)
    }

    /// `while condition limit rounds`: the values after the last round. An instance that would need more
    /// rounds fails. `condition` is written twice: before the loop, and at the end of each round.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let (a, b) = (p.input("a"), p.input("b"));
    /// let (gcd, _) = p.while_limit(1000, (a, b), |(_, b)| b.cmp_ne(0), |(a, b)| (b.clone(), a % b));
    /// let program = p.finish([("gcd", gcd)])?;
    /// assert!(program.to_string().contains("while _4 limit 1000 {\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    pub fn while_limit<V: Values>(
        &self,
        rounds: u64,
        carried: V,
        condition: impl Fn(&V) -> Value,
        round: impl FnOnce(V) -> V,
    ) -> V {
        let values = self.variables(&carried);
        let before = condition(&values);
        let holds = self.variables(&before);
        self.writer.block(&format!("while {} limit {rounds}", holds.written), || {
            let next = round(self.same(&values));
            self.assign(&values, &next);
            self.assign(&holds, &condition(&values));
        });
        values
    }

    /// `if condition { ... } else { ... }`: the values of one of the closures, which have the same shape.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let a = p.input("a");
    /// let next = p.if_else((&a % 2).cmp_eq(0), || &a / 2, || &a * 3 + 1);
    /// let program = p.finish([("next", next)])?;
    /// let expected = "= if _2 {\n    let _3 = a / 2\n    _3\n} else {\n";
    /// assert!(program.to_string().contains(expected));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    pub fn if_else<V: Values>(
        &self,
        condition: impl Operand,
        then: impl FnOnce() -> V,
        otherwise: impl FnOnce() -> V,
    ) -> V {
        let condition = condition.written(&self.writer);
        let (first, then) = self.writer.indented(|| {
            let values = then();
            self.writer.line(&listed(&values, &self.writer));
            values
        });
        let (second, other) = self.writer.indented(|| {
            let values = otherwise();
            self.writer.line(&listed(&values, &self.writer));
            values
        });
        if then.members().len() != other.members().len() {
            self.writer.mistake("arms with the same number of values", "arms with different numbers");
        }
        let values = names(&then, &self.writer);
        let arms = [first.trim_end(), second.trim_end()].map(|arm| format!("{{\n{arm}\n"));
        let [first, second] = arms;
        let blank = self.writer.blank();
        let pattern = listed(&values, &self.writer);
        self.writer.line(&format!("let {pattern} = if {condition} {first}{blank}}} else {second}{blank}}}"));
        values
    }
}
