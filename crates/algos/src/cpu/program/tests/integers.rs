//! Integers: nested loops of different counts, with instances that fail in the middle.

use limbforge_limb::{Batch, Layout};

use super::{COUNTS, run, ty, words};
use crate::cpu::Why;
use crate::op::Op;
use crate::program::sketch::Sketch;
use crate::program::{Kind, Rounds, Ty, TypedProgram};

/// ```text
/// in x, times: u16
/// var (a, b, steps) = (x, 1, 0)
/// repeat times after 1 {
///     (a, b) = (b + 2, a)
///     while a < 50 limit 2 { a = a * 3 + b; steps = steps + 1 }
///     if a & 1 == 1 { require a != 101; a = a / (b & 7) }
/// }
/// out a, b, steps
/// ```
fn walk() -> TypedProgram {
    let (mut p, u16) = (Sketch::new(), Ty::int(ty(16)));
    let (x, times) = (p.input(ty(16), None), p.input(ty(16), None));
    let [zero, one, two, three, seven, fifty, bad] = [0, 1, 2, 3, 7, 50, 101].map(|n| p.constant(n, u16));
    let [a, b, steps] = p.begin([u16; 3]);
    let next = p.node(Kind::Integer(Op::Add), &[b, two], u16);

    let [w, _] = p.begin([u16; 2]);
    let below = p.node(Kind::Integer(Op::Lt), &[w, fifty], Ty::BOOL);
    let condition = p.end(&[below]);
    let [w, count] = p.begin([u16; 2]);
    let triple = p.node(Kind::Integer(Op::Mul), &[w, three], u16);
    let sum = p.node(Kind::Integer(Op::Add), &[triple, a], u16);
    let counted = p.node(Kind::Integer(Op::Add), &[count, one], u16);
    let body = p.end(&[sum, counted]);
    let [w, count] = p.nodes(Kind::While { limit: 2, condition, body }, &[next, steps], [u16; 2]);

    let low = p.node(Kind::Integer(Op::And), &[w, one], u16);
    let odd = p.node(Kind::Integer(Op::Eq), &[low, one], Ty::BOOL);
    let [] = p.begin([]);
    let good = p.node(Kind::Integer(Op::Ne), &[w, bad], Ty::BOOL);
    let [] = p.nodes(Kind::Require, &[good], []);
    let divisor = p.node(Kind::Integer(Op::And), &[a, seven], u16);
    let quotient = p.node(Kind::Integer(Op::Div), &[w, divisor], u16);
    let then = p.end(&[quotient]);
    let [] = p.begin([]);
    let otherwise = p.end(&[w]);
    let chosen = p.node(Kind::If { then, otherwise }, &[odd], u16);
    let body = p.end(&[chosen, a, count]);
    let kind = Kind::For { over: Rounds::Times, after: 1, body };
    let results = p.nodes(kind, &[times, x, one, zero], [u16; 3]);
    results.into_iter().for_each(|result| p.output(result));
    p.finish()
}

fn expected(x: u16, times: u16) -> Result<[u16; 3], Why> {
    let (mut a, mut b, mut steps) = (x, 1_u16, 0_u16);
    for _ in 1..times {
        (a, b) = (b.wrapping_add(2), a);
        let mut rounds = 0;
        while a < 50 {
            if rounds == 2 {
                return Err(Why::Limit);
            }
            (a, steps, rounds) = (a.wrapping_mul(3).wrapping_add(b), steps + 1, rounds + 1);
        }
        if a & 1 == 1 {
            if a == 101 {
                return Err(Why::Require);
            }
            a = a.checked_div(b & 7).ok_or(Why::DivisionByZero)?;
        }
    }
    Ok([a, b, steps])
}

#[test]
fn nested_loops_end_for_each_instance_by_itself() {
    let program = walk();
    let mut reasons = vec![];
    for instances in COUNTS {
        for one_for_all in [None, Some(7), Some(0)] {
            let x: Vec<u64> = (0..instances as u64).map(|i| i * i % 211).collect();
            let times: Vec<u64> = match one_for_all {
                None => (0..instances as u64).map(|i| i % 12).collect(),
                Some(times) => vec![times],
            };
            let inputs = [words(ty(16), &x), words(ty(16), &times)];
            let (results, failures) = run(&program, &inputs, instances, 1 + instances as u64 % 3);
            let results: Vec<_> = results.iter().map(|batch| batch.to_u64s().unwrap_or_default()).collect();
            let mut failed = failures.iter();
            for i in 0..instances {
                let found: Vec<u64> = results.iter().map(|result| result[i]).collect();
                let times = one_for_all.unwrap_or(i as u64 % 12);
                match expected(x[i] as u16, times as u16) {
                    Ok(expected) => assert_eq!(found, expected.map(u64::from), "instance {i}"),
                    Err(why) => {
                        let failure = failed.next().map(|failure| (failure.instance, failure.why));
                        assert_eq!((failure, &found[..]), (Some((i, why)), &[0, 0, 0][..]));
                        reasons.push(why);
                    }
                }
            }
            assert_eq!(failed.next(), None);
        }
    }
    for why in [Why::Limit, Why::DivisionByZero] {
        assert!(reasons.contains(&why), "{why:?} happens");
    }
}

#[test]
fn layouts_make_no_difference() {
    let inputs = [words(ty(16), &[5, 9, 100]), words(ty(16), &[3, 4, 5])];
    let interleaved = inputs.clone().map(|batch| batch.into_layout(Layout::Interleaved));
    assert_eq!(run(&walk(), &inputs, 3, 1), run(&walk(), &interleaved, 3, 2));
}

#[test]
fn array_elements_are_found_and_replaced() {
    // out v[i], v with v[i] = v[j] + v[i]
    let (mut p, wide, index) = (Sketch::new(), ty(100), ty(8));
    let array = Ty { length: Some(3), ..Ty::int(wide) };
    let (v, i, j) = (p.input(wide, Some(3)), p.input(index, None), p.input(index, None));
    let first = p.node(Kind::Index, &[v, i], Ty::int(wide));
    let second = p.node(Kind::Index, &[v, j], Ty::int(wide));
    let sum = p.node(Kind::Integer(Op::Add), &[first, second], Ty::int(wide));
    let changed = p.node(Kind::Update, &[v, i, sum], array);
    let doubled = p.node(Kind::Integer(Op::Add), &[changed, changed], array);
    let of_all = p.node(Kind::Integer(Op::Mul), &[doubled, first], array);
    p.output(of_all);
    let program = p.finish();
    let vs = words(wide, &[1, 2, 3, 10, 20, 30, 5, 6, 7]);
    let (results, failures) =
        run(&program, &[vs.clone(), words(index, &[0, 2, 1]), words(index, &[1, 2, 3])], 3, 1);
    let expected = [[3_u64, 2, 3].map(|x| 2 * x), [10, 20, 60].map(|x| 2 * 30 * x), [0; 3]].concat();
    assert_eq!(results[0].to_u64s(), Ok(expected));
    assert_eq!(
        failures.iter().map(|f| (f.instance, f.why, f.span.start)).collect::<Vec<_>>(),
        [(2, Why::Index, 1)]
    );
    let one_for_all: Batch<u64> = vs.slice(3..6);
    let (results, _) = run(&program, &[one_for_all, words(index, &[1, 2]), words(index, &[0])], 2, 1);
    assert_eq!(results[0].to_u64s(), Ok(vec![400, 1200, 1200, 600, 1200, 2400]));
}
