//! How an expression's products share transforms: those that are multiplied together, added before the
//! inverse transform, or transformed once for several products.

use std::collections::HashMap;

use limbforge_algos::expr::{Dag, Op};

/// Products that share transforms: one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Batch {
    /// Products with results of their own, of operands of the last pair; or the first term of the sum.
    pub(super) residues: Vec<usize>,
    /// Pairs of operands in the order in which they are transformed.
    pub(super) pairs: Vec<Pair>,
    /// The sum that the pairs' products belong to, if any.
    pub(super) sum: Option<usize>,
    /// Whether this kernel ends the sum, or leaves it transformed for another one.
    pub(super) ends_sum: bool,
    /// Whether the part of the sum that an earlier kernel has left transformed is added.
    pub(super) takes_spectrum: bool,
}

/// Operands that are transformed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// One node, or two different ones.
    pub(super) operands: Vec<usize>,
    /// Whether their product belongs to the sum.
    pub(super) is_term: bool,
}

/// The products of an expression by transforms.
#[derive(Debug)]
pub(super) struct Products<'d> {
    dag: &'d Dag,
    /// Products on the longest path to a node.
    depth: Vec<usize>,
    /// Whether products share transforms; else each is a kernel of its own.
    shares: bool,
    /// Sums of two or more products that are used nowhere else: the products, deepest last. The sum takes the
    /// place of the first one; the others count as zero.
    sums: Vec<Vec<usize>>,
}

impl Batch {
    /// Results, with the part that an earlier kernel has left: 1 for a product alone.
    pub(super) fn results(&self) -> usize {
        let transformed = self.sum.is_some() && !self.ends_sum;
        self.residues.len() + usize::from(transformed) + usize::from(self.takes_spectrum)
    }
}

impl<'d> Products<'d> {
    pub(super) fn new(dag: &'d Dag, shares: bool) -> Self {
        let depth = depths(dag);
        let mut sums = if shares { sums(dag) } else { vec![] };
        for terms in &mut sums {
            terms.sort_by_key(|&term| (depth[term], term));
        }
        Self { dag, depth, shares, sums }
    }

    /// The most products that are added before an inverse transform.
    pub(super) fn most_terms(&self) -> usize {
        self.sums.iter().map(Vec::len).max().unwrap_or(1)
    }

    /// Whether a node's value comes with another product's: its own is then zero.
    pub(super) fn is_absorbed(&self, node: usize) -> bool {
        self.sums.iter().any(|terms| terms[1..].contains(&node))
    }

    /// The operands of a product, one for a square.
    fn operands(&self, node: usize) -> Vec<usize> {
        let mut operands: Vec<usize> = self.dag.nodes()[node].args.iter().map(|arg| arg.index()).collect();
        operands.dedup();
        operands
    }

    fn pair(&self, node: usize, is_term: bool) -> Pair {
        Pair { operands: self.operands(node), is_term }
    }

    /// The kernels in an order in which operands are there when they are needed.
    pub(super) fn batches(&self) -> Vec<Batch> {
        let is_single = |node: &usize| {
            is_product(&self.dag.nodes()[*node].op) && !self.sums.iter().any(|terms| terms.contains(node))
        };
        let mut single: Vec<usize> = (0..self.depth.len()).filter(is_single).collect();
        let mut batches = vec![];
        for (index, terms) in self.sums.iter().enumerate() {
            let sum = Some(index);
            let mut left = terms.clone();
            // If the operands of a term are squared too, one kernel transforms them for both and leaves the
            // term transformed.
            for (i, &term) in terms[..terms.len() - 1].iter().enumerate() {
                let residues = self.take_squares(&mut single, &self.operands(term), 2);
                if !residues.is_empty() {
                    let pairs = vec![self.pair(term, true)];
                    batches.push(Batch { residues, pairs, sum, ends_sum: false, takes_spectrum: false });
                    left.remove(i);
                    break;
                }
            }
            let pairs = left.iter().map(|&term| self.pair(term, true)).collect();
            let takes_spectrum = left.len() < terms.len();
            batches.push(Batch { residues: vec![terms[0]], pairs, sum, ends_sum: true, takes_spectrum });
        }
        while !single.is_empty() {
            // Products of two operands come first.
            let two = single.iter().position(|&node| self.operands(node).len() == 2);
            let node = single.remove(two.unwrap_or(0));
            let mut residues = vec![node];
            if self.dag.nodes()[node].op == Op::Mul {
                residues.extend(self.take_squares(&mut single, &self.operands(node), 1));
            }
            let pairs = vec![self.pair(node, false)];
            batches.push(Batch { residues, pairs, sum: None, ends_sum: false, takes_spectrum: false });
        }
        // Products that must be there before a kernel runs.
        let stage = |batch: &Batch| {
            batch.pairs.iter().flat_map(|pair| &pair.operands).map(|&node| self.depth[node]).max()
        };
        batches.sort_by_key(|batch| (stage(batch), batch.ends_sum));
        batches
    }

