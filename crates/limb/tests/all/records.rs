//! Records in bulk: blocks cut anywhere, ranges of instances, and records in the memory of limbs.

use limbforge_limb::io::{NumberFormat, RecordReader, Splitter, check_records, records_mut, write_instances};
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_testing::check::check;
use limbforge_testing::operands::integer;
use num_bigint::{BigUint, Sign};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

pub(super) fn any_type() -> impl Strategy<Value = IntType> {
    let bits = prop_oneof![1..200_u64, 1..5000_u64, (1..20_u64).prop_map(|words| 64 * words)];
    (bits, any::<bool>()).prop_map(|(bits, signed)| IntType::new(bits, signed).unwrap())
}

fn formats() -> impl Strategy<Value = NumberFormat> {
    select(vec![NumberFormat::Hex, NumberFormat::Dec, NumberFormat::Bin])
}

/// What a splitter and a reader make of the same bytes.
#[test]
fn a_block_is_split_as_a_stream_is() {
    let bytes = vec(select(b"0123456789abcdefx-# \r\n\n\n".to_vec()), 0..300);
    check(
        (bytes, any_type(), formats(), any::<bool>(), 1..50_usize),
        |(bytes, ty, format, lenient, buffer)| {
            let splitter = Splitter::new(format, ty).lenient(lenient);
            let block = splitter.split(&bytes[..]).starting_at(1);
            let source = std::io::BufReader::with_capacity(buffer, &bytes[..]);
            let mut reader = RecordReader::new(source, format, ty).lenient(lenient);
            let stream = reader.read(usize::MAX, usize::MAX).unwrap();
            prop_assert_eq!(block.len(), stream.len());
            prop_assert_eq!(block.lines(), stream.lines());
            for i in 0..block.len() {
                prop_assert_eq!(block.number(i), stream.number(i));
                let [mut a, mut b] = [vec![0_u64; ty.limbs::<u64>()], vec![0_u64; ty.limbs::<u64>()]];
                prop_assert_eq!(block.parse(i, &mut a), stream.parse(i, &mut b));
                prop_assert!(block.parse(i, &mut a).is_err() || a == b);
            }
            Ok(())
        },
    );
}

/// Blocks that end anywhere, as several threads read them, put together again.
#[test]
fn blocks_cut_anywhere_have_all_lines() {
    let bytes = vec(select(b"12345678\n\n".to_vec()), 1..400);
    check((bytes, 1..60_usize, any::<bool>()), |(bytes, size, lenient)| {
        let splitter = Splitter::new(NumberFormat::Dec, IntType::unsigned(4000)?).lenient(lenient);
        let mut found = vec![];
        let (mut number, mut open) = (1, vec![]);
        let mut take = |block: &[u8]| {
            let records = splitter.split(block).starting_at(number);
            number += records.lines();
            let batch = records.to_batch::<u64>(Layout::InstanceMajor).ok();
            let values = batch.map(|batch| batch.to_biguints()).unwrap_or_default();
            found.extend(values.into_iter().enumerate().map(|(i, value)| (records.number(i), value)));
        };
        for block in bytes.chunks(size) {
            let whole = splitter.whole(block);
            open.extend_from_slice(&block[..whole.start]);
            if open.last() == Some(&b'\n') {
                take(&core::mem::take(&mut open));
            }
            take(&block[whole.clone()]);
            open.extend_from_slice(&block[whole.end..]);
        }
        take(&open);
        let text = String::from_utf8(bytes).unwrap();
        let numbers = (1_u64..).zip(text.lines()).filter(|(_, line)| !line.is_empty());
        let expected: Vec<_> = numbers.map(|(i, line)| (i, line.parse::<BigUint>().unwrap())).collect();
        // Without leniency, a part with an empty line is refused.
        prop_assert!(!lenient || found == expected);
        prop_assert!(found.iter().all(|pair| expected.contains(pair)));
        Ok(())
    });
}

fn ranges_are_written<B: Base>() {
    let case = (any_type(), 0..9_usize, formats(), any::<bool>()).prop_flat_map(|(ty, n, format, major)| {
        let layout = if major { Layout::InstanceMajor } else { Layout::Interleaved };
        (Just((ty, format, layout)), vec(integer::<B>(ty.limbs::<B>()), n), any::<[Index; 2]>())
    });
    check(case, |((ty, format, layout), integers, ends)| {
        let mut batch = Batch::<B>::zeros(ty, layout, integers.len())?;
        for (i, integer) in integers.iter().enumerate() {
            batch.set_instance(i, integer);
        }
        let [first, last] = ends.map(|end| end.index(integers.len() + 1));
        let range = first.min(last)..first.max(last);
        let (mut text, mut expected) = (b"before".to_vec(), b"before".to_vec());
        write_instances(&batch, range.clone(), format, &mut text);
        for value in &batch.to_bigints()[range.clone()] {
            match format {
                NumberFormat::Hex => expected.extend(format!("{value:x}\n").as_bytes()),
                NumberFormat::Dec => expected.extend(format!("{value}\n").as_bytes()),
                NumberFormat::Bin => {
                    let mut bytes = value.to_signed_bytes_le();
                    let fill = if value.sign() == Sign::Minus { 0xff } else { 0 };
                    bytes.resize(bytes.len().max(ty.bytes()), fill);
                    expected.extend(&bytes[..ty.bytes()]);
                }
            }
        }
        prop_assert_eq!(&text, &expected);
        let records = Splitter::new(format, ty).split(&text["before".len()..]);
        let back = records.to_batch::<B>(layout)?;
        prop_assert_eq!(back.to_bigints(), &batch.to_bigints()[range]);
        Ok(())
    });
}

#[test]
fn ranges_of_batches_are_written_and_read_back() {
    ranges_are_written::<u32>();
    ranges_are_written::<u64>();
    ranges_are_written::<u128>();
}

fn records_read_into_limbs<B: Base>() {
    let case = any_type().prop_flat_map(|ty| (Just(ty), vec(vec(any::<u8>(), ty.bytes()), 0..5)));
    check(case, |(ty, mut bytes)| {
        for (i, record) in bytes.iter_mut().enumerate() {
            // Of random top bits, few are a number of the type.
            let top = record.last_mut().unwrap();
            *top = if i % 2 == 0 { *top >> (7 * (i / 2 % 2)) } else { *top | 0xf0 };
        }
        let bytes = bytes.concat();
        let mut limbs = vec![B::ZERO; bytes.len() / ty.bytes() * ty.limbs::<B>()];
        let Some(memory) = records_mut(ty, &mut limbs) else {
            let is_whole = ty.bytes() == ty.limbs::<B>() * B::BYTES;
            prop_assert!(!is_whole, "{}", ty);
            return Ok(());
        };
        memory.copy_from_slice(&bytes);
        let failed = check_records(ty, &mut limbs);
        let records = Splitter::new(NumberFormat::Bin, ty).split(&bytes[..]);
        let mut expected = vec![];
        for (i, limbs) in limbs.chunks_exact(ty.limbs::<B>()).enumerate() {
            let mut out = vec![B::ZERO; limbs.len()];
            match records.parse(i, &mut out) {
                Ok(()) => prop_assert_eq!(limbs, &out[..]),
                Err(error) => expected.push((i, error)),
            }
        }
        prop_assert_eq!(failed, expected);
        Ok(())
    });
}

#[test]
fn binary_records_are_limbs_in_memory() {
    records_read_into_limbs::<u32>();
    records_read_into_limbs::<u64>();
    records_read_into_limbs::<u128>();
}
