//! Tables of residues in shared memory.

use crate::program::lower::{Table, TableModulus};

/// Statements that fill the tables: a modulus, an input, its first element, the entries and those before them.
pub(super) fn statements(tables: &[Table], shapes: &[String], is_special: bool) -> Vec<Vec<String>> {
    let mut before = 0;
    let lines = |table: &Table| {
        let modulus = match &table.modulus {
            TableModulus::Constant(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("{word:#x}u")).collect();
                format!("Num{{{{{}}}}}", words.join(", "))
            }
            &TableModulus::Input { input, element } => {
                format!("loaded(in{input}, Shape{}, {element}, inputs)", shapes[input as usize])
            }
        };
        let Table { input, first, length, .. } = *table;
        let x = format!("loaded(in{input}, Shape{}, {first} + i, inputs)", shapes[input as usize]);
        let at = before;
        before += length;
        vec![
            if is_special {
                "const Special ring = special_ring();".to_owned()
            } else {
                format!("const Ring ring = ring_of({modulus});")
            },
            "const Num square = residue_square(ring);".to_owned(),
            "#pragma unroll 1".to_owned(),
            format!("for (unsigned i = threadIdx.x; i < {length}; i += IPB)"),
            format!("  set_table_entry(tables, {at} + i, residue_mul_called({x}, square, ring));"),
        ]
    };
    tables.iter().map(lines).collect()
}
