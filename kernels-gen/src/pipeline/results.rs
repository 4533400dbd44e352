//! The kernels of the results: those that share work are one.

use limbforge_algos::expr::{Dag, DagNode, Expr, Op};
use limbforge_limb::IntType;

use super::build::{Builder, double, internal};
use super::products::is_product;
use super::{ProgramKernel, Sink};
use crate::spec::{InputForm, SpecError};

/// A result in terms of the values that are on the device.
struct Final {
    root: usize,
    expr: Expr,
    /// The type in which it is computed, and its own.
    types: [IntType; 2],
}

impl Builder<'_> {
    /// Adds the kernels that compute the results that are left.
    pub(super) fn results(&mut self, types: &[IntType]) -> Result<(), SpecError> {
        let roots = self.spec.dag.roots();
        if roots.len() > 1 {
            self.store_shared()?;
        }
        for root in self.left() {
            let node = roots[root].index();
            // One division may have several results.
            if !self.done[root] && self.is_newton(node) && !self.values.contains_key(&node) {
                self.division(node)?;
            }
        }
        let mut left = self.finals(types)?;
        while let Some(types) = left.first().map(|first| first.types) {
            let (group, others): (Vec<Final>, _) = left.into_iter().partition(|one| one.types == types);
            left = others;
            let exprs: Vec<Expr> = group.iter().map(|one| one.expr.clone()).collect();
            let dag = Dag::of_all(&exprs);
            if dag.roots().len() != group.len() {
                return Err(internal("different results have different expressions"));
            }
            let is_residues = |name: &str| {
                let mut values = self.values.values().filter(|value| value.input.name == name);
                values.any(|value| matches!(value.input.form, InputForm::Residues(_)))
            };
            for cluster in clusters(&dag, is_residues) {
                self.cluster(&group, &cluster);
            }
        }
        Ok(())
    }

    /// Results of one type as one kernel, or as several if that one does not fit the device.
    fn cluster(&mut self, group: &[Final], cluster: &[usize]) {
        let exprs: Vec<Expr> = cluster.iter().map(|&i| group[i].expr.clone()).collect();
        let nodes: Vec<usize> =
            cluster.iter().map(|&i| self.spec.dag.roots()[group[i].root].index()).collect();
        let (types, fails) = (group[cluster[0]].types, self.fails(&nodes));
        let (spec, sources) = self.kernel_of(Dag::of_all(&exprs), types, self.spec.output, fails);
        let kernel = ProgramKernel::from(spec);
        if cluster.len() > 1 && kernel.block(self.limits).is_err() {
            let (first, second) = cluster.split_at(cluster.len() / 2);
            self.cluster(group, first);
            self.cluster(group, second);
            return;
        }
        let sinks = cluster.iter().map(|&i| Sink::Result(group[i].root)).collect();
        self.program.push(kernel, sources, sinks);
    }

    /// The results that are left, in terms of values.
    fn finals(&mut self, types: &[IntType]) -> Result<Vec<Final>, SpecError> {
        let (mut finals, mut others, ty) = (vec![], vec![], self.spec.ty);
        for root in self.left() {
            let (node, result) = (self.spec.dag.roots()[root].index(), types[root]);
            let has_value = self.values.contains_key(&node);
            let is_last = self.last(node).is_some();
            let (expr, types) = if is_last && self.is_mulmod(node) && !has_value {
                (self.mulmod(node)?, [double(ty)?, result])
            } else if is_last && self.is_by_matrices(node) && !has_value {
                let (power, wide) = self.by_matrices(node)?;
                (power, [wide, result])
            } else if self.op(node).is_wide() && has_value {
                (self.wide(node), [double(ty)?; 2])
            } else if is_last && self.is_to_be_moved(node) {
                (self.wide(node) >> ty.bits(), [double(ty)?, result])
            } else {
                others.push((root, node));
                continue;
            };
            finals.push(Final { root, expr, types });
        }
        if others.len() > 1 {
            // Leaves values that others among them then read too.
            others.iter().try_for_each(|&(_, node)| self.expr(node).map(|_| ()))?;
        }
        for (root, node) in others {
            finals.push(Final { root, expr: self.expr(node)?, types: [ty, types[root]] });
        }
        Ok(finals)
    }

    /// Leaves what wide products and other results share on the device: no kernel has results of two types.
    fn store_shared(&mut self) -> Result<(), SpecError> {
        let dag = &self.spec.dag;
        let of = |wide: bool| {
            let roots = dag.roots().iter().filter(move |root| dag.nodes()[root.index()].op.is_wide() == wide);
            let mut needed = vec![false; dag.nodes().len()];
            for &root in roots {
                needed.iter_mut().zip(dag.needed_for(root)).for_each(|(all, one)| *all |= one);
            }
            needed
        };
        let shared: Vec<bool> =
            of(true).into_iter().zip(of(false)).map(|(wide, other)| wide && other).collect();
        for (node, operation) in dag.nodes().iter().enumerate() {
            if shared[node] && is_heavy(&operation.op) && !self.values.contains_key(&node) {
                self.integers(node)?;
            }
        }
        Ok(())
    }
}

