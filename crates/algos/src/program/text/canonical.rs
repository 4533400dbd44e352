//! Syntax trees as text: four blanks for each block, a statement on each line, no parentheses but those that the
//! tree needs. Parsing the text gives the same tree, apart from the places.

mod expressions;

use core::fmt::{self, Display, Formatter};

use super::syntax::{
    Block, ExpressionKind, Function, Item, List, Name, Over, Pattern, Place, Statement, StatementKind, Tree,
    Type, TypeKind,
};
use expressions::Value;

/// Its canonical text: programs of equal trees have equal ones.
///
/// ```
/// use limbforge_algos::program::Program;
/// let program = Program::parse("in a,b # two\nout x=((a+b)*(2))**(-1 mod a)")?;
/// assert_eq!(program.tree().to_string(), "in a, b\nout x = ((a + b) * 2) ** (-1 mod a)\n");
/// # Ok::<(), limbforge_algos::program::ProgramError>(())
/// ```
impl Display for Tree {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.items.iter().try_for_each(|item| writeln!(f, "{item}"))
    }
}

impl Display for Item {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Const { name, value } => write!(f, "const {name} = {}", Value::new(value, 0)),
            Self::Inputs(inputs) => {
                f.write_str("in ")?;
                separated(f, inputs, |f, (name, ty)| match ty {
                    Some(ty) => write!(f, "{name}: {ty}"),
                    None => write!(f, "{name}"),
                })
            }
            Self::Function(function) => write!(f, "{function}"),
            Self::Outputs(outputs) => {
                f.write_str("out ")?;
                separated(f, outputs, |f, (name, value)| match value {
                    Some(value) => write!(f, "{name} = {}", Value::new(value, 0)),
                    None => write!(f, "{name}"),
                })
            }
            Self::List(List { name, ty, most }) => {
                write!(f, "list {name}: {ty} at most {}", Value::new(most, 0))
            }
            Self::Statement(statement) => line(f, statement, 0),
        }
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "fn {}(", self.name)?;
        separated(f, &self.parameters, |f, parameter| write!(f, "{parameter}"))?;
        f.write_str(")")?;
        match &*self.body.statements {
            [Statement { kind: StatementKind::Value(value), .. }] => write!(f, " = {}", Value::new(value, 0)),
            _ => block(f, &self.body, 0),
        }
    }
}

/// A statement in a block of so many levels.
fn line(f: &mut Formatter<'_>, statement: &Statement, level: usize) -> fmt::Result {
    let shown = |value| Value::new(value, level);
    match &statement.kind {
        StatementKind::Declare { is_variable, pattern, ty, value } => {
            write!(f, "{} {pattern}", if *is_variable { "var" } else { "let" })?;
            ty.as_ref().map_or(Ok(()), |ty| write!(f, ": {ty}"))?;
            write!(f, " = {}", shown(value))
        }
        StatementKind::Assign { place, value } => write!(f, "{place} = {}", shown(value)),
        StatementKind::Repeat { count, body } => {
            write!(f, "repeat {}", shown(count))?;
            block(f, body, level)
        }
        StatementKind::For { name, over, after, body } => {
            write!(f, "for {name} in ")?;
            match over {
                Over::Range(from, to) => write!(f, "{} .. {}", shown(from), shown(to))?,
                Over::Values(values) => write!(f, "{}", shown(values))?,
            }
            after.as_ref().map_or(Ok(()), |after| write!(f, " after {}", shown(after)))?;
            block(f, body, level)
        }
        StatementKind::While { condition, limit, body } => {
            write!(f, "while {} limit {}", shown(condition), shown(limit))?;
            block(f, body, level)
        }
        StatementKind::Require(condition) => write!(f, "require {}", shown(condition)),
        StatementKind::Emit { list, values, condition } => {
            write!(f, "emit {list}(")?;
            separated(f, values, |f, value| write!(f, "{}", Value::new(value, level)))?;
            f.write_str(")")?;
            condition.as_ref().map_or(Ok(()), |condition| write!(f, " where {}", shown(condition)))
        }
        StatementKind::Value(value) => write!(f, "{}", shown(value)),
    }
}

/// A block behind its head: on one line if it is nothing but a value without blocks.
fn block(f: &mut Formatter<'_>, block: &Block, level: usize) -> fmt::Result {
    match &*block.statements {
        [] => f.write_str(" {}"),
        [Statement { kind: StatementKind::Value(value), .. }]
            if !matches!(*value.kind, ExpressionKind::If { .. }) =>
        {
            write!(f, " {{ {} }}", Value::new(value, level))
        }
        statements => {
            f.write_str(" {\n")?;
            for statement in statements {
                write!(f, "{:1$}", "", 4 * (level + 1))?;
                line(f, statement, level + 1)?;
                f.write_str("\n")?;
            }
            write!(f, "{:1$}}}", "", 4 * level)
        }
    }
}

/// Members with commas between them.
fn separated<T>(
    f: &mut Formatter<'_>,
    members: &[T],
    mut write: impl FnMut(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, member) in members.iter().enumerate() {
        f.write_str(if i == 0 { "" } else { ", " })?;
        write(f, member)?;
    }
    Ok(())
}

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "{name}"),
            Self::Tuple(members, _) => {
                f.write_str("(")?;
                separated(f, members, |f, member| write!(f, "{member}"))?;
                f.write_str(")")
            }
        }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "{name}"),
            Self::Element(name, index) => write!(f, "{name}[{}]", Value::new(index, 0)),
            Self::Tuple(members, _) => {
                f.write_str("(")?;
                separated(f, members, |f, member| write!(f, "{member}"))?;
                f.write_str(")")
            }
        }
    }
}

/// `u64`, `bool`, `mod n`, `[u64; 3]`, `(u64, bool)`
impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            TypeKind::Bool => f.write_str("bool"),
            TypeKind::Int(ty) => write!(f, "{ty}"),
            TypeKind::Residue(modulus) => write!(f, "mod {modulus}"),
            TypeKind::Array(element, length) => write!(f, "[{element}; {}]", Value::new(length, 0)),
            TypeKind::Tuple(members) => {
                f.write_str("(")?;
                separated(f, members, |f, member| write!(f, "{member}"))?;
                f.write_str(")")
            }
        }
    }
}
