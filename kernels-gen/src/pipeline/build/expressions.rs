//! The kernels of an expression around its products and from their residues.

use limbforge_algos::expr::{Dag, Expr, Op};
use limbforge_limb::{IntType, Layout};

use super::{Builder, Value, internal};
use crate::pipeline::{ProductMapping, Sink, Source};
use crate::spec::{InputForm, KernelSpec, Mapping, Part, SpecError};

impl Builder<'_> {
    /// Makes a node's value integers in memory, if it is not.
    pub(in crate::pipeline) fn integers(&mut self, node: usize) -> Result<(), SpecError> {
        let is_there = |builder: &Self| {
            let value = builder.values.get(&node);
            value.is_some_and(|value| matches!(value.input.form, InputForm::Integers))
        };
        if is_there(self) {
            return Ok(());
        }
        let expr = self.expr(node)?;
        let (ty, same) = (self.spec.ty, self.same_divisions(node));
        if is_there(self) {
            // A division has left it there.
            if self.done.len() > 1 {
                return Ok(());
            }
        } else if same.len() > 1 && self.store_divisions(&same)? {
            return Ok(());
        }
        self.store((node, node), &format!("%{node}"), &expr, ty);
        Ok(())
    }

    /// Adds a kernel that leaves `expr` mod 2^N, computed in type `ty`, on the device as the value `key`. The
    /// results that need `node` fail with it.
    pub(in crate::pipeline) fn store(
        &mut self,
        (key, node): (usize, usize),
        name: &str,
        expr: &Expr,
        ty: IntType,
    ) {
        let result = self.spec.ty;
        let (sink, source) = self.sink(self.spec.limb.instance_words(result).into());
        self.expression(expr, [ty, result], sink, node);
        self.keep(key, source, name, InputForm::Integers);
    }

    /// Adds a kernel that computes `expr` in type `ty` and stores it as `result`, instance by instance.
    pub(in crate::pipeline) fn expression(
        &mut self,
        expr: &Expr,
        types: [IntType; 2],
        sink: Sink,
        node: usize,
    ) {
        let fails = self.fails(&[node]);
        let (spec, sources) = self.kernel_of(expr.to_dag(), types, Layout::InstanceMajor, fails);
        self.program.push(spec, sources, vec![sink]);
    }

    /// The kernel of expressions in a type with results of a type, and what it reads.
    pub(in crate::pipeline) fn kernel_of(
        &self,
        dag: Dag,
        [ty, result]: [IntType; 2],
        output: Layout,
        fails: Vec<u32>,
    ) -> (KernelSpec, Vec<Source>) {
        let mut inputs = vec![];
        let mut sources = vec![];
        for name in dag.inputs() {
            if let Some(value) = self.values.values().find(|value| value.input.name == name) {
                let mut input = value.input.clone();
                if ty != self.spec.ty && input.form == InputForm::Integers {
                    input.form = InputForm::Narrow { words: self.spec.limb.instance_words(self.spec.ty) };
                }
                inputs.push(input);
                sources.push(value.source);
            }
        }
        let (limb, target, unless, part) = (self.spec.limb, self.spec.target, None, Part::Whole);
        let mapping = Mapping::plan_inputs(&dag, ty, limb, &inputs, output);
        let mut spec =
            KernelSpec { dag, ty, result, limb, inputs, output, mapping, unless, fails, part, target };
        if let Some(ProductMapping::Columns { words, instances }) = self.mapping
            && spec.is_mapped()
        {
            spec.mapping = Mapping::with_words(&spec.dag, spec.words(), words, instances);
        }
        (spec, sources)
    }

    /// A node's value in terms of the values that are on the device.
    pub(in crate::pipeline) fn expr(&mut self, node: usize) -> Result<Expr, SpecError> {
        let dag: &Dag = &self.spec.dag;
        let needed = self.apart(node)?;
        for i in (0..=node).filter(|&i| needed[i] && dag.nodes()[i].op == Op::MulHigh) {
            self.high(i)?;
        }
        let mut exprs: Vec<Option<Expr>> = vec![];
        for (i, (id, dag_node)) in dag.ids().zip(&dag.nodes()[..=node]).enumerate() {
            let expr = if !needed[i] || (self.transforms && self.products.is_absorbed(i)) {
                None
            } else if let Some(value) = self.values.get(&i) {
                Some(Expr::input(&value.input.name))
            } else {
                let args = dag_node.args.iter().filter_map(|arg| exprs[arg.index()].clone());
                let args: Vec<Expr> = args.collect();
                match args.len() {
                    2 if self.is_divided(i) => self.lcm_from_quotient(i, &args),
                    len if len == dag_node.args.len() => Some(Expr::operation(dag_node.op.clone(), args)),
                    // Only the other operand is left of a sum with an absorbed product.
                    _ if dag_node.op == Op::Add => args.into_iter().next(),
                    _ => return Err(internal(&format!("`{}` has its operands", dag.describe(id)))),
                }
            };
            exprs.push(expr);
        }
        exprs.pop().flatten().ok_or_else(|| internal("a value has an expression"))
    }

    /// The nodes that a node's value is computed from, down to those that are on the device.
    pub(in crate::pipeline) fn needed(&self, node: usize) -> Vec<bool> {
        let mut needed = vec![false; node + 1];
        needed[node] = true;
        for i in (0..=node).rev() {
            if needed[i] && !self.values.contains_key(&i) {
                for arg in &self.spec.dag.nodes()[i].args {
                    needed[arg.index()] = true;
                }
            }
        }
        needed
    }

    /// Whether a node is a high product whose residues, or all of whose digits, are on the device.
    pub(in crate::pipeline) fn is_to_be_moved(&self, node: usize) -> bool {
        let is_wide = |value: &Value| value.input.form != InputForm::Integers;
        *self.op(node) == Op::MulHigh && self.values.get(&node).is_some_and(is_wide)
    }

    /// Turns a product's residues, or all of its digits, into its high half.
    pub(in crate::pipeline) fn high(&mut self, node: usize) -> Result<(), SpecError> {
        if !self.is_to_be_moved(node) {
            return Ok(());
        }
        let ty = self.spec.ty;
        let expr = self.wide(node) >> ty.bits();
        self.store((node, node), &format!("%{node}"), &expr, double(ty)?);
        Ok(())
    }

    /// The exact product of two operands in the type of twice the bits, from its residues or the digits of
    /// the unsigned product.
    ///
    /// Of signed operands a = A - 2^N [a < 0], with A in [0, 2^N): a b = A B - 2^N ([a < 0] B + [b < 0] A)
    /// mod 2^2N. The sum in brackets matters mod 2^N and is computed first.
    pub(in crate::pipeline) fn wide(&mut self, node: usize) -> Expr {
        let ty = self.spec.ty;
        let product = Expr::input(&self.values[&node].input.name);
        if !ty.is_signed() {
            return product;
        }
        let args = &self.spec.dag.nodes()[node].args;
        let [x, y] =
            [args[0], args[args.len() - 1]].map(|arg| Expr::input(&self.values[&arg.index()].input.name));
        let zero = Expr::literal(0u32);
        let correction = x.cmp_lt(&zero).select(&y, &zero) + y.cmp_lt(&zero).select(&x, &zero);
        let name = format!("%{node}s");
        // No node has this number.
        self.store((self.spec.dag.nodes().len() + node, node), &name, &correction, ty);
        product - (Expr::input(&name) << ty.bits())
    }
}

/// The unsigned type of twice the bits, in which a wide product is assembled.
pub(in crate::pipeline) fn double(ty: IntType) -> Result<IntType, SpecError> {
    let unsigned = IntType::unsigned(ty.bits().into()).map_err(|error| internal(&error.to_string()))?;
    Ok(Expr::input("a").sqr_wide().to_dag().result_type(unsigned)?)
}
