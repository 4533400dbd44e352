//! Lists of a program that is being built.

use std::rc::Rc;
use std::sync::Arc;

use super::{Operand, ProgramBuilder, Value};

/// A list of a [`ProgramBuilder`].
#[derive(Clone, Debug)]
pub struct List {
    name: Arc<str>,
}

impl ProgramBuilder {
    /// A list of at most so many rows, with columns of these types as a program writes them: `u64`, `bool`, or
    /// `mod n` for an input n.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let a = p.input("a");
    /// let found = p.list("found", &["u64", "bool"], 1000);
    /// p.emit(&found, &[p.instance(), a.cmp_gt(5)], Some(&a.cmp_gt(1)));
    /// let program = p.finish([("x", a)])?;
    /// let text = "in a\nlist found: (u64, bool) at most 1000\nlet _1 = a > 5\nlet _2 = a > 1\n\
    ///             emit found(instance, _1) where _2\nout x = a\n";
    /// assert_eq!(program.to_string(), text);
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn list(&self, name: &str, columns: &[&str], most: u64) -> List {
        self.writer.list(name, columns, most);
        List { name: name.into() }
    }

    /// Appends a row to a list, or one for each element of arrays, where the condition holds.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let found = p.list("found", &["u64"], 10);
    /// p.emit(&found, &[p.instance()], None);
    /// let program = p.finish_with_lists()?;
    /// assert_eq!(program.lists().collect::<Vec<_>>(), ["found"]);
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    pub fn emit(&self, list: &List, values: &[Value], condition: Option<&Value>) {
        let values: Vec<Arc<str>> = values.iter().map(|value| value.written(&self.writer)).collect();
        let condition = condition.map(|condition| format!(" where {}", condition.written(&self.writer)));
        let (name, values) = (&list.name, values.join(", "));
        self.writer.line(&format!("emit {name}({values}){}", condition.unwrap_or_default()));
    }

    /// The program without results, which has lists.
    ///
    /// # Errors
    /// Those of [`finish`](Self::finish).
    pub fn finish_with_lists(&self) -> Result<crate::program::Program, crate::program::ProgramError> {
        self.finish::<Value>([])
    }

    /// The number of the element, in the values of an [`emit`](Self::emit) of arrays: a `u32`.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let a = p.input_array("a", "u8".parse().unwrap(), 3);
    /// let found = p.list("found", &["u8", "u32"], 10);
    /// p.emit(&found, &[a, p.element()], None);
    /// assert!(p.finish_with_lists()?.to_string().ends_with("emit found(a, element)\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn element(&self) -> Value {
        Value { writer: Rc::clone(&self.writer), written: "element".into() }
    }
}
