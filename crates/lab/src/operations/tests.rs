use limbforge::algos::expr::Op;

use super::*;

#[test]
fn names_say_how_many_operations() {
    for Benchmark { name, expression, .. } in benchmarks().iter().filter(|one| one.is_in(Group::Add)) {
        let dag = Expr::parse(expression).unwrap().to_dag();
        let count = dag.nodes().iter().filter(|node| matches!(node.op, Op::Add | Op::Sub)).count();
        let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        assert_eq!((digits.parse(), dag.inputs().count()), (Ok(count), 2), "{name}");
    }
}

#[test]
fn benchmarks_measure_what_they_are_called_after() {
    for one @ Benchmark { name, expression, shared, product, .. } in benchmarks() {
        let dag = Expr::parse(expression).unwrap().to_dag();
        assert_eq!(name.ends_with("-shared"), shared.is_some(), "{name}");
        let is_input = |operand: &String| dag.inputs().any(|input| input == operand);
        assert!(shared.as_ref().is_none_or(is_input), "{name}");
        assert!(operand_count(&dag).is_some_and(|count| count > 0), "{name}");
        let products = dag.nodes().iter().filter(|node| matches!(node.op, Op::Mul | Op::Sqr)).count();
        match (one.is_in(Group::Fused), one.is_in(Group::Mul)) {
            (true, _) => assert!(products >= 2, "{name}"),
            (_, true) => assert!(products < 2, "{name}"),
            _ => continue,
        }
        assert!(name.ends_with(&product.to_string()), "{name}");
    }
}

/// Every operation of expressions has a benchmark, but for those of written numbers.
#[test]
fn all_operations_can_be_measured() {
    for row in expr::operations().filter(|row| row.op.is_some()) {
        let one = of_operation(row.name).unwrap_or_else(|| panic!("{} has no benchmark", row.name));
        assert!(one.operands() >= 1 && one.name == row.name, "{one:?}");
    }
    assert_eq!(of_operation("powmod").unwrap().expression, "powmod(a, b, c | 1)");
    assert_eq!(of_operation("lcm").unwrap().expression, "lcm(a, b)");
    assert_eq!(of_operation("<<").unwrap().expression, "a << b");
    assert!(of_operation("add1").is_none() && of_operation("no").is_none());
}

#[test]
fn operands_that_are_one_for_all_are_in_the_name() {
    let shared = |name: &str, operand| of_operation(name).unwrap().with_shared(operand);
    let powers = of_operation("powmod").unwrap().by(Product::Rns).with_shared("c");
    assert_eq!((&*powers.name, powers.shared.as_deref()), ("powmod-rns-shared", Some("c")));
    assert!(powers.is_measured_once_over());
    assert_eq!((&*shared("gcd", "b").name, &*shared("gcd", "c").name), ("gcd-shared", "gcd"));
}

#[test]
fn products_of_words() {
    let products = |name: &str| {
        let one = benchmarks().iter().find(|one| one.name == name).unwrap();
        [512, 131].map(|bits| one.multiply_accumulates(bits))
    };
    assert_eq!(products("mul-classical"), [Some(136.0), Some(15.0)]);
    assert_eq!(products("mul-wide-classical"), [Some(256.0), Some(25.0)]);
    assert_eq!(products("add1"), [None; 2]);
}

#[test]
fn names_have_two_parts() {
    assert_eq!(figure_of("add10"), ("10", "add"));
    assert_eq!(figure_of("mix6"), ("6", "mix"));
    assert_eq!(figure_of("mul-ntt"), ("mul", "ntt"));
    assert_eq!(figure_of("mul-wide-classical"), ("mul-wide", "classical"));
    assert_eq!(figure_of("lcm"), ("lcm", "auto"));
    let mut drawn = benchmarks().iter().map(|one| &one.figure);
    assert!(drawn.all(|figure| figures().iter().any(|(name, _)| name == figure)));
}
