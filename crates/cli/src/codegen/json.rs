//! What all JSON of `codegen` has in common.

use limbforge_kernels_gen::{Kernel, KernelSpec};
use serde_json::{Map, Value, json};

/// Keys `spec` (the canonical text), `entry`, `inputs`, `mapping` and `geometry`.
pub(super) fn kernel(spec: &KernelSpec, kernel: &Kernel) -> Map<String, Value> {
    let (mapping, geometry) = (&spec.mapping, &kernel.geometry);
    let mut object = Map::new();
    let mut insert = |key: &str, value| object.insert(key.to_owned(), value);
    insert("spec", json!(spec.to_string()));
    insert("entry", json!(kernel.entry));
    insert("inputs", json!(kernel.inputs));
    insert(
        "mapping",
        json!({
            "run_words": mapping.run_words,
            "runs": mapping.runs,
            "lanes": mapping.lanes,
            "warps": mapping.warps,
            "instances": mapping.instances,
        }),
    );
    insert(
        "geometry",
        json!({
            "threads": geometry.threads,
            "instances": geometry.instances,
            "shared_bytes": geometry.shared_bytes,
        }),
    );
    object
}

/// The value as indented text with a line end.
pub(super) fn bytes(value: &Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
