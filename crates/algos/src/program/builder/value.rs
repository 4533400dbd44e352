//! Values of a program that is being built.

use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use limbforge_limb::IntType;

use super::operand::Operand;
use super::values::{Values, listed, names};
use super::writer::Writer;

/// A value of a [`ProgramBuilder`](super::ProgramBuilder): an integer, a residue, a `bool` or an array.
///
/// The operators of Rust are those of programs, with numbers on the right side, too: `!` is `~`, and each
/// function of the table of operations is a method.
#[derive(Clone)]
pub struct Value {
    pub(super) writer: Rc<Writer>,
    pub(super) written: Arc<str>,
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({})", self.written)
    }
}

impl Value {
    /// A new value.
    pub(super) fn computed(&self, expression: &str) -> Self {
        Self { writer: Rc::clone(&self.writer), written: self.writer.declare(expression) }
    }

    /// A function of this value and others.
    pub(super) fn call(&self, function: &str, others: &[Arc<str>]) -> Self {
        let others: String = others.iter().map(|other| format!(", {other}")).collect();
        self.computed(&format!("{function}({}{others})", self.written))
    }

    fn joined(&self, operator: &str, other: &impl Operand) -> Self {
        self.computed(&format!("{} {operator} {}", self.written, other.written(&self.writer)))
    }

    /// `a ** exponent`: of integers by a constant, of residues by any integer.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let n = p.input("n");
    /// let power = p.modulus(&n).of(2).pow(&n - 1);
    /// let program = p.finish([("is_prp", power.cmp_eq(1))])?;
    /// assert!(program.to_string().contains("_3 = _1 ** _2\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn pow(&self, exponent: impl Operand) -> Self {
        self.joined("**", &exponent)
    }

    /// `a and b` of conditions, both of which are evaluated before.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let a = p.input("a");
    /// let program = p.finish([("x", a.cmp_gt(1).and(a.cmp_lt(5)))])?;
    /// assert!(program.to_string().contains("_3 = _1 and _2\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn and(&self, other: impl Operand) -> Self {
        self.joined("and", &other)
    }

    /// `a or b` of conditions, both of which are evaluated before.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let a = p.input("a");
    /// let program = p.finish([("x", a.cmp_gt(5).or(a.cmp_lt(1)))])?;
    /// assert!(program.to_string().contains("_3 = _1 or _2\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn or(&self, other: impl Operand) -> Self {
        self.joined("or", &other)
    }

    /// `not a` of a condition.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let program = p.finish([("x", p.input("a").is_square().is_false())])?;
    /// assert!(program.to_string().contains("_2 = not _1\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn is_false(&self) -> Self {
        self.computed(&format!("not {}", self.written))
    }

    /// The value modulo 2^N as an integer of this type.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let program = p.finish([("x", p.input("a").cast("u64".parse().unwrap()))])?;
    /// assert!(program.to_string().contains("_1 = u64(a)\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn cast(&self, ty: IntType) -> Self {
        self.call(&ty.to_string(), &[])
    }

    /// The element of an array. An instance fails where there is none of this index.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let table = p.array(&[p.number(3), p.number(5)]);
    /// let program = p.finish([("x", table.at(p.input("i")))])?;
    /// assert!(program.to_string().contains("_2 = _1[i]\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn at(&self, index: impl Operand) -> Self {
        self.computed(&format!("{}[{}]", self.written, index.written(&self.writer)))
    }

    /// The array with another element at an index. An instance fails where there is none of this index.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let table = p.input_array("table", "u64".parse().unwrap(), 8);
    /// let program = p.finish([("x", table.with(p.input("i"), 7))])?;
    /// assert!(program.to_string().contains("var _1 = table\n_1[i] = 7\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn with(&self, index: impl Operand, element: impl Operand) -> Self {
        let name = self.writer.new_name();
        self.writer.line(&format!("var {name} = {}", self.written));
        let (index, element) = (index.written(&self.writer), element.written(&self.writer));
        self.writer.line(&format!("{name}[{index}] = {element}"));
        Self { writer: Rc::clone(&self.writer), written: name }
    }

    /// `(second, first)` where this condition holds, else `(first, second)`.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let (a, b) = (p.input("a"), p.input("b"));
    /// let (less, more) = a.cmp_gt(&b).swap(a, b);
    /// let program = p.finish([("less", less), ("more", more)])?;
    /// assert!(program.to_string().contains("let (_2, _3) = swap(_1, a, b)\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "operands of one shape, as of `if_else`")]
    pub fn swap<V: Values>(&self, first: V, second: V) -> (V, V) {
        let operands = [listed(&first, &self.writer), listed(&second, &self.writer)];
        let (lower, upper) = (names(&first, &self.writer), names(&second, &self.writer));
        let [left, right] = [&lower, &upper].map(|values| listed(values, &self.writer));
        let [first, second] = operands;
        self.writer.line(&format!("let ({left}, {right}) = swap({}, {first}, {second})", self.written));
        (lower, upper)
    }
}
