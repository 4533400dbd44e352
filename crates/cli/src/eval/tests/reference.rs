//! The results of a case, one instance after the other.

use num_bigint::BigInt;

use super::files::{Case, Column, Record};

/// The integer of a type with the same residue modulo `2^bits`.
pub(super) fn wrapped(value: BigInt, bits: u64, is_signed: bool) -> BigInt {
    let all = BigInt::from(1) << bits;
    let residue: BigInt = ((value % &all) + &all) % &all;
    if is_signed && residue.bit(bits - 1) { residue - all } else { residue }
}

/// A record of so many bytes.
pub(super) fn binary(value: &BigInt, size: usize) -> Vec<u8> {
    let mut bytes = value.to_signed_bytes_le();
    bytes.resize(bytes.len().max(size), if value.sign() == num_bigint::Sign::Minus { 0xff } else { 0 });
    bytes.truncate(size);
    bytes
}

impl Case {
    /// The results before the first error that ends the run, and how that error begins.
    pub(super) fn expected(&self) -> (Vec<u8>, Option<String>) {
        let mut out = vec![];
        let counts = self.columns.each_ref().map(|column| column.records.len());
        let all_single = counts == [1, 1];
        let at =
            |column: &Column, i: usize| column.records[if column.records.len() == 1 { 0 } else { i }].clone();
        for i in 0..counts[0].max(counts[1]) {
            if let Some(ended) = (0..2).find(|&c| counts[c] > 1 && i >= counts[c]) {
                let next = self.columns[ended].next;
                return (out, Some(format!("{}{next}: expected another integer", self.name(ended))));
            }
            let records = self.columns.each_ref().map(|column| at(column, i));
            for (c, (line, record)) in records.iter().enumerate() {
                let for_all = counts[c] == 1 && !all_single;
                if matches!(record, Record::Bad) && (!self.marks || for_all) {
                    return (out, Some(format!("{}{line}: ", self.name(c))));
                }
            }
            let [(_, a), (line_of_b, b)] = records;
            match (a, b) {
                (Record::Number(a), Record::Number(b)) => match self.value(&a, &b) {
                    Some(value) => self.write_value(&value, &mut out),
                    None if self.marks => out.extend(b"!DIV0\n"),
                    None => {
                        let why = format!("{}{line_of_b}: division by zero: `b` is 0", self.name(1));
                        return (out, Some(why));
                    }
                },
                _ => out.extend(b"!SYNTAX\n"),
            }
        }
        (out, None)
    }

    /// The name of a file as errors begin with it.
    fn name(&self, column: usize) -> String {
        format!("{}:", self.names[column])
    }

    fn value(&self, a: &BigInt, b: &BigInt) -> Option<BigInt> {
        let wide = self.expression.starts_with("mul_wide");
        let value = match self.expression {
            "a + b" => a + b,
            "a * b - a" => a * b - a,
            "b - a" => b - a,
            "a / b" if *b == BigInt::ZERO => return None,
            "a / b" => a / b,
            _ => a * b,
        };
        Some(wrapped(value, if wide { 2 * self.bits } else { self.bits }, self.is_signed))
    }

    fn write_value(&self, value: &BigInt, out: &mut Vec<u8>) {
        let bits = if self.expression.starts_with("mul_wide") { 2 * self.bits } else { self.bits };
        match self.format {
            "bin" => out.extend(binary(value, bits.div_ceil(8) as usize)),
            format => {
                out.extend(value.to_str_radix(if format == "dec" { 10 } else { 16 }).as_bytes());
                out.push(b'\n');
            }
        }
    }
}
