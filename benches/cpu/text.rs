//! Integers as text and records: bytes a second of parsing and formatting on one thread, in every format.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput};
use limbforge::limb::io::{NumberFormat, Records, Splitter, write_instances};
use limbforge::prelude::*;
use num_bigint::BigUint;

use crate::{BATCH_BITS, Failure, random};

/// The widths that are measured, as exponents of two.
const WIDTHS: [u32; 5] = [9, 11, 13, 16, 18];

/// Times parsing and formatting: limbforge with each limb, num-bigint, and GMP if it is there.
///
/// # Errors
/// If text does not lead back to its numbers.
pub fn compare_text(criterion: &mut Criterion) -> Result<(), Failure> {
    for format in [NumberFormat::Hex, NumberFormat::Dec, NumberFormat::Bin] {
        for width in WIDTHS {
            compare_format(criterion, format, width)?;
        }
    }
    Ok(())
}

fn compare_format(criterion: &mut Criterion, format: NumberFormat, width: u32) -> Result<(), Failure> {
    let values = random(1 << (BATCH_BITS - width), 1 << width, 3);
    let ty = IntType::unsigned(1 << width)?;
    let mut text = vec![];
    let batch = Batch::<u64>::from_biguints(ty, Layout::InstanceMajor, &values)?;
    write_instances(&batch, 0..values.len(), format, &mut text);
    let lines: Vec<&str> = match format {
        NumberFormat::Bin => vec![],
        NumberFormat::Hex | NumberFormat::Dec => str::from_utf8(&text)?.lines().collect(),
    };
    let radix = if format == NumberFormat::Hex { 16 } else { 10 };
    let records = Splitter::new(format, ty).split(&text[..]);

    let mut group = criterion.benchmark_group(format!("text/{format}/parse/{width}"));
    group.throughput(Throughput::Bytes(text.len() as u64));
    time_parse::<u32>(&mut group, &records, &values)?;
    time_parse::<u64>(&mut group, &records, &values)?;
    time_parse::<u128>(&mut group, &records, &values)?;
    if format != NumberFormat::Bin {
        group.bench_function(BenchmarkId::from_parameter("num-bigint"), |bencher| {
            bencher.iter(|| {
                for line in &lines {
                    black_box(BigUint::parse_bytes(line.as_bytes(), radix));
                }
            });
        });
        #[cfg(feature = "gmp")]
        group.bench_function(BenchmarkId::from_parameter("gmp"), |bencher| {
            bencher.iter(|| {
                for line in &lines {
                    black_box(rug::Integer::from_str_radix(line, radix as i32)).ok();
                }
            });
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group(format!("text/{format}/format/{width}"));
    group.throughput(Throughput::Bytes(text.len() as u64));
    time_format::<u32>(&mut group, (format, ty), &text, &values)?;
    time_format::<u64>(&mut group, (format, ty), &text, &values)?;
    time_format::<u128>(&mut group, (format, ty), &text, &values)?;
    if format != NumberFormat::Bin {
        group.bench_function(BenchmarkId::from_parameter("num-bigint"), |bencher| {
            bencher.iter(|| {
                for value in &values {
                    black_box(value.to_str_radix(radix));
                }
            });
        });
        #[cfg(feature = "gmp")]
        time_gmp_format(&mut group, radix as i32, &values);
    }
    group.finish();
    Ok(())
}

fn time_parse<B: Base>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    records: &Records<&[u8]>,
    values: &[BigUint],
) -> Result<(), Failure> {
    if records.to_batch::<B>(Layout::InstanceMajor)?.to_biguints() != values {
        return Err(format!("text parsed with limb {} differs from num-bigint", B::NAME).into());
    }
    let mut batch = records.to_batch::<B>(Layout::InstanceMajor)?;
    group.bench_function(BenchmarkId::from_parameter(B::NAME), |bencher| {
        bencher.iter(|| black_box(records).parse_range(0..records.len(), batch.limbs_mut()));
    });
    Ok(())
}

fn time_format<B: Base>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    (format, ty): (NumberFormat, IntType),
    expected: &[u8],
    values: &[BigUint],
) -> Result<(), Failure> {
    let batch = Batch::<B>::from_biguints(ty, Layout::InstanceMajor, values)?;
    let mut text = vec![];
    write_instances(&batch, 0..values.len(), format, &mut text);
    if text != expected {
        return Err(format!("text of limb {} differs from that of u64", B::NAME).into());
    }
    group.bench_function(BenchmarkId::from_parameter(B::NAME), |bencher| {
        bencher.iter(|| {
            text.clear();
            write_instances(black_box(&batch), 0..values.len(), format, black_box(&mut text));
        });
    });
    Ok(())
}

#[cfg(feature = "gmp")]
fn time_gmp_format(group: &mut BenchmarkGroup<'_, WallTime>, radix: i32, values: &[BigUint]) {
    let integers: Vec<rug::Integer> = values
        .iter()
        .map(|value| rug::Integer::from_digits(&value.to_u64_digits(), rug::integer::Order::Lsf))
        .collect();
    group.bench_function(BenchmarkId::from_parameter("gmp"), |bencher| {
        bencher.iter(|| {
            for value in &integers {
                black_box(value.to_string_radix(radix));
            }
        });
    });
}