    /// Takes up to `most` squares, mod B^M, of these operands.
    fn take_squares(&self, single: &mut Vec<usize>, operands: &[usize], most: usize) -> Vec<usize> {
        let is_square = |&node: &usize| {
            self.dag.nodes()[node].op == Op::Sqr && operands.contains(&self.operands(node)[0])
        };
        let most = if self.shares { most } else { 0 };
        let squares: Vec<usize> = single.iter().copied().filter(is_square).take(most).collect();
        single.retain(|node| !squares.contains(node));
        squares
    }
}

/// Whether an operation is a product of any form.
pub(crate) const fn is_product(op: &Op) -> bool {
    matches!(op, Op::Mul | Op::Sqr | Op::MulHigh | Op::MulWide | Op::SqrWide)
}

fn depths(dag: &Dag) -> Vec<usize> {
    let mut depth: Vec<usize> = vec![];
    for node in dag.nodes() {
        let below = node.args.iter().map(|arg| depth[arg.index()]).max().unwrap_or(0);
        depth.push(below + usize::from(is_product(&node.op)));
    }
    depth
}

/// Low products under the same tree of additions, where no product and no addition is used elsewhere.
fn sums(dag: &Dag) -> Vec<Vec<usize>> {
    let nodes = dag.nodes();
    let mut uses = vec![0; nodes.len()];
    for arg in nodes.iter().flat_map(|node| &node.args).chain(dag.roots()) {
        uses[arg.index()] += 1;
    }
    // The tree of additions that a node belongs to, from the result down.
    let mut tree: Vec<Option<usize>> = vec![None; nodes.len()];
    let mut terms: HashMap<usize, Vec<usize>> = HashMap::new();
    for (i, node) in nodes.iter().enumerate().rev() {
        if node.op != Op::Add {
            continue;
        }
        let root = *tree[i].get_or_insert(i);
        for arg in node.args.iter().map(|arg| arg.index()).filter(|&arg| uses[arg] == 1) {
            match nodes[arg].op {
                Op::Add => tree[arg] = Some(root),
                Op::Mul | Op::Sqr => terms.entry(root).or_default().push(arg),
                _ => {}
            }
        }
    }
    let mut sums: Vec<Vec<usize>> = terms.into_values().filter(|terms| terms.len() > 1).collect();
    sums.sort();
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use limbforge_algos::expr::Expr;

    fn batches(text: &str) -> Vec<Batch> {
        let dag = Expr::parse(text).expect("parses").to_dag();
        Products::new(&dag, true).batches()
    }

    /// Transforms: one per operand of each pair, one per result.
    fn transforms(text: &str) -> usize {
        let of = |batch: &Batch| {
            batch.residues.len() + batch.pairs.iter().map(|pair| pair.operands.len()).sum::<usize>()
        };
        batches(text).iter().map(of).sum()
    }

    /// Design section 7.
    #[test]
    fn poly_takes_seven_transforms() {
        assert_eq!(transforms("(a*a + b)*(b*b + b) + a*b"), 7);
        assert_eq!(batches("(a*a + b)*(b*b + b) + a*b").len(), 2);
    }

    #[test]
    fn transforms_are_shared() {
        for (text, expected) in [
            ("a*b", 3),
            ("a*a", 2),
            ("a*b + c*d", 5),
            ("a*b + c*d + e*f + a", 7),
            ("a*b - c*d", 6),
            ("a*a - a*b", 4),
            ("mulhi(a, b) + a*b", 6),
            ("(a*b)*(a*b)", 5),
        ] {
            assert_eq!(transforms(text), expected, "{text}");
        }
    }

    #[test]
    fn products_alone_share_nothing() {
        let dag = Expr::parse("(a*a + b)*(b*b + b) + a*b").expect("parses").to_dag();
        let batches = Products::new(&dag, false).batches();
        assert!(batches.iter().all(|batch| batch.results() == 1 && batch.pairs.len() == 1));
        assert_eq!(batches.len(), 4);
    }

    #[test]
    fn a_product_that_is_used_twice_is_not_absorbed() {
        let dag = Expr::parse("(a*b + c*d) ^ (a*b)").expect("parses").to_dag();
        let products = Products::new(&dag, true);
        assert_eq!(products.most_terms(), 1);
        assert!((0..dag.nodes().len()).all(|node| !products.is_absorbed(node)));
    }
}
