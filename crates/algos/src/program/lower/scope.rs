//! Names and what they stand for.

use std::collections::HashMap;
use std::sync::Arc;

use super::class::Class;
use super::shape::Shape;

/// A name with its value.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub(super) shape: Shape,
    /// The type of each leaf of a variable, and its length; empty for names that are not assigned again.
    pub(super) slots: Vec<(Class, Option<u32>)>,
}

/// Scopes within scopes. A function sees its own and the constants.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    constants: HashMap<Arc<str>, Shape>,
    open: Vec<HashMap<Arc<str>, Binding>>,
    /// The first scope that is visible.
    floor: usize,
}

impl Scopes {
    pub(super) fn constant(&mut self, name: &Arc<str>, value: Shape) {
        self.constants.insert(Arc::clone(name), value);
    }

    pub(super) fn enter(&mut self) {
        self.open.push(HashMap::new());
    }

    pub(super) fn leave(&mut self) {
        self.open.pop();
    }

    /// Enters a function; returns what [`leave_function`](Self::leave_function) takes.
    pub(super) fn enter_function(&mut self) -> usize {
        let before = core::mem::replace(&mut self.floor, self.open.len());
        self.enter();
        before
    }

    pub(super) fn leave_function(&mut self, before: usize) {
        self.leave();
        self.floor = before;
    }

    pub(super) fn declare(&mut self, name: &Arc<str>, binding: Binding) {
        if self.open.is_empty() {
            self.enter();
        }
        if let Some(scope) = self.open.last_mut() {
            scope.insert(Arc::clone(name), binding);
        }
    }

    fn visible(&self) -> impl Iterator<Item = &HashMap<Arc<str>, Binding>> {
        self.open[self.floor..].iter().rev()
    }

    /// What a name stands for.
    pub(super) fn shape(&self, name: &str) -> Option<&Shape> {
        let binding = self.visible().find_map(|scope| scope.get(name)).map(|binding| &binding.shape);
        binding.or_else(|| self.constants.get(name))
    }

    /// A variable.
    pub(super) fn variable(&mut self, name: &str) -> Option<&mut Binding> {
        let floor = self.floor;
        self.open[floor..].iter_mut().rev().find_map(|scope| scope.get_mut(name))
    }
}
