//! The page of the language: every function has a row, and every example has the value beside it.

use limbforge::algos::cpu::Why;
use limbforge::algos::expr::FUNCTIONS;
use limbforge::prelude::*;

const PAGE: &str = include_str!("../docs/expressions.md");

/// (examples, values) of each row.
fn rows() -> Vec<(Vec<String>, Vec<String>)> {
    let lines = PAGE.lines().filter(|line| line.starts_with("| `") && line.matches(" | ").count() > 2);
    let rows = lines.map(|line| {
        let line = line.replace("\\|", "\u{1}");
        let cells: Vec<String> = line.split(" | ").map(|cell| cell.replace('\u{1}', "|")).collect();
        let examples = cells[0].split('`').skip(1).step_by(2).map(str::to_owned).collect();
        (examples, cells[1].split(", ").map(str::to_owned).collect())
    });
    rows.collect()
}

#[test]
fn examples_have_the_values_beside_them() -> Result<(), Box<dyn std::error::Error>> {
    let ty = IntType::unsigned(64)?;
    let one = Batch::<u64>::from_biguints(ty, Layout::InstanceMajor, &[1_u32.into()])?;
    for (examples, values) in rows() {
        assert_eq!(examples.len(), values.len(), "{examples:?}");
        for (example, value) in examples.iter().zip(values) {
            let result = Engine::cpu().eval(&Expr::parse(example)?, &[("a", &one)])?;
            assert_eq!(result.to_biguints()[0].to_string(), value, "{example}");
        }
    }
    Ok(())
}

#[test]
fn every_function_and_every_mark_is_there() {
    let examples: String = rows().into_iter().flat_map(|(examples, _)| examples).collect();
    for (name, ..) in FUNCTIONS {
        assert!(examples.contains(&format!("{name}(")), "{name}");
    }
    let causes = [
        Why::DivisionByZero,
        Why::ZeroModulus,
        Why::NegativeExponent,
        Why::NotDivisible,
        Why::Negative,
        Why::NoInverse,
        Why::EvenNumber,
        Why::EvenModulus,
        Why::LongQuotient,
        Why::NoDegree,
    ];
    for why in causes {
        assert!(PAGE.contains(&format!("| `{}` | ", why.mark())), "{why:?}");
    }
}
