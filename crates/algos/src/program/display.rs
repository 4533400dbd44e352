//! Typed programs as text: the inputs, the moduli, a node on each line, the results. Equal programs have
//! equal texts, which are the keys of caches.

use core::fmt::{self, Write};

use super::region::{Kind, Node, Part, Region, Rounds, TypedProgram};
use super::ty::{Ty, ValueId};

impl fmt::Display for TypedProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for input in &self.inputs {
            write!(f, "in {}: {} x {} =", input.name, input.ty, input.elements)?;
            self.parts(f, &input.parts)?;
        }
        for (i, modulus) in self.moduli.iter().enumerate() {
            writeln!(f, "#{i} = {}: {}", modulus.value, modulus.ty)?;
        }
        for list in &self.lists {
            write!(f, "list {}: at most {} of", list.name, list.most)?;
            list.columns.iter().try_for_each(|&element| write!(f, " {}", Ty { element, length: None }))?;
            f.write_char('\n')?;
        }
        self.region(f, &self.body, 0)?;
        for output in &self.results {
            write!(f, "out {}: {} x {} =", output.name, output.ty, output.elements)?;
            self.parts(f, &output.parts)?;
        }
        Ok(())
    }
}

impl TypedProgram {
    fn parts(&self, f: &mut fmt::Formatter<'_>, parts: &[Part]) -> fmt::Result {
        for part in parts {
            let ty = self.ty(part.value);
            write!(f, " {}: {ty} at {} by {}", part.value, part.first, part.stride)?;
        }
        f.write_char('\n')
    }

    fn region(&self, f: &mut fmt::Formatter<'_>, region: &Region, depth: usize) -> fmt::Result {
        region.nodes.iter().try_for_each(|node| self.node(f, node, depth))
    }

    fn node(&self, f: &mut fmt::Formatter<'_>, node: &Node, depth: usize) -> fmt::Result {
        let indent = 2 * depth;
        write!(f, "{:indent$}", "")?;
        for (i, value) in node.results.iter().enumerate() {
            write!(f, "{}{value}: {}", if i > 0 { ", " } else { "" }, self.ty(*value))?;
        }
        if !node.results.is_empty() {
            f.write_str(" = ")?;
        }
        write!(f, "{}", node.kind)?;
        list(f, &node.args)?;
        let mut regions = node.kind.regions().into_iter().peekable();
        if regions.peek().is_none() {
            return f.write_char('\n');
        }
        for region in regions {
            f.write_str(" {")?;
            list(f, &region.params)?;
            f.write_char('\n')?;
            self.region(f, region, depth + 1)?;
            write!(f, "{:indent$}yield", "", indent = indent + 2)?;
            list(f, &region.yields)?;
            write!(f, "\n{:indent$}}}", "")?;
        }
        f.write_char('\n')
    }
}

fn list(f: &mut fmt::Formatter<'_>, values: &[ValueId]) -> fmt::Result {
    values
        .iter()
        .enumerate()
        .try_for_each(|(i, value)| write!(f, "{}{value}", if i > 0 { ", " } else { " " }))
}

/// The kind without its operands and regions.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => write!(f, "constant {value:#x}"),
            Self::Integer(op) => write!(f, "{op}"),
            Self::Cast => f.write_str("cast"),
            Self::Shift { left } => f.write_str(if *left { "shift left" } else { "shift right" }),
            Self::Not => f.write_str("not"),
            Self::And => f.write_str("and"),
            Self::Or => f.write_str("or"),
            Self::Select => f.write_str("select"),
            Self::Bit => f.write_str("bit"),
            Self::BitLength => f.write_str("bit_length"),
            Self::Residue(op) => write!(f, "residue {op:?}"),
            Self::Array => f.write_str("array"),
            Self::Index => f.write_str("index"),
            Self::Update => f.write_str("update"),
            Self::For { over, after, .. } => write!(f, "for {over} after {after}"),
            Self::While { limit, .. } => write!(f, "while limit {limit}"),
            Self::If { .. } => f.write_str("if"),
            Self::Require => f.write_str("require"),
            Self::Emit { list, guarded } => {
                write!(f, "emit {list}{}", if *guarded { " where" } else { "" })
            }
            Self::Instance => f.write_str("instance"),
            Self::Random => f.write_str("random"),
        }
    }
}

impl fmt::Display for Rounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Times => f.write_str("times"),
            Self::Range => f.write_str("range"),
            Self::Bits => f.write_str("bits"),
            Self::Digits(bits) => write!(f, "digits of {bits}"),
            Self::Elements => f.write_str("elements"),
        }
    }
}
