//! The table has a row for every operation.

use core::mem::discriminant;
use std::collections::HashSet;

use super::operations;
use crate::expr::{Amount, Op};

/// Every operation once. A new one does not compile until it is here.
fn all() -> Vec<Op> {
    use Op::{
        Add, AddMod, And, Clz, Ctz, Div, DivEuclid, DivExact, DivWide, Divisible, Eq, Extract, FromMont,
    };
    use Op::{Gcd, Input, Insert, IsPerfectPower, IsPrime, IsSquare, IsStrongProbablePrime, Isqrt, IsqrtRem};
    use Op::{
        Jacobi, Lcm, Le, Literal, Lt, Mask, MaskHigh, Max, Min, ModInv, ModInv2k, MontMul, MontReduce, Mul,
    };
    use Op::{
        MulHigh, MulMod, MulWide, Ne, Neg, Not, Or, Popcount, PowMod, Rem, RemEuclid, RemWide, Root, Rotl,
    };
    use Op::{Rotr, Select, Shl, ShlBy, Shr, ShrBy, Sqr, SqrWide, Sub, SubMod, ToMont, XgcdX, XgcdY, Xor};
    let known = |op: &Op| match op {
        Input(_) | Literal(_) | Neg | Not | Sqr | Shl(_) | Shr(_) | ShlBy | ShrBy | Rotl(_) | Rotr(_) => (),
        Popcount | Clz | Ctz | Extract { .. } | Insert { .. } | Mask(_) | MaskHigh(_) | Add | Sub | Mul => (),
        MulHigh | MulWide | SqrWide | Div | Rem | DivEuclid | RemEuclid | DivExact | Divisible | Gcd
        | Lcm => (),
        Isqrt | ModInv | PowMod | AddMod | SubMod | MulMod | DivWide | RemWide | ToMont | FromMont
        | MontMul => (),
        MontReduce | ModInv2k | XgcdX | XgcdY | Jacobi | Root | IsqrtRem | IsSquare | IsPerfectPower => (),
        IsPrime | IsStrongProbablePrime | And | Or | Xor | Min | Max | Eq | Ne | Lt | Le | Select => (),
    };
    let n = || Amount::Operand;
    let field = || (n(), n());
    let all = vec![
        Input("a".into()),
        Literal(1_u32.into()),
        Neg,
        Not,
        Sqr,
        Shl(1),
        Shr(1),
        ShlBy,
        ShrBy,
        Rotl(n()),
        Rotr(n()),
        Popcount,
        Clz,
        Ctz,
        Extract { start: field().0, length: field().1 },
        Insert { start: field().0, length: field().1 },
        Mask(n()),
        MaskHigh(n()),
        Add,
        Sub,
        Mul,
        MulHigh,
        MulWide,
        SqrWide,
        Div,
        Rem,
        DivEuclid,
        RemEuclid,
        DivExact,
        Divisible,
        Gcd,
        Lcm,
        Isqrt,
        ModInv,
        PowMod,
        AddMod,
        SubMod,
        MulMod,
        DivWide,
        RemWide,
        ToMont,
        FromMont,
        MontMul,
        MontReduce,
        ModInv2k,
        XgcdX,
        XgcdY,
        Jacobi,
        Root,
        IsqrtRem,
        IsSquare,
        IsPerfectPower,
        IsPrime,
        IsStrongProbablePrime,
        And,
        Or,
        Xor,
        Min,
        Max,
        Eq,
        Ne,
        Lt,
        Le,
        Select,
    ];
    all.iter().for_each(known);
    // As many as the match above has.
    assert_eq!(all.iter().map(discriminant).collect::<HashSet<_>>().len(), 64);
    all
}

#[test]
fn every_operation_has_a_row() {
    for op in all() {
        // Inputs and numbers are no operations; shifts by numbers are those by operands.
        let op = match op {
            Op::Input(_) | Op::Literal(_) => continue,
            Op::Shl(_) => Op::ShlBy,
            Op::Shr(_) => Op::ShrBy,
            op => op,
        };
        let row = operations().find(|row| row.op.as_ref() == Some(&op));
        let row = row.unwrap_or_else(|| panic!("no row for {op}"));
        assert_eq!(row.operands.len(), op.arity(), "{op}");
        let may_fail = op.may_fail(false) || op.may_fail(true);
        assert_eq!(may_fail, !row.failures.is_empty(), "{op}");
    }
}
