//! Rows of lists.

use limbforge_limb::{Batch, BatchError, IntType, Layout};

use super::region::{List, TypedProgram};
use super::ty::WORD;
use crate::invariant::broken_invariant;

/// The rows of a list: the instance that has appended each, and its columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    instances: Vec<u64>,
    columns: Vec<Column>,
    /// The rows before these, which have been taken.
    taken: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Column {
    ty: IntType,
    limbs: Vec<u64>,
}

impl Rows {
    /// A list without rows.
    #[must_use]
    pub fn of(program: &TypedProgram, list: &List) -> Self {
        let column = |&element| Column { ty: program.column(element), limbs: vec![] };
        Self { instances: vec![], columns: list.columns.iter().map(column).collect(), taken: 0 }
    }

    /// All lists of a program, without rows.
    #[must_use]
    pub fn of_all(program: &TypedProgram) -> Vec<Self> {
        program.lists().iter().map(|list| Self::of(program, list)).collect()
    }

    /// Rows of these instances and columns; `None` unless each column has an integer for each row.
    #[must_use]
    pub fn new(instances: Vec<u64>, columns: &[Batch<u64>]) -> Option<Self> {
        let columns = columns.iter().map(|batch| {
            let major = batch.clone().into_layout(Layout::InstanceMajor);
            (batch.instances() == instances.len())
                .then(|| Column { ty: batch.ty(), limbs: major.limbs().to_vec() })
        });
        let columns = columns.collect::<Option<_>>()?;
        Some(Self { instances, columns, taken: 0 })
    }

    /// These rows, before which so many have been taken.
    #[must_use]
    pub fn after(self, taken: u64) -> Self {
        Self { taken, ..self }
    }

    /// The rows that have been [taken](Self::take).
    #[must_use]
    pub const fn taken(&self) -> u64 {
        self.taken
    }

    /// All rows that have been appended, with those that have been taken.
    #[must_use]
    pub const fn appended(&self) -> u64 {
        self.taken.saturating_add(self.instances.len() as u64)
    }

    /// Takes the rows, and counts them.
    #[must_use]
    pub fn take(&mut self) -> Self {
        let of = |column: &Column| Column { ty: column.ty, limbs: vec![] };
        let left = Self {
            instances: vec![],
            columns: self.columns.iter().map(of).collect(),
            taken: self.appended(),
        };
        core::mem::replace(self, left).after(0)
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.instances.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.instances.is_empty()
    }

    /// The instance of each row.
    #[must_use]
    pub fn instances(&self) -> &[u64] {
        &self.instances
    }

    /// The instance of each row, as integers of `u64`.
    ///
    /// # Errors
    /// [`BatchError`] if they cannot be addressed.
    pub fn numbers(&self) -> Result<Batch<u64>, BatchError> {
        Batch::from_limbs(WORD, Layout::InstanceMajor, self.instances.clone())
    }

    /// The types of the columns.
    pub fn types(&self) -> impl Iterator<Item = IntType> {
        self.columns.iter().map(|column| column.ty)
    }

    /// The integers of each column, one for each row.
    ///
    /// # Errors
    /// [`BatchError`] if they cannot be addressed.
    pub fn columns(&self) -> Result<Vec<Batch<u64>>, BatchError> {
        let batch =
            |column: &Column| Batch::from_limbs(column.ty, Layout::InstanceMajor, column.limbs.clone());
        self.columns.iter().map(batch).collect()
    }

    /// Appends the row of an instance: `write` puts the limbs of a column, which are zeros before.
    pub fn push(&mut self, instance: u64, mut write: impl FnMut(usize, &mut [u64])) {
        self.instances.push(instance);
        for (k, column) in self.columns.iter_mut().enumerate() {
            let at = column.limbs.len();
            column.limbs.resize(at + column.ty.limbs::<u64>(), 0);
            write(k, &mut column.limbs[at..]);
        }
    }

    /// Appends the rows of a part of the same list.
    pub fn append(&mut self, other: &Self) {
        self.taken += other.taken;
        self.instances.extend_from_slice(&other.instances);
        for (column, other) in self.columns.iter_mut().zip(&other.columns) {
            column.limbs.extend_from_slice(&other.limbs);
        }
    }

    /// Sorts the rows by their instances; those of one instance keep their order.
    pub fn sort(&mut self) {
        if self.instances.is_sorted() {
            return;
        }
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|&row| self.instances[row]);
        for column in &mut self.columns {
            let words = column.ty.limbs::<u64>();
            let row = |&row: &usize| column.limbs.get(row * words..(row + 1) * words);
            let rows =
                order.iter().map(|i| row(i).unwrap_or_else(|| broken_invariant("columns have all rows")));
            column.limbs = rows.flatten().copied().collect();
        }
        self.instances = order.iter().map(|&row| self.instances[row]).collect();
    }
}
