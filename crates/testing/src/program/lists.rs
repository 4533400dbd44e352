//! Lists: one whose columns are of the types of the program, and rows of it.

use super::writer::{Type, Writer};

impl Writer<'_> {
    /// A row of a list, or one for each element of arrays.
    pub(super) fn emit(&mut self) {
        // Conditions of loops may call functions, and emit nothing.
        let list = if self.in_function { None } else { self.list.clone() };
        let Some(list) = list else { return self.assignment() };
        let arrays = self.named(|name| matches!(name.ty, Type::Array(..)));
        let length = match self.below(3) {
            0 if !arrays.is_empty() => match self.one_of(&arrays).ty {
                Type::Array(_, length) => Some(length),
                _ => None,
            },
            _ => None,
        };
        let values: Vec<String> = list
            .iter()
            .map(|column| match length {
                Some(length) if self.below(2) == 0 => {
                    self.expression(&Type::Array(Box::new(column.clone()), length), 1)
                }
                _ => self.expression(column, 2),
            })
            .collect();
        let condition = if self.below(3) == 0 { String::new() } else { format!(" where {}", self.truth(2)) };
        self.line(&format!("emit rows({}){condition}", values.join(", ")));
    }

    /// A list, whose columns are of the types of the program.
    pub(super) fn declare_list(&mut self) {
        let columns: Vec<Type> = [Type::Int(self.wide), Type::Bool, Type::Int(self.narrow), Type::Residue]
            .into_iter()
            .filter(|_| self.below(3) > 0)
            .collect();
        if columns.is_empty() {
            return;
        }
        let written: Vec<String> = columns.iter().map(|column| self.written(column)).collect();
        let most = 1_u64 << (20 + self.below(30));
        self.line(&format!("list rows: ({}) at most {most}", written.join(", ")));
        self.list = Some(columns);
    }
}
