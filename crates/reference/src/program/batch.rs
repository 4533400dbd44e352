//! Whole batches, for comparisons with backends.

use limbforge_algos::program::text::syntax::Item;
use limbforge_limb::IntType;
use num_bigint::BigInt;

use super::class::Class;
use super::value::Value;
use super::{Output, Reading, Row, Run, Stopped};

/// The results of all instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The results in the program's order, with the integers of each instance in turn; 0 where it failed.
    pub results: Vec<Output>,
    /// The instances that failed, in order.
    pub failures: Vec<(usize, Stopped)>,
    /// The rows of each list with their instances, in order.
    pub lists: Vec<Vec<(usize, Row)>>,
}

impl Reading<'_> {
    /// As [`run`](Self::run), of the instance of this number.
    ///
    /// # Errors
    /// The first failure in the program's order.
    ///
    /// # Panics
    /// If an input is missing or has another number of integers.
    pub fn run_instance(
        &self,
        instance: usize,
        inputs: &[(&str, Vec<BigInt>)],
    ) -> Result<Vec<Output>, Stopped> {
        self.run_with_lists(instance, inputs).0
    }

    /// As [`run_instance`](Self::run_instance), and the rows of each list that the instance has appended, before it
    /// failed if it did.
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub fn run_with_lists(
        &self,
        instance: usize,
        inputs: &[(&str, Vec<BigInt>)],
    ) -> (Result<Vec<Output>, Stopped>, Vec<Vec<Row>>) {
        let inputs = inputs.iter().map(|(name, values)| ((*name).to_owned(), values.clone())).collect();
        let mut run = Run::new(&self.types, Some(inputs), self.classes.clone());
        run.instance = instance;
        let done = run.program(self.tree);
        let mut lists: Vec<Vec<Row>> = run.lists.into_iter().map(|list| list.rows).collect();
        // Those behind a failure are empty.
        lists.resize(self.tree.items.iter().filter(|item| matches!(item, Item::List(_))).count(), vec![]);
        (done.map(|()| run.outputs), lists)
    }

    /// Runs all instances, whose integers `inputs` gives.
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub fn batch<'n>(
        &self,
        instances: usize,
        inputs: impl Fn(usize) -> Vec<(&'n str, Vec<BigInt>)>,
    ) -> Expected {
        let empty = |(name, value): &(_, Value)| {
            let (mut ty, mut elements) = (None, 0);
            self.shape(value, &mut ty, &mut elements);
            let ty = ty.unwrap_or_else(|| panic!("a result has a value"));
            (Output { name: std::sync::Arc::clone(name), ty, values: vec![] }, elements)
        };
        let (mut results, elements): (Vec<Output>, Vec<usize>) = self.shapes.iter().map(empty).unzip();
        let mut failures = vec![];
        let mut lists: Vec<Vec<(usize, Row)>> = vec![];
        for instance in 0..instances {
            let (done, rows) = self.run_with_lists(instance, &inputs(instance));
            lists.resize(rows.len(), vec![]);
            for (list, rows) in lists.iter_mut().zip(rows) {
                list.extend(rows.into_iter().map(|row| (instance, row)));
            }
            match done {
                Ok(found) => {
                    for (result, found) in results.iter_mut().zip(found) {
                        assert_eq!(
                            (&result.name, result.ty),
                            (&found.name, found.ty),
                            "types are those of the survey"
                        );
                        result.values.extend(found.values);
                    }
                }
                Err(stopped) => {
                    failures.push((instance, stopped));
                    for (result, elements) in results.iter_mut().zip(&elements) {
                        result.values.extend(vec![BigInt::ZERO; *elements]);
                    }
                }
            }
        }
        Expected { results, failures, lists }
    }

    /// The type and the number of integers of a result.
    fn shape(&self, value: &Value, ty: &mut Option<IntType>, elements: &mut usize) {
        match value.parts() {
            Some(parts) => parts.iter().for_each(|part| self.shape(part, ty, elements)),
            None => {
                *elements += 1;
                *ty = Some(self.classes.batch_type(value));
            }
        }
    }
}

impl super::class::Classes {
    /// The type of the batch of a result: that of the modulus for residues, `u1` for a `bool`.
    pub(super) fn batch_type(&self, value: &Value) -> IntType {
        let class = match value {
            Value::Bool(_) => return super::class::int(1, false),
            Value::Number(class, _) => self.known(class),
            value => panic!("expected a number, found {value:?}"),
        };
        match class {
            Class::Int(ty) => ty,
            Class::Residue(ring) => match self.known(&ring.ty) {
                Class::Int(ty) => ty,
                class => panic!("expected the type of a modulus, found {class:?}"),
            },
            Class::Open(_) => panic!("types are known after the survey"),
        }
    }
}
