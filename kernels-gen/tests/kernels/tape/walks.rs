//! What walks need: quotients of arrays, random integers, lists.

use limbforge_algos::op::Why;

use super::features::check;

/// Quotients of arrays by one inversion; an instance fails if one element has no inverse.
#[test]
fn quotients_of_arrays() {
    let text = "in a, b, c
let x = [a, b, a + b, a - b, a + 1, 1] mod c
var y = [a + 2, b + 3, 5, a * b + 1, 2, a] mod c
let one = 1 / y[1]
repeat 2 {
    y = x / y
    y = y + 1
}
out y, one, same = 3 / y == 3 * (1 / y)";
    for ty in ["u200", "u512", "u1100", "u40"] {
        check(text, [ty, ty, ty]);
    }
    let text = "in a, b, c
let y = [a + 1, b, 3] mod 9 * c
out q = b / y";
    let failures = check(text, ["u300", "u300", "u300"]);
    assert!(failures.contains(&Some((Why::NoInverse, 3))), "{failures:?}");
    let text = "in a, b, c
let y = [a + 1, b * c, 1] mod c
out q = 1 / y";
    let failures = check(text, ["u300", "u300", "u300"]);
    assert!(failures.iter().all(|failure| *failure == Some((Why::NoInverse, 3)) || failure.is_none()));
    assert!(failures.contains(&Some((Why::NoInverse, 3))), "{failures:?}");
}

/// Random integers and numbers of instances are those of the CPU, in one launch and behind states, too.
#[test]
fn random_integers() {
    let text = "in a, b
let k = random(u131, a, 32*instance + 7)
let many = [random(u64, b, 4*instance + j) for j in 0 .. 4]
let few = random(i7, a, [3, -1, 5])
var sum = u300(0)
for i in 0 .. 5 { sum = sum + random(u300, instance, i) }
out k, many, few, sum, wide = random(i257, 5, a), instance";
    for ty in ["u100", "i40", "u512"] {
        check(text, [ty, ty, ty]);
    }
    let text = "in a, b\nout k = random(u2000, a, instance), e = random(u8, b, 0)";
    check(text, ["u70", "u70", "u70"]);
}

/// Rows of every type, of arrays, in loops, arms and inner loops, and before failures.
#[test]
fn lists() {
    let text = "in a, b, c
list small: (u64, i9, bool) at most 100000
list residues: (mod c, i200, u32) at most 2**40
let many = [a, a + 1, b * 3] mod c
emit residues(many, i200(a), element + 7) where [true, a > b, false]
var y = b mod c
var k = 0
repeat a % 7 {
    y = sqr(y) + k
    emit small(instance, i9(a), k == 2) where int(y) % 2 == 0
    emit residues(y + many, -5, element)
    if k > 2 { for i in 0 .. b % 4 { emit small(u64(i), -9, true) } } else { emit small(u64(b), 3, false) }
    k = k + 1
    require k != 5 or b % 2 == 0
}
emit residues([y, y * y], 3, u32(k))
out y, k";
    for ty in ["u100", "u64", "u512", "u1100"] {
        let failures = check(text, [ty, ty, ty]);
        assert!(failures.contains(&None), "{failures:?}");
    }
}
