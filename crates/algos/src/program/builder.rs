//! Programs built in Rust: each operation writes a line of the text, which is parsed at the end.

mod carried;
mod lists;
mod loops;
mod operand;
mod operations;
mod random;
mod ring;
mod value;
mod values;
mod writer;

use std::rc::Rc;

use limbforge_limb::IntType;

use super::{Program, ProgramError};
pub use lists::List;
pub use operand::Operand;
pub use ring::Ring;
pub use value::Value;
pub use values::{After, Values};
use writer::Writer;

/// Builds a program with operators and closures; the text that it writes is parsed by
/// [`finish`](Self::finish). Values are names of that text: cloning is cheap, and a value that was computed
/// within a loop or an arm is known there only.
///
/// Stage 1 of the elliptic curve method, on the curves of GMP-ECM's `-param 3`:
///
/// ```
/// use limbforge_algos::program::builder::{After, ProgramBuilder, Value};
///
/// fn double((x, z): (Value, Value), d: &Value) -> (Value, Value) {
///     let (p, m) = ((&x + &z).sqr(), (&x - &z).sqr());
///     let t = &p - &m;
///     (p * &m, &t * (m + d * &t))
/// }
/// fn add((x, z): (Value, Value), (u, w): (Value, Value)) -> (Value, Value) {
///     let (p, m) = ((&x - &z) * (&u + &w), (x + z) * (u - w));
///     ((&p + &m).sqr(), (p - m).sqr() * 2)
/// }
///
/// let p = ProgramBuilder::new();
/// let (n, s, sigma) = (p.input("N"), p.input("s"), p.input_of("sigma", "u32".parse().unwrap()));
/// let ring = p.modulus(&n);
/// let d = ring.of(&sigma) / (1_u64 << 32);
/// let start = (ring.of(2), ring.of(1));
/// let carried = (start.clone(), double(start, &d));
/// let (point, _) = p.for_bits(&s, After(1), carried, |bit, (a, b)| {
///     let (a, b) = bit.swap(a, b);
///     let (a, b) = (double(a.clone(), &d), add(a, b));
///     bit.swap(a, b)
/// });
/// let factor = point.1.int().gcd(&n);
/// let program = p.finish([("X", point.0), ("Z", point.1), ("factor", factor)])?;
/// assert_eq!(program.outputs().collect::<Vec<_>>(), ["X", "Z", "factor"]);
/// # Ok::<(), limbforge_algos::program::ProgramError>(())
/// ```
#[derive(Debug, Default)]
pub struct ProgramBuilder {
    writer: Rc<Writer>,
}

impl ProgramBuilder {
    /// A program without inputs.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let program = p.finish([("x", p.number(7))])?;
    /// assert_eq!(program.to_string(), "out x = 7\n");
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An input that has the type of its batch.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let program = p.finish([("x", p.input("a"))])?;
    /// assert_eq!(program.to_string(), "in a\nout x = a\n");
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn input(&self, name: &str) -> Value {
        self.writer.input(name, "");
        self.value(name)
    }

    /// An input of this type.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let program = p.finish([("x", p.input_of("a", "u32".parse().unwrap()))])?;
    /// assert_eq!(program.to_string(), "in a: u32\nout x = a\n");
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn input_of(&self, name: &str, ty: IntType) -> Value {
        self.writer.input(name, &format!(": {ty}"));
        self.value(name)
    }

    /// An input that is an array of so many integers for each instance.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let gaps = p.input_array("gaps", "u32".parse().unwrap(), 1000);
    /// let program = p.finish([("first", gaps.at(0))])?;
    /// assert!(program.to_string().starts_with("in gaps: [u32; 1000]\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn input_array(&self, name: &str, ty: IntType, length: u32) -> Value {
        self.writer.input(name, &format!(": [{ty}; {length}]"));
        self.value(name)
    }

    /// A number, which has the type of what it meets.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let program = p.finish([("x", p.number(-5) - p.input("a"))])?;
    /// assert_eq!(program.to_string(), "in a\nlet _1 = -5 - a\nout x = _1\n");
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn number(&self, number: impl Operand) -> Value {
        self.value(&number.written(&self.writer))
    }

    /// An array of these values.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let a = p.input("a");
    /// let powers = p.array(&[p.number(1), a.clone(), a.sqr()]);
    /// let program = p.finish([("x", powers.at(&a % 3))])?;
    /// assert!(program.to_string().contains("let _2 = [1, a, _1]\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn array(&self, elements: &[Value]) -> Value {
        let elements: Vec<_> = elements.iter().map(|element| element.written(&self.writer)).collect();
        self.computed(&format!("[{}]", elements.join(", ")))
    }

    /// Fails the instances where a condition does not hold.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let a = p.input("a");
    /// p.require(a.cmp_gt(1));
    /// let program = p.finish([("x", a)])?;
    /// assert_eq!(program.to_string(), "in a\nlet _1 = a > 1\nrequire _1\nout x = a\n");
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    pub fn require(&self, condition: impl Operand) {
        self.writer.line(&format!("require {}", condition.written(&self.writer)));
    }

    /// The program with these results.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let (a, b) = (p.input("a"), p.input("b"));
    /// let program = p.finish([("q", &a / &b), ("r", a % b)])?;
    /// assert_eq!(program.outputs().collect::<Vec<_>>(), ["q", "r"]);
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    ///
    /// # Errors
    /// [`ProgramError`] for words that are no names, for names given twice, for values that are used outside of
    /// the closure that computed them, for values of another builder, and if there are no results.
    pub fn finish<'n, V: Operand>(
        &self,
        results: impl IntoIterator<Item = (&'n str, V)>,
    ) -> Result<Program, ProgramError> {
        Program::parse(&self.writer.text(results)?)
    }

    /// The value of this name.
    fn value(&self, written: &str) -> Value {
        Value { writer: Rc::clone(&self.writer), written: written.into() }
    }

    /// A new value.
    fn computed(&self, expression: &str) -> Value {
        Value { writer: Rc::clone(&self.writer), written: self.writer.declare(expression) }
    }
}
