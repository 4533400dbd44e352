//! The syntax tree of a program: what the parser makes of a text, before anything has a type.

mod expression;
mod operators;
mod place;

use limbforge_limb::IntType;

pub(in crate::program) use expression::integer_type;
pub use expression::{Expression, ExpressionKind};
pub(in crate::program) use operators::RANDOM;
pub use operators::{BUILT_IN, ELEMENT, INSTANCE, Infix, Prefix};
pub use place::{Name, Span};

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
    /// `list NAME: (types) at most count`
    List(List),
    /// A statement.
    Statement(Statement),
}

/// A list, to which instances append rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// Its name.
    pub name: Name,
    /// The type of a row: that of its column, or a tuple of those of several.
    pub ty: Type,
    /// The most rows of a run.
    pub most: Expression,
}

impl List {
    /// The types of the columns.
    #[must_use]
    pub fn columns(&self) -> &[Type] {
        match &self.ty.kind {
            TypeKind::Tuple(columns) => columns,
            _ => core::slice::from_ref(&self.ty),
        }
    }
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
    /// `emit NAME(values) where condition`: appends a row to a list, or one for each element of arrays.
    Emit {
        /// The list.
        list: Name,
        /// The values of the columns.
        values: Vec<Expression>,
        /// Where a row is appended; everywhere without one.
        condition: Option<Expression>,
    },
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
