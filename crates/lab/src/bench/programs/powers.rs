//! Powers: base-2 tests, and the sample modexp.lf beside the operation powmod.

use limbforge::prelude::*;
use limbforge_cli::args::LimbArgument;
use limbforge_cli::gpu::batch::WARMUP;
use limbforge_cli::gpu::kernels::{Gpu, program_spec};
use limbforge_gpu::{DeviceBuffer, LoadedKernel};
use limbforge_kernels_gen::Product;

use super::operands::random;
use super::{Loaded, Measured, Named, measured, validate};
use crate::bench::arguments::BenchArguments;
use crate::bench::report::Row;
use crate::error::LabError;

const FERMAT: &str = "in n\nout p = 2 ** (n - 1) mod n == 1";

const MODEXP: &str = include_str!("../../../../../examples/programs/modexp.lf");

/// Base-2 tests by a modulus of each instance.
pub(super) fn fermat(arguments: &BenchArguments, gpu: &Gpu, bits: u32) -> Result<Row, LabError> {
    let inputs = |count: usize| Ok(vec![("n", random(bits, count, 5, true)?)]);
    let (mut loaded, program, all) = Loaded::new(gpu, FERMAT, inputs)?;
    validate(gpu, "base-2 test", &program, &all)?;
    let repeats = arguments.repeats() as usize;
    let ms = gpu.device.time(WARMUP, repeats, || loaded.start(gpu))?.median_ms;
    Ok(measured("base-2 test", bits, &loaded, ms, None).row())
}

/// b^e mod n, all of each instance: by the program and by the operation, in the same number of instances.
pub(super) fn modexp(arguments: &BenchArguments, gpu: &Gpu, bits: u32) -> Result<[Row; 2], LabError> {
    let inputs = |count: usize| -> Result<Named, LabError> {
        let (b, e) = (random(bits, count, 7, false)?, random(bits, count, 11, false)?);
        Ok(vec![("b", b), ("e", e), ("n", random(bits, count, 13, true)?)])
    };
    let (mut loaded, program, all) = Loaded::new(gpu, MODEXP, inputs)?;
    validate(gpu, "modexp.lf", &program, &all)?;
    let repeats = arguments.repeats() as usize;
    let ms = gpu.device.time(WARMUP, repeats, || loaded.start(gpu))?.median_ms;
    let by_program = measured("modexp.lf", bits, &loaded, ms, None).row();

    let expr = Expr::parse("powmod(b, e, n)")?;
    let spec = program_spec(expr.to_dag(), Product::Auto, all[0].1.ty(), LimbArgument::U64);
    let (mapping, kernels) = gpu.load_program(&spec)?;
    let uploaded = all.iter().map(|(_, batch)| gpu.device.upload(batch.limbs()));
    let uploaded = uploaded.collect::<Result<Vec<_>, _>>()?;
    let operands: Vec<&DeviceBuffer> = uploaded.iter().collect();
    let instances = loaded.instances;
    let mut output = gpu.device.alloc(kernels.footprint().outputs[0] * instances)?;
    let scratch = gpu.device.scratch(&kernels, instances)?;
    let run = || gpu.device.run_program(&kernels, &operands, &scratch, &mut output, instances);
    let ms = gpu.device.time(WARMUP, repeats, run)?.median_ms;
    let resources = || kernels.kernels().map(LoadedKernel::resources);
    let by_operation = Measured {
        name: "powmod",
        bits,
        instances,
        registers: resources().map(|kernel| kernel.registers).max().unwrap_or(0),
        local_bytes: resources().map(|kernel| kernel.local_bytes).max().unwrap_or(0),
        mapping,
        ms,
        remark: Some("the operation of expressions, beside modexp.lf".to_owned()),
    };
    Ok([by_program, by_operation.row()])
}
