//! The JSON that all outputs of `codegen` share.

use limbforge_kernels_gen::{Geometry, Kernel, ProgramKernel};
use serde_json::{Map, Value, json};

use super::{parts::Part, transforms::Transforms};

/// Keys `spec` (the canonical text), `entry`, `inputs`, `mapping`, `transforms`, `tensor` or `division`, and
/// `geometry`; of several kernels also `kernel` and `role`.
pub(super) fn kernel(part: &Part, kernel: &Kernel) -> Map<String, Value> {
    let &Geometry { threads, instances, planes, shared_bytes } = &kernel.geometry;
    let mut geometry = json!({ "threads": threads, "instances": instances, "shared_bytes": shared_bytes });
    if planes > 1 {
        geometry["planes"] = json!(planes);
    }
    let mut object = Map::new();
    let mut insert = |key: &str, value| object.insert(key.to_owned(), value);
    if !part.is_alone() {
        insert("kernel", json!(part.number));
        insert("role", json!(part.role.to_string()));
    }
    insert("spec", json!(part.kernel.to_string()));
    insert("entry", json!(kernel.entry));
    insert("inputs", json!(kernel.inputs));
    insert("geometry", geometry);
    if let Some((key, value)) = shape(part) {
        insert(key, value);
    }
    object
}

/// The distribution of work over threads, under the key of the kind of kernel.
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