/// Whether an operation takes longer than to load its operands and to store its value.
const fn is_heavy(op: &Op) -> bool {
    is_product(op) || op.is_within_warp()
}

/// The results that are computed together: those that share a long operation, or of which one is computed
/// from the other; and all that have no long operation, which then load their operands once.
pub(super) fn clusters(dag: &Dag, is_long_to_load: impl Fn(&str) -> bool) -> Vec<Vec<usize>> {
    let nodes = dag.nodes();
    // Divisions of the same operands are the same work.
    let work_of = |(i, node): (usize, &DagNode)| match &node.op {
        Op::Input(name) => is_long_to_load(name).then_some(i),
        op if op.is_division() => {
            nodes.iter().position(|other| other.op.is_division() && other.args == node.args)
        }
        op => is_heavy(op).then_some(i),
    };
    let work: Vec<Option<usize>> = nodes.iter().enumerate().map(work_of).collect();
    let needed: Vec<Vec<bool>> = dag.roots().iter().map(|&root| dag.needed_for(root)).collect();
    let of_root = |needed: &Vec<bool>| -> Vec<usize> {
        work.iter().zip(needed).filter(|(_, needed)| **needed).filter_map(|(work, _)| *work).collect()
    };
    let work_of_roots: Vec<Vec<usize>> = needed.iter().map(of_root).collect();
    let is_from = |a: usize, b: usize| {
        let node = dag.roots()[b].index();
        needed[a][node] && nodes[node].op.arity() > 0
    };
    let together = |a: usize, b: usize| {
        let [x, y] = [a, b].map(|root| &work_of_roots[root]);
        x.is_empty() && y.is_empty()
            || x.iter().any(|work| y.contains(work))
            || is_from(a, b)
            || is_from(b, a)
    };
    let mut clusters: Vec<Vec<usize>> = vec![];
    for root in 0..dag.roots().len() {
        let is_beside = |cluster: &mut Vec<usize>| cluster.iter().any(|&other| together(root, other));
        let mut joined: Vec<usize> = clusters.extract_if(.., is_beside).flatten().collect();
        joined.push(root);
        joined.sort_unstable();
        clusters.push(joined);
    }
    clusters.sort();
    clusters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_that_share_work_are_together() {
        for (texts, expected) in [
            (&["a / b", "a % b"][..], vec![vec![0, 1]]),
            (&["a + b", "a - b", "a * b"], vec![vec![0, 1], vec![2]]),
            (&["a / b", "a + b", "a % b", "a & b"], vec![vec![0, 2], vec![1, 3]]),
            (&["gcd(a, b)", "jacobi(a, c | 1)"], vec![vec![0], vec![1]]),
            (&["gcd(a, b)", "gcd(a, b) * c", "b * c"], vec![vec![0, 1], vec![2]]),
            (&["a + b", "(a + b) / c", "a"], vec![vec![0, 1, 2]]),
            (&["gcd(a, b) + 1", "lcm(a, c)", "gcd(a, b) * lcm(a, c)"], vec![vec![0, 1, 2]]),
            (&["a"], vec![vec![0]]),
        ] {
            let exprs: Vec<Expr> = texts.iter().map(|text| Expr::parse(text).unwrap()).collect();
            assert_eq!(clusters(&Dag::of_all(&exprs), |_| false), expected, "{texts:?}");
        }
    }
}
