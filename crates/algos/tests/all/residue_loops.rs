//! Loops over residues as sequences: a few rounds of a sequence are those of the program on the CPU.

use limbforge_algos::cpu::program::Runner;
use limbforge_algos::modmul_rns::Plan;
use limbforge_algos::program::{
    NotResidues, Program, ResidueLoop, State, TypedProgram, ValueId, residue_loop, stages,
};
use limbforge_algos::sequence::Step;
use limbforge_limb::{Batch, IntType, Layout};
use num_bigint::BigUint;

const ECM: &str = include_str!("../../../../examples/programs/ecm.lf");
const VDF: &str = include_str!("../../../../examples/programs/vdf.lf");

fn typed(text: &str, bits: u32) -> TypedProgram {
    let program = Program::parse(text).unwrap();
    let ty = IntType::unsigned(bits.into()).unwrap();
    let untyped: Vec<_> =
        program.inputs().filter(|(_, ty)| ty.is_none()).map(|(name, _)| (name, ty)).collect();
    program.typed(&untyped).unwrap_or_else(|error| panic!("{}", error.report(text)))
}

/// The first loop.
fn found(program: &TypedProgram) -> Result<ResidueLoop, NotResidues> {
    residue_loop(program, stages(program)[0].cut_loop(program).unwrap())
}

/// The number of a value of an instance.
fn number(state: &State, value: ValueId, instance: usize) -> BigUint {
    let (_, batch) = state.values.iter().find(|(held, _)| *held == value).unwrap();
    let all = batch.to_biguints();
    all[if all.len() == 1 { 0 } else { instance }].clone()
}

/// Rounds of the first loop of a program, with inputs N, then those given, one for all if there is one;
/// `bits` are those of the rounds.
fn check(text: &str, bits: u32, moduli: &[BigUint], others: &[Vec<BigUint>], round_bits: &[bool]) {
    let program = typed(text, bits);
    let sequence = found(&program).unwrap();
    let batches = [moduli.to_vec()].into_iter().chain(others.iter().cloned()).zip(program.inputs());
    let batch = |(values, input): (Vec<BigUint>, &limbforge_algos::program::Input)| {
        Batch::<u64>::from_biguints(input.ty, Layout::InstanceMajor, &values).unwrap()
    };
    let mut run = Runner::new(&program, batches.map(batch).collect(), moduli.len()).unwrap();
    let before = run.state();
    run.advance(round_bits.len() as u64);
    let after = run.state();
    assert_eq!((after.stage, after.round), (0, round_bits.len() as u64), "rounds are left");
    let plan = Plan::for_sequences(bits).unwrap();
    let carried = sequence.sequence.outputs().len();
    for (i, n) in moduli.iter().enumerate() {
        let Ok(modulus) = plan.modulus(n) else { continue };
        let numbers: Vec<BigUint> = sequence.given.iter().map(|&value| number(&before, value, i)).collect();
        let results = modulus.run(&sequence.sequence, &numbers, round_bits).unwrap();
        let expected: Vec<BigUint> =
            sequence.given[..carried].iter().map(|&value| number(&after, value, i)).collect();
        assert_eq!(results, expected, "{text}\nmodulo {n}");
    }
}

fn odd_moduli(bits: u32) -> Vec<BigUint> {
    let top = BigUint::from(1_u32) << bits;
    vec![1_u32.into(), 3_u32.into(), &top - 1_u32, &top - 5_u32, (top >> 1_u32) + 1_u32]
}

fn numbers(values: [u64; 5]) -> Vec<BigUint> {
    values.map(BigUint::from).to_vec()
}

#[test]
fn loops_of_the_examples() {
    for bits in [64, 200] {
        let n = odd_moduli(bits);
        let x = numbers([2, 5, u64::MAX, 1 << 63, 0]);
        check(VDF, bits, &n, &[x, numbers([9; 5])], &[false; 8]);
        // 1101011001, of which the highest bit is left out.
        let s = vec![BigUint::from(0b11_0101_1001_u32)];
        let rounds = [1, 0, 1, 0, 1, 1, 0, 0].map(|bit| bit == 1);
        check(ECM, bits, &n, &[s, numbers([1, 2, 77, 1 << 31, (1 << 32) - 1])], &rounds);
    }
}

