//! Programs that need too much: refused with the resource and with what would fit, which is checked.

use limbforge_algos::op::{Outcome, operations};
use limbforge_algos::program::Program;
use limbforge_kernels_gen::program::{Emission, TapeInput, TapeKernel, TapeSpec, render};
use limbforge_kernels_gen::{LimbKind, Limits, ProgramFits, SpecError, Target};
use limbforge_limb::{IntType, Layout};

fn plan(text: &str, bits: u32, limits: &Limits) -> Result<TapeKernel, SpecError> {
    emitted(text, bits, limits, Some(Emission::Tape))
}

fn emitted(
    text: &str,
    bits: u32,
    limits: &Limits,
    emission: Option<Emission>,
) -> Result<TapeKernel, SpecError> {
    let (program, ty) = (Program::parse(text).unwrap(), IntType::new(bits.into(), false).unwrap());
    let open: Vec<String> =
        program.inputs().filter(|(_, ty)| ty.is_none()).map(|(name, _)| name.to_owned()).collect();
    let types: Vec<(&str, IntType)> = open.iter().map(|name| (name.as_str(), ty)).collect();
    let program = program.typed(&types).unwrap();
    let (limb, output) = (LimbKind::of::<u64>(), Layout::InstanceMajor);
    let inputs = vec![TapeInput { limb, layout: output, one_for_all: false }; program.inputs().len()];
    let spec =
        TapeSpec { program: &program, inputs, limb, output, instances: None, target: Target::Cuda, emission };
    render(&spec, limits)
}

/// The samples, each at one width.
const SAMPLES: [(&str, u32); 8] = [
    ("cfrac", 128),
    ("ecm", 512),
    ("isqrt", 256),
    ("modexp", 1024),
    ("pm1", 512),
    ("prp", 768),
    ("rho", 128),
    ("vdf", 2048),
];

const MANY: &str = "in a, b\nin k: u32\nvar x = a\nvar y = [b + i for i in 0 .. 30]\n\
                    repeat k { x = x * x + 1; y = y * x + y[1] + y[2] }\nout x, y";

#[test]
fn what_is_refused_says_which_width_fits() {
    let slots = "numbers of an instance in shared memory; expected at most";
    let cases = [
        (
            "in a, b\nout x = a + b",
            70_000,
            Limits::SM_90,
            "values of u70000; kernels of programs take at most",
            65_536,
        ),
        ("in a, b\nout x = mul_wide(a, b)", 40_000, Limits::SM_90, "values of u80000", 32_768),
        (MANY, 65_536, Limits::SM_90, slots, 49_152),
        (MANY, 4096, Limits::SM_75, slots, 384),
    ];
    for (text, bits, limits, why, expected) in cases {
        let error = plan(text, bits, &limits).unwrap_err();
        let SpecError::ProgramRefused { fits, .. } = &error else { panic!("{error:?}") };
        let names = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(*fits, ProgramFits::Inputs { names, bits: expected }, "{error}");
        let said = error.to_string();
        let ends = format!(": the program fits with `a`, `b` of {expected} bits; or use the CPU backend");
        assert!(said.contains(why) && said.ends_with(&ends), "{said}");
        assert!(plan(text, expected, &limits).is_ok(), "{text} of {expected} bits");
        assert!(plan(text, expected + 1, &limits).is_err(), "{text} of {} bits", expected + 1);
    }
}

#[test]
fn what_no_width_helps_says_so() {
    let long = "in a\nlet v = [a * a + i for i in 0 .. 4000]\nout v";
    let cases = [
        ("in a: u70000\nout x = a + 1", ProgramFits::Values, "the program has values of u70000"),
        ("in a\nlet b = u70000(a) + 1\nout b", ProgramFits::Values, "the program has values of u70000"),
        (
            long,
            ProgramFits::Operations,
            "operations of the tape; expected at most 3500: as many at all widths",
        ),
    ];
    for (text, expected, why) in cases {
        let error = plan(text, 256, &Limits::SM_90).unwrap_err();
        let SpecError::ProgramRefused { fits, .. } = &error else { panic!("{error:?}") };
        assert_eq!(*fits, expected, "{error}");
        assert!(error.to_string().contains(why) && error.to_string().ends_with("CPU backend"), "{error}");
    }
}

/// The tapes of the samples, one operation a line: so that a change of lowering shows.
#[test]
fn tapes_of_the_samples() {
    for (name, bits) in SAMPLES {
        let path = format!("{}/../examples/programs/{name}.lf", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap();
        let kernel = plan(&text, bits, &Limits::SM_90).unwrap_or_else(|error| panic!("{name}: {error}"));
        let source = &kernel.kernel.source;
        // A line of the table is an operation with six fields.
        let operations: Vec<&str> = source.lines().map(str::trim).filter(|line| is_operation(line)).collect();
        assert_eq!(operations.len(), kernel.operations as usize, "{name}");
        let mut listing = format!(
            "{name} of {bits} bits: {} lanes of {} words, {} numbers, {} bytes of local memory\n",
            kernel.mapping.lanes, kernel.mapping.run_words, kernel.slots, kernel.local_bytes
        );
        for (i, operation) in operations.iter().enumerate() {
            for (entry, _) in kernel.entries.iter().filter(|(_, first)| *first as usize == i) {
                listing += &format!("{entry:?}:\n");
            }
            listing += &format!("{i:5} {}\n", operation.trim_matches(['{', '}', ',']));
        }
        insta::assert_snapshot!(format!("tape_{name}_{bits}"), listing);
    }
}

fn is_operation(line: &str) -> bool {
    let fields = line.strip_prefix('{').and_then(|line| line.trim_end_matches(',').strip_suffix('}'));
    fields.is_some_and(|fields| {
        fields.split(", ").count() == 6 && fields.starts_with(|c: char| c.is_ascii_uppercase())
    })
}

/// The page names the operations that make a tape of a program, of every width up to 256 bits.
#[test]
fn operations_that_a_thread_does_not_compute_are_on_the_page() {
    let page =
        std::fs::read_to_string(format!("{}/../docs/programs.md", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (_, list) = page.split_once("take the lanes of a warp, and so a tape: ").unwrap();
    let (list, _) = list.split_once(". ").unwrap();
    let listed: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
    for bits in [33, 64, 100, 128, 131, 250, 256] {
        for signed in ["u", "i"] {
            let ty = format!("{signed}{bits}");
            let mut found = vec![];
            for row in operations().filter(|row| row.result != Outcome::Wide) {
                let names: Vec<&str> = row.operands.to_vec();
                let text = format!(
                    "in {}\nout z = {}",
                    names.iter().map(|name| format!("{name}: {ty}")).collect::<Vec<_>>().join("\nin "),
                    row.of_variables()
                );
                match emitted(&text, bits, &Limits::SM_90, Some(Emission::Straight)) {
                    Ok(_) => {}
                    Err(SpecError::Straight { .. }) => found.push(row.word),
                    Err(error) => panic!("{text}: {error}"),
                }
            }
            assert_eq!(found, listed, "{ty}");
        }
    }
}
