//! Expressions of integers and truth values: every row of the table of operations.

use limbforge_algos::op::{Domain, Flag, Operation, Outcome, operations};
use limbforge_limb::IntType;

use super::writer::{Type, Writer, holds, int};

impl Writer<'_> {
    /// A type of integers that occurs in the program.
    pub(super) fn integer_type(&mut self) -> IntType {
        let fixed = [int(64, false), int(64, true), int(32, false), int(8, false), int(7, true)];
        match self.below(8) {
            0..=3 => self.wide,
            4 | 5 => self.narrow,
            6 => self.modulus,
            _ => self.one_of(&fixed),
        }
    }

    /// An expression whose type is this one, whatever stands beside it.
    pub(super) fn integer(&mut self, ty: IntType, depth: u32) -> String {
        if depth == 0 || self.left == 0 {
            return self.integer_leaf(ty);
        }
        self.left -= 1;
        match self.below(17) {
            0 | 1 => self.integer_leaf(ty),
            16 => self.random(ty, depth - 1),
            2 => {
                let from = self.integer_type();
                format!("{ty}({})", self.integer(from, depth - 1))
            }
            3 => format!("{ty}({})", self.measure(depth - 1)),
            4 if ty == self.modulus => {
                let number = if self.one_in(3) { "key" } else { "int" };
                format!("{number}({})", self.residue(depth - 1))
            }
            5 => self.choice(&Type::Int(ty), depth - 1),
            6 => self.element(&Type::Int(ty), depth - 1),
            7 => self.call(&Type::Int(ty), depth - 1),
            8 => {
                let row = self.row(|row| row.result == Outcome::Wide);
                let from = self.integer_type();
                format!("{ty}({})", self.operation(row, from, depth - 1))
            }
            _ => {
                let row =
                    self.row(|row| matches!(row.result, Outcome::Value | Outcome::Count | Outcome::Unsigned));
                self.operation(row, ty, depth - 1)
            }
        }
    }

    /// A random integer, or one made of the number of the instance.
    fn random(&mut self, ty: IntType, depth: u32) -> String {
        let from = self.integer_type();
        let (seed, counter) = (self.integer(from, depth), self.integer(self.narrow, depth));
        match self.below(4) {
            0 => format!("{ty}(instance)"),
            1 => format!("random({ty}, {}, {counter})", self.below(18)),
            2 => format!("random({ty}, {seed}, instance)"),
            _ => format!("random({ty}, {seed}, {counter})"),
        }
    }

    pub(super) fn integer_leaf(&mut self, ty: IntType) -> String {
        let name = self.name_of(&Type::Int(ty));
        if let (Some(name), false) = (name, self.one_in(6)) {
            return name;
        }
        let others = self.named(|name| matches!(name.ty, Type::Int(_) | Type::Index));
        match self.below(3) {
            _ if others.is_empty() => format!("{ty}({})", self.literal(ty)),
            2 => format!("{ty}({})", self.literal(ty)),
            _ => format!("{ty}({})", self.one_of(&others).text),
        }
    }

    /// A number that another type or no type counts.
    fn measure(&mut self, depth: u32) -> String {
        let ty = self.integer_type();
        match self.below(3) {
            0 => format!("bit_length({})", self.integer(ty, depth)),
            1 => self.truth(depth),
            _ => format!("jacobi({})", self.residue(depth)),
        }
    }

    /// An operand beside one of this type: also a number, a narrower integer or a truth value.
    fn beside(&mut self, ty: IntType, depth: u32) -> String {
        match self.below(8) {
            4 => self.literal(ty),
            5 => {
                let narrower =
                    self.named(|name| matches!(name.ty, Type::Int(other) if other != ty && holds(ty, other)));
                if narrower.is_empty() { self.integer(ty, depth) } else { self.one_of(&narrower).text }
            }
            6 if ty.bits() > 2 => format!("({})", self.truth(depth.min(1))),
            _ => self.integer(ty, depth),
        }
    }

    /// A row of the table; slow ones at most as often as `slow` says.
    fn row(&mut self, fits: impl Fn(&Operation) -> bool) -> &'static Operation {
        let may_be_slow = self.slow > 0 && self.loops == 0;
        let rows: Vec<&'static Operation> =
            operations().filter(|row| fits(row) && (may_be_slow || !row.has(Flag::Slow))).collect();
        let row = self.one_of(&rows);
        self.slow -= u32::from(row.has(Flag::Slow));
        row
    }

    /// A comparison or a test of integers.
    pub(super) fn test(&mut self, depth: u32) -> String {
        let (row, ty) = (self.row(|row| row.result == Outcome::Truth), self.integer_type());
        self.operation(row, ty, depth)
    }

    /// A row with operands that mostly are in its domains.
    fn operation(&mut self, row: &'static Operation, ty: IntType, depth: u32) -> String {
        if row.domains.iter().all(|domain| *domain == Domain::Amount) {
            // It has the type of its amount, or of what it meets.
            let amounts = [self.integer(ty, depth), self.literal(int(12, true))];
            let amount = self.one_of(&amounts);
            return format!("({} ^ {})", self.integer_leaf(ty), row.written(&[&amount]));
        }
        let is_shift = row.word.starts_with("sh");
        let mut operands: Vec<String> = vec![];
        // The type of `select` is that of what it selects.
        let first = if row.word == "select" { 1 } else { 0 };
        for (i, domain) in row.domains.iter().enumerate() {
            operands.push(match domain {
                Domain::Amount => self.amount(ty, is_shift, depth),
                Domain::Exponent => self.below(40).to_string(),
                _ if i == first => self.integer(ty, depth),
                _ => self.beside(ty, depth),
            });
        }
        let last = operands.len() - 1;
        for (i, domain) in row.domains.iter().enumerate().rev() {
            if self.one_in(12) {
                continue;
            }
            let x = operands[i].clone();
            operands[i] = self.within(*domain, &x, &operands[last].clone(), ty);
        }
        let operands: Vec<&str> = operands.iter().map(String::as_str).collect();
        format!("({})", row.written(&operands))
    }

    /// An operand x as one of the domain.
    fn within(&mut self, domain: Domain, x: &str, last: &str, ty: IntType) -> String {
        let leaf = self.integer_leaf(ty);
        let most = (num_bigint::BigUint::from(1_u32) << (ty.bits() - u32::from(ty.is_signed()))) - 1_u32;
        match domain {
            Domain::NonZero | Domain::Odd => format!("({ty}({x}) | 1)"),
            Domain::NotNegative if ty.is_signed() => format!("({ty}({x}) & {most})"),
            Domain::Degree if ty.bits() > 5 => format!("(({leaf} & 6) | 1)"),
            Domain::Multiple => format!("({leaf} - {leaf} % {last})"),
            Domain::Below => format!("(({leaf} & {last}) & ~1)"),
            _ => x.to_owned(),
        }
    }

    /// A number of bits: a constant around the width or far beyond, or a value; of any type for shifts.
    fn amount(&mut self, ty: IntType, is_shift: bool, depth: u32) -> String {
        let near = i64::from(ty.bits()) + 70;
        let constant = |n: i64| if n < 0 { format!("(-{})", -n) } else { n.to_string() };
        match self.below(8) {
            0..=2 => constant(i64::from(self.below(2 * near as u32 + 1)) - near),
            3 => {
                let far = self.one_of(&[-1_i64 << 40, -1 << 32, -1, 0, 1, 1 << 31, 1 << 32, 1 << 40]);
                constant(far)
            }
            4 => self.integer(ty, depth),
            5 if is_shift => {
                let other = self.integer_type();
                self.integer(other, depth)
            }
            _ if ty.bits() > 5 => format!("({} & 15)", self.integer(ty, depth)),
            _ => self.integer_leaf(ty),
        }
    }
}
