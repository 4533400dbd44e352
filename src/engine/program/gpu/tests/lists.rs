//! Lists on emulated kernels: rooms that grow, slices in halves.

use limbforge_needs::needs;

use super::*;

const WALK: &str = "in n, x, t\nlist seen: (u64, mod n, bool) at most 1000\nlist ends: i70 at most 7\n\
                    var y = x mod n\nemit seen(instance, y, false)\nfor i in 0 .. t {\ny = sqr(y) + i\n\
                    emit seen(u64(i), y, true) where int(y) % 2 == 0\nrequire i != 11 }\nvar k = 0\n\
                    repeat 5 { k = k + 1\nemit seen([u64(k), instance], 3, element == 1) where [k > 2, true] }\n\
                    emit ends(x)\nout y, k";

/// Inputs of the walk, of so many bits.
fn walk(ty: &str) -> [(&'static str, Batch<u64>); 3] {
    let n = batch(ty, &[101, 1_000_003, 8, 9, (1 << 40) | 1, 15, 77]);
    let (x, t) = (batch("i70", &[-3, 5, 7, 3, 12, 1, 2]), batch("u8", &[10, 1, 5, 12, 0, 3, 7]));
    [("n", n), ("x", x), ("t", t)]
}

/// Lists in every order of launches, with room for one row at first.
#[needs(cxx)]
#[test]
fn lists_grow_and_are_merged_in_order() {
    check(WALK, &walk("u100"), 7, true);
}

/// A list whose rows do not fit is filled in halves of slices, then by halves of the instances, and says so where a
/// round of one instance has too many rows.
#[needs(cxx)]
#[test]
fn slices_with_too_many_rows_are_repeated_in_halves() {
    // A straight kernel, and a tape. A round of the second loop appends two rows of 9 or 15 words for each instance.
    fits_in_halves("u100", 2);
    fits_in_halves("u300", 2);
}

/// Room for so many rows of each list is enough.
fn fits_in_halves(ty: &str, enough: u64) {
    let types: Vec<(&str, IntType)> = walk(ty).iter().map(|(name, batch)| (*name, batch.ty())).collect();
    let program = Program::parse(WALK).unwrap().typed(&types).unwrap();
    let inputs: Vec<Batch<u64>> = walk(ty).into_iter().map(|(_, batch)| batch).collect();
    let expected = Box::new(OnCpu::start(&program, &inputs, 7).unwrap()).finish().unwrap();
    let run = |rows: u64| {
        let mut device = OnEmulator::new(&program, &inputs, 7);
        let words: u64 = device.tape.lists.iter().map(|list| u64::from(list.row)).sum();
        device.most_words = rows * words;
        let mut run = on_devices(vec![Box::new(device)], 7, &program, &inputs, 7).unwrap();
        run.advance(1)?;
        run.advance(1000)?;
        run.advance(1000)?;
        Box::new(run).finish()
    };
    let (results, failures, lists) = run(enough).unwrap();
    assert!(results == expected.0 && failures == expected.1);
    assert_eq!(lists, expected.2);
    let error = run(enough - 1).err().unwrap();
    assert!(error.to_string().contains("to the list `seen` within one round"), "{error}");
}

/// Rows that are taken between slices and those at the end are all rows, and count in the most of a list.
#[needs(cxx)]
#[test]
fn rows_are_taken_between_slices() {
    let types: Vec<(&str, IntType)> = walk("u100").iter().map(|(name, batch)| (*name, batch.ty())).collect();
    let program = |text: &str| Program::parse(text).unwrap().typed(&types).unwrap();
    let inputs: Vec<Batch<u64>> = walk("u100").into_iter().map(|(_, batch)| batch).collect();
    let (_, _, expected) = Box::new(OnCpu::start(&program(WALK), &inputs, 7).unwrap()).finish().unwrap();
    let run = |program: &TypedProgram| {
        let device = Box::new(OnEmulator::new(program, &inputs, 7));
        let mut run = on_devices(vec![device], 4, program, &inputs, 7)?;
        let mut taken = Rows::of_all(program);
        while !run.is_done() {
            run.advance(2)?;
            for (list, all) in taken.iter_mut().enumerate() {
                let rows = run.take_rows(list).unwrap();
                assert!(rows.instances().is_sorted());
                all.append(&rows);
            }
        }
        assert!(run.take_rows(taken.len()).is_none());
        let (_, _, rest) = Box::new(run).finish()?;
        assert!(!taken[0].is_empty() && rest[0].len() < expected[0].len());
        taken.iter_mut().zip(rest).for_each(|(all, rest)| {
            all.append(&rest.after(0));
            all.sort();
        });
        Ok::<_, EngineError>(taken)
    };
    assert_eq!(run(&program(WALK)).unwrap(), expected);
    let most = format!("at most {}", expected[0].len() - 1);
    let error = run(&program(&WALK.replace("at most 1000", &most))).err().unwrap();
    assert!(error.to_string().contains("the list `seen` gets more than"), "{error}");
}
