//! Loops of at most 6 rounds, but for those over the bits and digits of small numbers.

use super::writer::{Type, Writer, int};

impl Writer<'_> {
    /// A loop, at most two of them around each other.
    pub(super) fn a_loop(&mut self, levels: u32) {
        self.loops += 1;
        match self.below(7) {
            0 => self.repeat(levels),
            1 => self.range(levels),
            2 => self.bits(levels),
            3 => self.digits(levels),
            4 => self.elements(levels),
            _ => self.repeat_while(levels),
        }
        self.loops -= 1;
    }

    fn body(&mut self, head: &str, index: Option<(&str, Type)>, levels: u32) {
        self.line(&format!("{head} {{"));
        let names = self.names.len();
        if let Some((name, ty)) = index {
            self.declare(name, ty, false);
        }
        self.block(levels);
        self.names.truncate(names);
        self.line("}");
    }

    /// `after 1`, sometimes.
    fn after(&mut self) -> &'static str {
        self.one_of(&["", "", "", " after 1", " after 3"])
    }

    /// A number of the narrow type from 0 to 6, or a bit more if it is negative.
    fn few(&mut self) -> String {
        let ty = self.narrow;
        format!("({} & {})", self.integer(ty, 1), if ty.bits() > 3 { 3 } else { 1 })
    }

    fn repeat(&mut self, levels: u32) {
        let count = if self.below(2) == 0 { self.below(7).to_string() } else { self.few() };
        self.body(&format!("repeat {count}"), None, levels);
    }

    fn range(&mut self, levels: u32) {
        let (name, after) = (self.fresh("i"), self.after());
        let narrow = Type::Int(self.narrow);
        let (from, to, ty) = match self.below(3) {
            0 => (self.below(3).to_string(), self.below(7).to_string(), Type::Index),
            1 if self.narrow.bits() > 3 => (self.below(3).to_string(), self.few(), narrow),
            _ => (self.few(), self.few(), narrow),
        };
        self.body(&format!("for {name} in {from} .. {to}{after}"), Some((&name, ty)), levels);
    }

    fn bits(&mut self, levels: u32) {
        let (name, after, ty) = (self.fresh("i"), self.after(), self.integer_type());
        let mask = if ty.bits() > 6 { 45 } else { 1 };
        let number = format!("{} & {mask}", self.integer(ty, 1));
        self.body(&format!("for {name} in bits({number}){after}"), Some((&name, Type::Bool)), levels);
    }

    fn digits(&mut self, levels: u32) {
        let (name, after, ty) = (self.fresh("i"), self.after(), self.wide);
        let width = 1 + self.below(8);
        let mask =
            if ty.bits() > 30 { format!("{}", (1_u64 << (4 * width).min(29)) - 1) } else { "255".into() };
        let number = if ty.bits() > 8 + u32::from(ty.is_signed()) {
            format!("{} & {mask}", self.integer(ty, 1))
        } else {
            self.integer_leaf(ty)
        };
        let digit = Type::Int(int(width, false));
        let head = format!("for {name} in digits({number}, {width}){after}");
        self.body(&head, Some((&name, digit)), levels);
    }

    fn elements(&mut self, levels: u32) {
        let (name, after) = (self.fresh("i"), self.after());
        let arrays = self.named(|name| matches!(name.ty, Type::Array(..)));
        if !arrays.is_empty() && self.below(2) == 0 {
            let array = self.one_of(&arrays);
            if let Type::Array(element, _) = array.ty {
                self.body(&format!("for {name} in {}{after}", array.text), Some((&name, *element)), levels);
            }
            return;
        }
        let ty = Type::Int(self.integer_type());
        let elements = self.expression(&Type::Array(Box::new(ty.clone()), 3), 1);
        self.body(&format!("for {name} in {elements}{after}"), Some((&name, ty)), levels);
    }

    /// A counter ends it, after fewer rounds than the limit in most loops.
    fn repeat_while(&mut self, levels: u32) {
        let counter = self.fresh("w");
        let most = self.below(6);
        let limit = if self.one_in(6) { most.saturating_sub(1) } else { most + self.below(3) };
        self.line(&format!("var {counter}: u8 = 0"));
        let end = if self.below(3) == 0 { format!(" and {}", self.truth(2)) } else { String::new() };
        self.line(&format!("while {counter} < {most}{end} limit {limit} {{"));
        let names = self.names.len();
        self.block(levels);
        self.names.truncate(names);
        self.indent += 1;
        self.line(&format!("{counter} = {counter} + 1"));
        self.indent -= 1;
        self.line("}");
        self.declare(&counter, Type::Int(int(8, false)), false);
    }
}
