//! Reads of arrays a round ahead: the elements of the next round come from memory while this one computes.

use super::text::{Text, word};
use crate::program::tape::code::{Class, Instr, Item, Var, What};
use crate::program::tape::flatten;
use crate::spec::NotStraight;

/// Bits from which on an index that wraps around is outside of every array before and behind it.
const LEAST_BITS: u32 = 32;

/// A read in a loop's body that is done a round ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ahead {
    instr: Instr,
    /// Whether the index falls, and does not rise, by 1 from round to round.
    falls: bool,
}

impl Text<'_> {
    /// Reads the elements of the first round before a loop, and notes that its body reads those of the next one.
    /// Returns the number of such reads.
    pub(super) fn read_ahead(&mut self, index: Var, body: &[Item]) -> Result<usize, NotStraight> {
        let Indices { moving, steps } = Indices::of(index, body);
        let reads = ahead(&moving, body);
        if reads.is_empty() {
            return Ok(0);
        }
        // The indices of the first round.
        for step in &steps {
            self.op(step)?;
        }
        for read in &reads {
            let (value, array, ty) = self.names(&read.instr);
            let place = self.cold(&read.instr);
            self.declare(format!("{ty} {value}_ahead = {{}};"));
            self.line(&format!("{value}_ahead = {array}[{place}];"));
        }
        self.ahead.extend(&reads);
        Ok(reads.len())
    }

    /// Takes the value of a read that was done ahead, and reads that of the next round; false of other operations.
    pub(super) fn take_ahead(&mut self, instr: &Instr) -> bool {
        let Some(read) = self.ahead.iter().find(|read| read.instr == *instr).copied() else { return false };
        let (value, array, _) = self.names(instr);
        let next = format!("({} {} 1)", self.y(instr), if read.falls { "-" } else { "+" });
        let (base, length) = (word(instr.low), word(instr.high));
        self.line(&format!("{value} = {value}_ahead;"));
        self.line(&format!("{value}_ahead = {array}[{base} + ({next} < {length} ? (unsigned){next} : 0)];"));
        true
    }

    /// The value, the array and the type of a read.
    fn names(&self, read: &Instr) -> (String, &'static str, &'static str) {
        let is_scalar = read.z.is_some_and(|z| self.classes[z.index()] == Class::Scalar);
        let (array, ty) = if is_scalar { ("cold_scalars", "unsigned long long") } else { ("cold", "Num") };
        (self.z(read), array, ty)
    }
}

/// What moves by 1 from round to round of a loop.
struct Indices {
    /// The indices, and whether they fall.
    moving: Vec<(Var, bool)>,
    /// The operations that compute them from the loop's index.
    steps: Vec<Instr>,
}

impl Indices {
    fn of(index: Var, body: &[Item]) -> Self {
        let mut indices = Self { moving: vec![(index, false)], steps: vec![] };
        let mut defined = vec![];
        super::flow::defined(body, &mut defined);
        let is_fixed = |var: Option<Var>| var.is_some_and(|var| var != index && !defined.contains(&var));
        for item in body {
            let Item::Op(op) = item else { continue };
            let moves = |var: Option<Var>| {
                let known = indices.moving.iter().find(|(known, _)| Some(*known) == var);
                known.map(|(_, falls)| *falls)
            };
            let falls = match op.what {
                What::ScalarAdd if is_fixed(op.x) => moves(op.y),
                What::ScalarAdd | What::ScalarSub if is_fixed(op.y) => moves(op.x),
                What::ScalarSub if is_fixed(op.x) => moves(op.y).map(|falls| !falls),
                _ => None,
            };
            if let (Some(falls), Some(z)) = (falls, op.z)
                && word(op.high) & 0xff >= LEAST_BITS
                && defined.iter().filter(|var| **var == z).count() == 1
            {
                indices.moving.push((z, falls));
                indices.steps.push(*op);
            }
        }
        indices
    }
}

