//! The syntax tree of a program: what the parser makes of a text, before anything has a type.

use core::fmt;
use std::sync::Arc;

use limbforge_limb::IntType;
use num_bigint::BigUint;

use crate::op::Operation;

/// A place in a text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// From the start of this place to the end of another.
    #[must_use]
    pub const fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }
}

/// A name at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: Arc<str>,
    /// Its place.
    pub span: Span,
}

/// The items of a program in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The items.
    pub items: Vec<Item>,
}

/// An item of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `const NAME = value`
    Const {
        /// The name.
        name: Name,
        /// Its value: of numbers and other constants.
        value: Expression,
    },
    /// `in N, s, sigma: u32`: those without a type have that of their batches.
    Inputs(Vec<(Name, Option<Type>)>),
    /// `fn NAME(patterns) = value`, or with a block.
    Function(Function),
    /// `out X, factor = gcd(int(Z), N)`: without a value that of the variable of this name.
    Outputs(Vec<(Name, Option<Expression>)>),
    /// A statement.
    Statement(Statement),
}

/// A function, which is inlined where it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Pattern>,
    /// Its body; `= value` is a block of nothing but a value.
    pub body: Block,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The statement.
    pub kind: StatementKind,
    /// Its place, without the block of a loop.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `let pattern: type = value` or, if it may be assigned again, `var`.
    Declare {
        /// Whether it is a `var`.
        is_variable: bool,
        /// The names.
        pattern: Pattern,
        /// The type, if it is written.
        ty: Option<Type>,
        /// The value.
        value: Expression,
    },
    /// `place = value`
    Assign {
        /// The variables.
        place: Place,
        /// The value.
        value: Expression,
    },
    /// `repeat count { ... }`
    Repeat {
        /// How often.
        count: Expression,
        /// What.
        body: Block,
    },
    /// `for name in over after n { ... }`
    For {
        /// The name of the index, bit, digit or element.
        name: Name,
        /// What the loop runs over.
        over: Over,
        /// Rounds that are left out at the beginning.
        after: Option<Expression>,
        /// The body.
        body: Block,
    },
    /// `while condition limit rounds { ... }`
    While {
        /// Evaluated before each round.
        condition: Expression,
        /// An instance that would need more rounds fails.
        limit: Expression,
        /// The body.
        body: Block,
    },
    /// `require condition`: an instance fails unless it holds.
    Require(Expression),
    /// An expression: the value of a block if it is its last statement, or an `if` for its assignments.
    Value(Expression),
}

/// What a `for` loop runs over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Over {
    /// `from .. to`: from, from + 1, ..., to - 1.
    Range(Expression, Expression),
    /// `bits(e)`, `digits(e, w)` or an array.
    Values(Expression),
}

/// Variables that are assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A variable.
    Name(Name),
    /// An element of an array variable.
    Element(Name, Expression),
    /// Several.
    Tuple(Vec<Self>, Span),
}

/// Names that take a value apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One name for the whole value.
    Name(Name),
    /// A pattern for each member of a tuple.
    Tuple(Vec<Self>, Span),
}

/// `{ statements }`: its value is its last statement, if that is a [`StatementKind::Value`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Statement>,
    /// Its place.
    pub span: Span,
}

/// A type as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// The type.
    pub kind: TypeKind,
    /// Its place.
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `bool`
    Bool,
    /// `u131`, `i64`
    Int(IntType),
    /// `mod n`
    Residue(Name),
    /// `[T; k]`
    Array(Box<Type>, Box<Expression>),
    /// `(T, T)`
    Tuple(Vec<Type>),
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The expression.
    pub kind: Box<ExpressionKind>,
    /// Its place.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// A number, which has no type of its own.
    Number(BigUint),
    /// `true` or `false`.
    Truth(bool),
    /// A variable, constant or input.
    Name(Arc<str>),
    /// `(a, b)`, of at least two members.
    Tuple(Vec<Expression>),
    /// `[a, b]`, of at least one element.
    Array(Vec<Expression>),
    /// `[element for name in from .. to]`
    Each {
        /// The element.
        element: Expression,
        /// The name of the index.
        name: Name,
        /// The first index.
        from: Expression,
        /// The index after the last one.
        to: Expression,
    },
    /// `name(operands)`: a function of the program, of [`BUILT_IN`], of the table of operations, or a type.
    Call(Name, Vec<Expression>),
    /// `array[index]`
    Element(Expression, Expression),
    /// `-a`, `~a` or `not a`
    Prefix(Prefix, Expression),
    /// `a + b`
    Infix(Infix, Expression, Expression),
    /// `value mod modulus`
    Mod(Expression, Expression),
    /// `if condition { ... } else { ... }`
    If {
        /// The condition.
        condition: Expression,
        /// The block where it holds.
        then: Block,
        /// The block where it does not.
        otherwise: Option<Block>,
    },
}

/// Signs before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Prefix {
    /// `-a`
    Negative,
    /// `~a`: all bits flipped.
    Flip,
    /// `not a`, of a `bool`.
    Not,
}

/// Operators between two operands.
#[derive(Clone, Copy, Debug)]
pub enum Infix {
    /// A row of the table of operations, `**` among them.
    Operation(&'static Operation),
    /// `and`: the right side is evaluated where the left one holds.
    And,
    /// `or`: the right side is evaluated where the left one does not hold.
    Or,
}

impl Infix {
    /// The sign or word.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Operation(row) => row.name,
            Self::And => "and",
            Self::Or => "or",
        }
    }
}

impl PartialEq for Infix {
    fn eq(&self, other: &Self) -> bool {
        self.sign() == other.sign()
    }
}

impl Eq for Infix {}

impl fmt::Display for Infix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.sign())
    }
}

/// Functions of programs that are not in the table of operations: name, operands, value.
pub const BUILT_IN: &[(&str, &[&str], &str)] = &[
    ("int", &["x"], "the number of a residue, from 0 to n - 1, of the type of its modulus"),
    ("bit", &["k", "i"], "bit i of k as a `bool`; false beyond the highest one"),
    ("bit_length", &["k"], "the bits of |k| without leading zeros, as a `u32`"),
    ("jacobi", &["x"], "the Jacobi symbol (x / n) of a residue mod n, an `i64`"),
    ("swap", &["c", "P", "Q"], "(Q, P) where c holds, else (P, Q)"),
    ("bits", &["k"], "after `in` of a `for`: the bits of k from its highest one"),
    ("digits", &["k", "w"], "after `in` of a `for`: the digits of k of w bits each, from its highest one"),
];
