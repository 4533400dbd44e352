//! Operations that change memory, or after which a thread may have failed.

use super::text::{Text, word};
use crate::invariant::broken_invariant;
use crate::program::tape::code::{Class, Instr, What};

impl Text<'_> {
    pub(super) fn effect(&mut self, instr: &Instr) {
        let (x, low, high) = (self.x(instr), word(instr.low), word(instr.high));
        match instr.what {
            What::ScalarDiv | What::ScalarRem => self.quotient(instr, low, high),
            What::Modulus if self.program.is_special => self.line("ring = special_ring();"),
            What::Modulus => self.line(&format!("ring = ring_of({x});")),
            What::CheckModulus if instr.x.is_some_and(|x| self.is_checked(x)) => {}
            What::CheckModulus => {
                let negative =
                    if instr.y.is_some() { format!(" || is_negative({x})") } else { String::new() };
                self.fails(&format!("is_zero({x}){negative}"), low);
                self.fails(&format!("!({x}.w[0] & 1)"), high);
            }
            What::Fail => self.fails(&format!("{x} != 0"), low),
            What::ColdWrite => {
                let place = self.cold(instr);
                let scalar = instr.x.is_some_and(|x| self.classes[x.index()] == Class::Scalar);
                let array = if scalar { "cold_scalars" } else { "cold" };
                self.line(&format!("{array}[{place}] = {x};"));
            }
            What::StatusRead => {
                self.line("status = from.word(0, 1, 0);");
                self.leaves("status != 0");
            }
            What::StatusWrite => self.line("to.word(0, 1, 0) = status;"),
            What::StateWrite => {
                let plane = self.plane(instr, high);
                self.line(&format!("to.set_number({plane}, {high}, select(status == 0, {x}, Num{{}}));"));
            }
            What::ScalarStateWrite => {
                let plane = self.plane(instr, high);
                self.line(&format!("to.set_scalar({plane}, {high}, status == 0 ? {x} : 0);"));
            }
            What::Open => {
                self.line(&format!("statuses[inputs.instance] = status == 0 && {x} != 0;"));
            }
            What::Status => self.line("statuses[inputs.instance] = status;"),
            What::Store | What::ScalarStore => {
                let number =
                    if instr.what == What::Store { x } else { format!("number_of_scalar({x}, false)") };
                let shape = &self.program.results[low as usize];
                let more =
                    if instr.y.is_some() { format!(" + (unsigned){}", self.y(instr)) } else { String::new() };
                let line = format!("stored(out{low}, Shape{shape}, {high}{more}, {number}, status, inputs);");
                self.line(&line);
            }
            What::Emit => self.line(&format!("{} = lists.next_row({low}, {high});", self.z(instr))),
            What::EmitNumber => {
                self.line(&format!("lists.set_number({}, {low}, {high}, {x});", self.y(instr)));
            }
            What::EmitScalar => {
                self.line(&format!("lists.set_scalar({}, {low}, {high}, {x});", self.y(instr)));
            }
            What::Halt => {}
            _ => broken_invariant("an operation of a straight program is a value or an effect"),
        }
    }

    /// A quotient or a remainder of scalars.
    fn quotient(&mut self, instr: &Instr, place: u32, high: u32) {
        let (x, y) = (self.x(instr), self.y(instr));
        let (bits, signed) = (high & 0xff, high & 0x100 != 0);
        if instr.effect {
            self.fails(&format!("{y} == 0"), place);
        }
        if let Some(z) = instr.z.map(|z| self.var(z)) {
            let remainder = instr.what == What::ScalarRem;
            let value = format!("divided({x}, {y}, {signed}, {remainder})");
            self.line(&format!("{z} = wrapped({value}, {bits}, {signed});"));
        }
    }
}