/// The reads that a loop does in each of its rounds, by an index that moves by 1, before it changes the array, if it
/// changes no element but that one.
fn ahead(moving: &[(Var, bool)], body: &[Item]) -> Vec<Ahead> {
    let writes = writes_of(body);
    let mut reads = vec![];
    for (i, item) in body.iter().enumerate() {
        let Item::Op(op) = item else { continue };
        let falls = moving.iter().find(|(var, _)| Some(*var) == op.y).map(|(_, falls)| *falls);
        let (What::ColdRead, Some(falls)) = (op.what, falls) else { continue };
        let earlier = writes_of(&body[..i]);
        let stays = writes.iter().all(|write| !meet(write, op) || write.y == op.y);
        if stays && !earlier.iter().any(|write| meet(write, op)) {
            reads.push(Ahead { instr: *op, falls });
        }
    }
    reads
}

/// All writes to arrays.
fn writes_of(items: &[Item]) -> Vec<Instr> {
    let mut code = vec![];
    flatten(items, &mut code);
    code.retain(|op| op.what == What::ColdWrite);
    code
}

/// Whether two operations may have a place in common; those of numbers and of scalars are not told apart.
fn meet(a: &Instr, b: &Instr) -> bool {
    let range = |op: &Instr| word(op.low)..word(op.low) + word(op.high).max(1);
    let (a, b) = (range(a), range(b));
    a.start < b.end && b.start < a.end
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: Var = Var(0);

    fn scalar(what: What, z: u32, x: u32, y: u32, bits: u32) -> Item {
        Item::Op(Instr::new(what).z(Var(z)).x(Var(x)).y(Var(y)).high(bits))
    }

    fn read(z: u32, y: u32, base: u32) -> Item {
        Item::Op(Instr::new(What::ColdRead).z(Var(z)).y(Var(y)).low(base).high(8).effect())
    }

    fn write(y: u32, base: u32) -> Item {
        Item::Op(Instr::new(What::ColdWrite).x(Var(90)).y(Var(y)).low(base).high(8).effect())
    }

    /// The values that are read ahead, and whether their indices fall.
    fn found(body: &[Item]) -> Vec<(u32, bool)> {
        let reads = ahead(&Indices::of(INDEX, body).moving, body);
        reads.iter().map(|read| (read.instr.z.unwrap().0, read.falls)).collect()
    }

    #[test]
    fn indices_that_move_by_one() {
        let (sub, add) = (What::ScalarSub, What::ScalarAdd);
        let body = [
            // 70 is defined before the loop: i + c, c - (i + c), that less c, and c - that.
            scalar(add, 1, 70, 0, 64),
            scalar(sub, 2, 70, 1, 32),
            scalar(sub, 3, 2, 70, 32),
            scalar(sub, 4, 70, 3, 64),
            // Twice the index, one that wraps around at 16 bits, and one of a changing number.
            scalar(add, 5, 0, 0, 64),
            scalar(add, 6, 70, 0, 16),
            scalar(sub, 7, 20, 0, 64),
            read(20, 0, 0),
            read(21, 1, 0),
            read(22, 2, 8),
            read(23, 3, 16),
            read(24, 4, 24),
            read(25, 5, 32),
            read(26, 6, 40),
            read(27, 7, 48),
            read(28, 70, 56),
        ];
        assert_eq!(found(&body), [(20, false), (21, false), (22, true), (23, true), (24, false)]);
    }

    #[test]
    fn arrays_that_change() {
        // An element that was read, another one, one that may be, one before it is read, another array.
        assert_eq!(found(&[read(20, 0, 0), write(0, 0)]), [(20, false)]);
        assert!(found(&[read(20, 0, 0), write(70, 0)]).is_empty());
        let arm = Item::If { condition: Var(71), then: vec![write(70, 7)], otherwise: vec![] };
        assert!(found(&[read(20, 0, 0), arm.clone()]).is_empty());
        assert_eq!(found(&[read(20, 0, 16), arm]), [(20, false)]);
        assert!(found(&[write(0, 0), read(20, 0, 0)]).is_empty());
        assert_eq!(found(&[write(0, 8), read(20, 0, 0)]), [(20, false)]);
    }
}
