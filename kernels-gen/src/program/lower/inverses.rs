//! Inverses of all elements of an array by one inversion: Montgomery's trick.

use limbforge_algos::program::Node;

use super::Lowerer;
use super::carried::Carried;
use crate::program::tape::code::Var;

impl Lowerer<'_> {
    /// `1 / x` of each element: 3 (k - 1) products and one inversion. The product of the elements has an inverse
    /// if all of them have one, so that an instance fails where one element has none.
    pub(super) fn inverses(&mut self, node: &Node) {
        let id = self.modulus_of(node);
        let (vars, result) = (self.vars(node.args[0]), node.results[0]);
        // Product i is that of the elements up to i.
        let (mut products, mut whole): (Vec<Var>, Option<Var>) = (vec![], None);
        for &x in &vars {
            let product = whole.map_or(x, |so_far| self.product_of(id, so_far, x));
            products.push(product);
            whole = Some(product);
        }
        let mut inverses = vec![];
        if let Some(whole) = whole {
            // The inverse of product i.
            let mut inverse = self.inverse_of(id, whole, node);
            for i in (1..vars.len()).rev() {
                inverses.push(self.product_of(id, inverse, products[i - 1]));
                inverse = self.product_of(id, inverse, vars[i]);
            }
            inverses.push(inverse);
        }
        inverses.reverse();
        self.forget(result);
        self.set_carried(result, &Carried::Vars(inverses));
    }
}