#[test]
fn a_ladder_has_the_products_of_its_formulas() {
    let sequence = found(&typed(ECM, 1024)).unwrap().sequence;
    let products = sequence.steps().iter().filter(|step| matches!(step, Step::Product { .. }));
    let is_square = |step: &&Step| matches!(step, Step::Product { factors: [a, b], .. } if a == b);
    let (squares, all): (Vec<&Step>, Vec<&Step>) =
        (products.clone().filter(is_square).collect(), products.collect());
    assert_eq!((squares.len(), all.len()), (4, 9));
    assert!(sequence.steps().len() <= 14 && sequence.variables() <= 12, "{sequence:?}");
    let square = found(&typed(VDF, 1024)).unwrap().sequence;
    assert_eq!((square.steps().len(), square.variables()), (1, 2));
}

#[test]
fn sums_grow_choices_nest_and_values_change_places() {
    let rounds = [true, false, false, true, true];
    let k = vec![BigUint::from(0b110_0110_u32)];
    let texts = [
        // Rho, and sums that grow without a product.
        "var (x, y, z) = (a, b, a + b) mod N\nfor bit in bits(k) after 1 { (x, y, z) = (x*x + 1, y + x, z - 3*y) }",
        // Rotation, and multiples up to 16 and beyond.
        "var (x, y, z) = (a, b, 3) mod N\nfor bit in bits(k) after 1 { (x, y, z) = (y, 16*z, (x*17 - 5)*(y - z)) }",
        // Choices of choices, of sums, of sums that are not alike, and of the bit that is 0.
        "var (x, y, z) = (a, b, 7) mod N\nfor bit in bits(k) after 1 {\n\
         let u = if bit { x } else { y }\nlet v = select(not bit, u, z)\nlet w = select(bit, x + y, z)\n\
         (x, y, z) = (select(bit, x - y, y - x) * w, v + u, -w) }",
        // Branches, of which one has a product.
        "var (x, y, z) = (a, b, 7) mod N\nfor bit in bits(k) after 1 { z = x*z\n\
         if bit { (x, y) = (x*y, y + z) } else { x = x*x } }",
        // A value that nothing changes, one that becomes 0, and one that becomes a number.
        "var (x, y, z) = (a, b, a) mod N\nlet c = a*b mod N\n\
         for bit in bits(k) after 1 { (y, z) = (x*c*2 - c, y - y)\nx = 5 + 0*z }",
    ];
    for text in texts {
        let text = format!("in N\nin k: u32\nin a, b\n{text}\nout x, y, z");
        for bits in [40, 128] {
            let n = odd_moduli(bits);
            let a = numbers([5, 7, 1 << 39, 3, (1 << 40) - 1]);
            let b = numbers([11, 0, 1, (1 << 40) - 1, 12345]);
            check(&text, bits, &n, &[k.clone(), a, b], &rounds);
        }
    }
}

#[test]
fn loops_of_other_kinds_say_why() {
    let why = |body: &str| {
        let text = format!("in N, a\nin k: u32\nvar x = a mod N\nvar i: u32 = 0\n{body}\nout x");
        found(&typed(&text, 128)).unwrap_err().to_string()
    };
    let cases = [
        ("while x != 1 limit 9 { x = x*x }", "`while`"),
        ("repeat k { x = x*x\ni = i + 1 }", "it carries u32"),
        ("for d in digits(k, 4) { x = x*x }", "digits"),
        ("repeat k { x = 1/x }", "`residue Inverse`"),
        ("repeat k { x = x ** k }", "`residue Power`"),
        ("for j in 0 .. k { x = x + j }", "`residue Of`"),
        ("repeat k { if x == 1 { x = x*x } }", "`residue Eq`"),
        ("repeat k { x = -x }", "no step is a product"),
        ("repeat k { repeat 5 { x = x*x } }", "`for times after 0`"),
    ];
    for (body, expected) in cases {
        let found = why(body);
        assert!(found.contains(expected), "{body}: {found}");
    }
}
