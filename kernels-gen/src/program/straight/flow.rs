//! Variables, loops and branches.

use super::text::{Text, word};
use crate::program::tape::code::{Class, Instr, Item, Var, What};
use crate::program::tape::flatten;
use crate::spec::NotStraight;

impl Text<'_> {
    /// All variables, before anything that may jump.
    pub(super) fn declarations(&mut self, items: &[Item]) {
        let mut vars = vec![];
        defined(items, &mut vars);
        vars.sort_unstable();
        vars.dedup();
        if !self.program.several_moduli {
            let ring = if self.program.is_special { "Special" } else { "Ring" };
            self.line(&format!("[[maybe_unused]] {ring} ring = {{}};"));
        }
        // Also for threads that jump over the place of a constant.
        for (var, value) in constants_of(items) {
            let line =
                format!("[[maybe_unused]] const unsigned long long {} = {value:#x}ull;", self.var(var));
            self.line(&line);
        }
        for (class, ty) in [(Class::Number, "Num"), (Class::Scalar, "unsigned long long")] {
            let of_class: Vec<Var> =
                vars.iter().copied().filter(|var| self.classes[var.index()] == class).collect();
            for some in of_class.chunks(12) {
                let names: Vec<String> =
                    some.iter().map(|&var| format!("{} = {{}}", self.var(var))).collect();
                // A modulus that was checked before may have no other use.
                self.line(&format!("[[maybe_unused]] {ty} {};", names.join(", ")));
            }
        }
    }

    pub(super) fn items(&mut self, items: &[Item]) -> Result<(), NotStraight> {
        items.iter().try_for_each(|item| self.item(item))
    }

    /// Items that a thread may skip: what they check is unchecked behind them.
    fn some_items(&mut self, items: &[Item]) -> Result<(), NotStraight> {
        let checked = self.checked.len();
        self.items(items)?;
        self.checked.truncate(checked);
        Ok(())
    }

    fn item(&mut self, item: &Item) -> Result<(), NotStraight> {
        match item {
            Item::Op(instr) => self.op(instr),
            Item::Loop { index, count, test, body } => {
                let is_hot = usize::from(is_hot_loop(body));
                let ahead = if is_hot == 0 { 0 } else { self.read_ahead(*index, body)? };
                let (index, count) = (self.var(*index), self.var(*count));
                self.line("#pragma unroll 1");
                self.line(&format!("for (; {index} < {count}; {index}++) {{"));
                self.depth += 1;
                self.loops += is_hot;
                if let Some((items, condition)) = test {
                    self.items(items)?;
                    let condition = self.var(*condition);
                    self.line(&format!("if ({condition} == 0) break;"));
                }
                self.some_items(body)?;
                self.depth -= 1;
                self.loops -= is_hot;
                self.ahead.truncate(self.ahead.len() - ahead);
                self.line("}");
                Ok(())
            }
            Item::If { condition, then, otherwise } | Item::Branch { condition, then, otherwise } => {
                let condition = self.var(*condition);
                self.line(&format!("if ({condition} != 0) {{"));
                self.arm(then)?;
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.arm(otherwise)?;
                }
                self.line("}");
                Ok(())
            }
        }
    }

    fn arm(&mut self, items: &[Item]) -> Result<(), NotStraight> {
        self.depth += 1;
        self.some_items(items)?;
        self.depth -= 1;
        Ok(())
    }
}

/// The first of the last items, which threads that have failed run, too: those that write states and results, and
/// what they compute.
pub(super) fn tail(items: &[Item]) -> usize {
    items.len() - items.iter().rev().take_while(|item| is_last(item)).count()
}

/// Whether a thread that has failed may run an item: nothing in it fails. A loop only if it writes.
fn is_last(item: &Item) -> bool {
    match item {
        Item::Op(op) => !op.effect || op.what == What::ColdRead || writes(op.what),
        Item::Loop { test: None, body, .. } => {
            let writes = |item: &Item| matches!(item, Item::Op(op) if writes(op.what));
            body.iter().all(is_last) && body.iter().any(writes)
        }
        _ => false,
    }
}

/// Whether an operation writes what a launch leaves.
const fn writes(what: What) -> bool {
    matches!(
        what,
        What::StateWrite
            | What::ScalarStateWrite
            | What::StatusWrite
            | What::Status
            | What::Open
            | What::Store
            | What::ScalarStore
            | What::Halt
    )
}

/// The variables that items set or count with.
pub(super) fn defined(items: &[Item], vars: &mut Vec<Var>) {
    for item in items {
        match item {
            // The modulus is a variable of its own, and constants have their values at once.
            Item::Op(instr) if matches!(instr.what, What::Modulus | What::ScalarConstant) => {}
            Item::Op(instr) => vars.extend(instr.z),
            Item::Loop { index, test, body, .. } => {
                vars.push(*index);
                test.iter().for_each(|(items, _)| defined(items, vars));
                defined(body, vars);
            }
            Item::If { then, otherwise, .. } | Item::Branch { then, otherwise, .. } => {
                defined(then, vars);
                defined(otherwise, vars);
            }
        }
    }
}

/// The constant scalars.
fn constants_of(items: &[Item]) -> Vec<(Var, u64)> {
    let mut code = vec![];
    flatten(items, &mut code);
    let constants = code.iter().filter(|instr| instr.what == What::ScalarConstant);
    let value = |instr: &Instr| u64::from(word(instr.high)) << 32 | u64::from(word(instr.low));
    constants.filter_map(|instr| Some((instr.z?, value(instr)))).collect()
}

/// Whether products in a loop are written out: conversions of a state's array call them.
pub(super) fn is_hot_loop(body: &[Item]) -> bool {
    !body.iter().any(converts_state)
}

/// Whether an item reads or writes a part of a state.
const fn converts_state(item: &Item) -> bool {
    matches!(item, Item::Op(op) if matches!(op.what, What::StateRead | What::StateWrite))
}
