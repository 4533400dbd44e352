//! Random trees.

use num_bigint::BigUint;

use crate::op::{Syntax, operations};
use crate::program::text::syntax::*;

const NAMES: [&str; 6] = ["a", "N", "x1", "_t", "gcd", "u64"];

/// Grows a tree from choices: the same choices give the same tree.
pub(super) struct Grower<'c> {
    choices: core::slice::Iter<'c, u8>,
    depth: usize,
}

/// Levels of a tree.
const DEEPEST: usize = 12;

impl<'c> Grower<'c> {
    pub(super) fn new(choices: &'c [u8]) -> Self {
        Self { choices: choices.iter(), depth: 0 }
    }

    /// A number below n: 0 where there are no more choices or the tree is deep.
    fn below(&mut self, n: usize) -> usize {
        let choice = self.choices.next().copied().unwrap_or(0);
        if self.depth > DEEPEST { 0 } else { usize::from(choice) % n }
    }

    fn deeper<T>(&mut self, grow: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        let grown = grow(self);
        self.depth -= 1;
        grown
    }

    fn some<T>(&mut self, least: usize, mut grow: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..least + self.below(3)).map(|_| grow(self)).collect()
    }

    fn name(&mut self) -> Name {
        Name { text: NAMES[self.below(NAMES.len())].into(), span: Span::default() }
    }

    pub(super) fn tree(&mut self) -> Tree {
        let mut items = vec![];
        while self.choices.len() > 0 {
            items.push(self.item());
        }
        Tree { items }
    }

    fn item(&mut self) -> Item {
        match self.below(9) {
            4 => Item::List(List { name: self.name(), ty: self.ty(), most: self.expression() }),
            0 => Item::Const { name: self.name(), value: self.expression() },
            1 => Item::Inputs(self.some(1, |own| (own.name(), own.maybe(Self::ty)))),
            2 => Item::Function(Function {
                name: self.name(),
                parameters: self.some(1, Self::pattern),
                body: self.block(),
            }),
            3 => Item::Outputs(self.some(1, |own| (own.name(), own.maybe(Self::expression)))),
            _ => Item::Statement(self.statement()),
        }
    }

    fn maybe<T>(&mut self, grow: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(2) == 1).then(|| grow(self))
    }

    fn pattern(&mut self) -> Pattern {
        match self.below(3) {
            2 => Pattern::Tuple(self.deeper(|own| own.some(2, Self::pattern)), Span::default()),
            _ => Pattern::Name(self.name()),
        }
    }

    fn place(&mut self) -> Place {
        match self.below(4) {
            2 => Place::Element(self.name(), self.expression()),
            3 => Place::Tuple(self.deeper(|own| own.some(2, Self::place)), Span::default()),
            _ => Place::Name(self.name()),
        }
    }

    fn ty(&mut self) -> Type {
        let kind = self.deeper(|own| match own.below(5) {
            0 => TypeKind::Bool,
            1 => TypeKind::Int(["u1", "i64", "u131"][own.below(3)].parse().unwrap()),
            2 => TypeKind::Residue(own.name()),
            3 => TypeKind::Array(Box::new(own.ty()), Box::new(own.expression())),
            _ => TypeKind::Tuple(own.some(2, Self::ty)),
        });
        Type { kind, span: Span::default() }
    }

    fn block(&mut self) -> Block {
        let statements = self.deeper(|own| own.some(0, Self::statement));
        Block { statements, span: Span::default() }
    }

    fn statement(&mut self) -> Statement {
        let kind = match self.below(11) {
            10 => StatementKind::Emit {
                list: self.name(),
                values: self.some(1, Self::expression),
                condition: self.maybe(Self::expression),
            },
            0 | 1 => StatementKind::Value(self.expression()),
            2 => StatementKind::Declare {
                is_variable: self.below(2) == 1,
                pattern: self.pattern(),
                ty: self.maybe(Self::ty),
                value: self.expression(),
            },
            3 | 4 => StatementKind::Assign { place: self.place(), value: self.expression() },
            5 => StatementKind::Repeat { count: self.expression(), body: self.block() },
            6 => StatementKind::For {
                name: self.name(),
                over: match self.below(2) {
                    0 => Over::Values(self.expression()),
                    _ => Over::Range(self.expression(), self.expression()),
                },
                after: self.maybe(Self::expression),
                body: self.block(),
            },
            7 => StatementKind::While {
                condition: self.expression(),
                limit: self.expression(),
                body: self.block(),
            },
            8 => StatementKind::Require(self.expression()),
            _ => {
                let value = self.deeper(Self::condition);
                StatementKind::Value(Expression { kind: Box::new(value), span: Span::default() })
            }
        };
        Statement { kind, span: Span::default() }
    }

    fn condition(&mut self) -> ExpressionKind {
        ExpressionKind::If {
            condition: self.expression(),
            then: self.block(),
            otherwise: self.maybe(Self::block),
        }
    }

    fn expression(&mut self) -> Expression {
        let kind = self.deeper(Self::expression_kind);
        Expression { kind: Box::new(kind), span: Span::default() }
    }

    fn expression_kind(&mut self) -> ExpressionKind {
        match self.below(17) {
            16 => ExpressionKind::Truth(self.below(2) == 1),
            0 | 1 => ExpressionKind::Name(self.name().text),
            2 => ExpressionKind::Number(BigUint::from(self.below(256)) << (8 * self.below(40))),
            3 => ExpressionKind::Tuple(self.some(2, Self::expression)),
            4 => ExpressionKind::Array(self.some(1, Self::expression)),
            5 => ExpressionKind::Each {
                element: self.expression(),
                name: self.name(),
                from: self.expression(),
                to: self.expression(),
            },
            6 => ExpressionKind::Call(self.name(), self.some(0, Self::expression)),
            7 => ExpressionKind::Element(self.expression(), self.expression()),
            8 => ExpressionKind::Mod(self.expression(), self.expression()),
            9 => self.condition(),
            10 | 11 => {
                let prefix = [Prefix::Not, Prefix::Negative, Prefix::Flip][self.below(3)];
                ExpressionKind::Prefix(prefix, self.expression())
            }
            _ => ExpressionKind::Infix(self.operator(), self.expression(), self.expression()),
        }
    }

    fn operator(&mut self) -> Infix {
        let rows: Vec<_> = operations().filter(|row| row.syntax == Syntax::Infix).collect();
        match self.below(rows.len() + 2) {
            0 => Infix::And,
            1 => Infix::Or,
            row => Infix::Operation(rows[row - 2]),
        }
    }
}
