//! Which transforms an expression's products take: what is multiplied together, added before the inverse
//! transform, and transformed once for several products.

use std::collections::HashMap;

use limbforge_algos::expr::{Dag, NodeId, Op};

/// Products that share transforms: one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Batch {
    /// Products whose digit sums come out on their own, with operands among those of the last pair; or the
    /// first term of the sum that comes out.
    pub(super) residues: Vec<usize>,
    /// Pairs of operands in the order in which they are transformed, with the product that is added to the
    /// sum.
    pub(super) pairs: Vec<Pair>,
    /// The sum that the pairs' products belong to, if any.
    pub(super) sum: Option<usize>,
    /// Whether this kernel ends the sum, or leaves it transformed for another one.
    pub(super) ends_sum: bool,
    /// The sum's part that an earlier kernel has left transformed is added.
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
    /// Products that lie on the longest way to a node.
    depth: Vec<usize>,
    /// Whether products share transforms; else each is a kernel of its own.
    shares: bool,
    /// Sums of two or more products that are used nowhere else: the products, deepest last. The sum's digits
    /// come out in place of the first one; the others count as zero.
    sums: Vec<Vec<usize>>,
    sum_of: HashMap<usize, usize>,
}

impl Batch {
    /// What comes out, and what an earlier kernel has left: 1 for a product alone.
    pub(super) fn results(&self) -> usize {
        let transformed = self.sum.is_some() && !self.ends_sum;
        self.residues.len() + usize::from(transformed) + usize::from(self.takes_spectrum)
    }
}

impl<'d> Products<'d> {
    pub(super) fn new(dag: &'d Dag, shares: bool) -> Self {
        let depth = depths(dag);
        let mut products = Self { dag, depth, shares, sums: vec![], sum_of: HashMap::new() };
        for mut terms in if shares { sums(dag) } else { vec![] } {
            terms.sort_by_key(|&term| (products.depth[term], term));
            let index = products.sums.len();
            products.sum_of.extend(terms.iter().map(|&term| (term, index)));
            products.sums.push(terms);
        }
        products
    }

    /// The most products that are added before an inverse transform.
    pub(super) fn most_terms(&self) -> usize {
        self.sums.iter().map(Vec::len).max().unwrap_or(1)
    }

    /// Whether a node's value comes with another product's: its own is then zero.
    pub(super) fn is_absorbed(&self, node: usize) -> bool {
        self.sum_of.get(&node).is_some_and(|&sum| self.sums[sum][0] != node)
    }

    /// The operands of a product, one for a square.
    fn operands(&self, node: usize) -> Vec<usize> {
        let mut operands: Vec<usize> = self.dag.nodes()[node].args.iter().map(|arg| arg.index()).collect();
        operands.dedup();
        operands
    }

    /// The kernels in an order in which operands are there when they are needed.
    pub(super) fn batches(&self) -> Vec<Batch> {
        let mut single: Vec<usize> = (0..self.depth.len())
            .filter(|node| self.is_product(*node) && !self.sum_of.contains_key(node))
            .collect();
        let mut batches = vec![];
        let mut started = vec![false; self.sums.len()];
        for (index, terms) in self.sums.iter().enumerate() {
            let left = self.share_first_term(&mut single, index, &mut batches);
            started[index] = left.len() < terms.len();
            let pairs =
                left.iter().map(|&term| Pair { operands: self.operands(term), is_term: true }).collect();
            batches.push(Batch {
                residues: vec![terms[0]],
                pairs,
                sum: Some(index),
                ends_sum: true,
                takes_spectrum: started[index],
            });
        }
        while let Some(node) = self.take_widest(&mut single) {
            let operands = self.operands(node);
            let mut residues = vec![node];
            if self.dag.nodes()[node].op == Op::Mul {
                residues.extend(self.take_squares(&mut single, &operands, 1));
            }
            let pairs = vec![Pair { operands, is_term: false }];
            batches.push(Batch { residues, pairs, sum: None, ends_sum: false, takes_spectrum: false });
        }
        batches.sort_by_key(|batch| (self.stage(batch), batch.ends_sum));
        batches
    }

    /// If the operands of one of the sum's products are squared too, one kernel transforms them for both and
    /// leaves the sum's product transformed. Returns the products that are still to be added.
    fn share_first_term(&self, single: &mut Vec<usize>, sum: usize, batches: &mut Vec<Batch>) -> Vec<usize> {
        let terms = &self.sums[sum];
        for (i, &term) in terms[..terms.len() - 1].iter().enumerate() {
            let operands = self.operands(term);
            let residues = self.take_squares(single, &operands, 2);
            if residues.is_empty() {
                continue;
            }
            let pairs = vec![Pair { operands, is_term: true }];
            batches.push(Batch { residues, pairs, sum: Some(sum), ends_sum: false, takes_spectrum: false });
            return terms
                .iter()
                .copied()
                .enumerate()
                .filter(|&(k, _)| k != i)
                .map(|(_, term)| term)
                .collect();
        }
        terms.clone()
    }

    /// Up to `most` squares, mod B^M, of these operands.
    fn take_squares(&self, single: &mut Vec<usize>, operands: &[usize], most: usize) -> Vec<usize> {
        let is_square = |&node: &usize| {
            self.dag.nodes()[node].op == Op::Sqr && operands.contains(&self.operands(node)[0])
        };
        let most = if self.shares { most } else { 0 };
        let squares: Vec<usize> = single.iter().copied().filter(is_square).take(most).collect();
        single.retain(|node| !squares.contains(node));
        squares
    }

    /// The next product, those of two operands first.
    fn take_widest(&self, single: &mut Vec<usize>) -> Option<usize> {
        let two = single.iter().position(|&node| self.operands(node).len() == 2);
        (!single.is_empty()).then(|| single.remove(two.unwrap_or(0)))
    }

    /// Products that must be there before a kernel runs.
    fn stage(&self, batch: &Batch) -> usize {
        batch.pairs.iter().flat_map(|pair| &pair.operands).map(|&node| self.depth[node]).max().unwrap_or(0)
    }

    fn is_product(&self, node: usize) -> bool {
        is_product(&self.dag.nodes()[node].op)
    }
}

/// Whether an operation is a product of any form.
pub(crate) const fn is_product(op: &Op) -> bool {
    matches!(op, Op::Mul | Op::Sqr | Op::MulHigh | Op::MulWide | Op::SqrWide)
}

fn depths(dag: &Dag) -> Vec<usize> {
    let mut depth: Vec<usize> = vec![];
    for node in dag.nodes() {
        let below = node.args.iter().map(|arg: &NodeId| depth[arg.index()]).max().unwrap_or(0);
        depth.push(below + usize::from(is_product(&node.op)));
    }
    depth
}

/// Low products under the same tree of additions, where neither they nor the additions between are used
/// elsewhere.
fn sums(dag: &Dag) -> Vec<Vec<usize>> {
    let nodes = dag.nodes();
    let mut uses = vec![0; nodes.len()];
    for arg in nodes.iter().flat_map(|node| &node.args) {
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
