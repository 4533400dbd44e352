//! What all JSON of `codegen` has in common.

use limbforge_kernels_gen::{Kernel, ProgramKernel};
use serde_json::{Map, Value, json};

use super::parts::Part;
use super::transforms::Transforms;

/// Keys `spec` (the canonical text), `entry`, `inputs`, `mapping`, `transforms`, `tensor` or `division`, and `geometry`; of several kernels also
/// `kernel` and `role`.
pub(super) fn kernel(part: &Part, kernel: &Kernel) -> Map<String, Value> {
    let geometry = &kernel.geometry;
    let mut object = Map::new();
    let mut insert = |key: &str, value| object.insert(key.to_owned(), value);
    if !part.is_alone() {
        insert("kernel", json!(part.number));
        insert("role", json!(part.role.to_string()));
    }
    insert("spec", json!(part.kernel.to_string()));
    insert("entry", json!(kernel.entry));
    insert("inputs", json!(kernel.inputs));
    if let Some((key, value)) = shape(part) {
        insert(key, value);
    }
    let mut block = json!({
        "threads": geometry.threads,
        "instances": geometry.instances,
        "shared_bytes": geometry.shared_bytes,
    });
    if geometry.planes > 1 {
        block["planes"] = json!(geometry.planes);
    }
    insert("geometry", block);
    object
}

/// How the work is shared out, under the key of the kind of kernel.
fn shape(part: &Part) -> Option<(&'static str, Value)> {
    Some(match &part.kernel {
        ProgramKernel::Expression(spec) => ("mapping", json!(spec.mapping)),
        ProgramKernel::MulTensor(spec) => {
            let plan = &spec.plan;
            let tensor = json!({
                "wide": plan.tiling.wide,
                "tiles": plan.tiling.tiles,
                "tiles_together": plan.schedule.tiles_per_pass,
                "instances_per_tile": if plan.tiling.paired { 2 } else { 1 },
                "quads": plan.slots.prebuilt_fragments,
                "copies": plan.slots.copies,
                "warps_per_instance": plan.schedule.warps_per_instance,
                "warps": plan.schedule.warps,
                "load_words": plan.tiling.vector,
                "stage_instances": plan.schedule.stage_instances,
                "stages": plan.schedule.stages,
                "prefetch": plan.schedule.prefetch,
                "warpgroup": plan.warpgroup,
            });
            ("tensor", tensor)
        }
        ProgramKernel::DivNewton(spec) => {
            ("division", json!({ "block_words": spec.half, "plane_words": spec.planes() }))
        }
        ProgramKernel::MulNtt(_) => ("transforms", json!(part.transforms.as_ref().map(Transforms::to_json))),
        ProgramKernel::Rendered(_) => return None,
    })
}

/// One kernel's object, or `kernels`: the list of several.
pub(super) fn one_or_list(mut objects: Vec<Value>) -> Value {
    if objects.len() == 1 {
        return objects.remove(0);
    }
    json!({ "kernels": objects })
}

/// The value as indented text with a line end.
pub(super) fn bytes(value: &Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
