//! The memory of batches: their own, that of others, and memory of special kinds.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use limbforge_limb::{Batch, BatchError, IntType, Layout};

/// Memory of somebody else's is read in place and never written to.
#[test]
fn shared_memory_is_copied_before_it_is_written_to() {
    let memory: Arc<Vec<u64>> = Arc::new((0..8).collect());
    let u128s = IntType::unsigned(128).unwrap();
    let mut batch = Batch::from_shared(u128s, Layout::InstanceMajor, memory.clone()).unwrap();
    let slice = batch.slice(1..3);
    assert_eq!((slice.limbs().as_ptr(), slice.limbs()), (&raw const memory[2], &[2, 3, 4, 5][..]));
    batch.set_instance(1, &[9, 9]);
    assert_eq!((batch.limbs()[2], slice.limbs()[0], memory[2]), (9, 2, 2));
    assert_eq!(slice.into_limbs(), [2, 3, 4, 5]);

    let u127s = IntType::unsigned(127).unwrap();
    let outside = Batch::from_shared(u127s, Layout::InstanceMajor, Arc::new(vec![0, 1 << 63_u32, 0, 0_u64]));
    assert_eq!(outside, Err(BatchError::Range { instance: 0, ty: u127s }));
    let odd = Batch::from_shared(u127s, Layout::InstanceMajor, Arc::new(vec![0_u64; 3]));
    assert!(matches!(odd, Err(BatchError::Length { found: 3, .. })));
}

/// A vector that only one batch has goes in and out without a copy.
#[test]
fn own_memory_is_not_copied() {
    let limbs = vec![1_u64, 2, 3, 4];
    let place = limbs.as_ptr();
    let mut batch = Batch::from_limbs(IntType::unsigned(128).unwrap(), Layout::InstanceMajor, limbs).unwrap();
    batch.limbs_mut()[0] = 7;
    drop(batch.clone());
    batch.limbs_mut()[1] = 8;
    let limbs = batch.into_limbs();
    assert_eq!((limbs.as_ptr(), &limbs[..]), (place, &[7, 8, 3, 4][..]));
}

/// Memory that a batch has for itself, which counts how often it is freed.
struct Special(Vec<u64>, Arc<AtomicUsize>);

impl AsRef<[u64]> for Special {
    fn as_ref(&self) -> &[u64] {
        &self.0
    }
}

impl AsMut<[u64]> for Special {
    fn as_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}

impl Drop for Special {
    fn drop(&mut self) {
        let _ = self.1.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn special_memory_is_written_in_place_until_it_is_shared() {
    let freed = Arc::new(AtomicUsize::new(0));
    let memory = |limbs| Special(limbs, freed.clone());
    let u100s = IntType::unsigned(100).unwrap();
    for layout in [Layout::InstanceMajor, Layout::Interleaved] {
        freed.store(0, Ordering::Relaxed);
        let limbs = vec![u64::MAX; 6];
        let place = limbs.as_ptr();
        let mut batch = Batch::from_memory(u100s, layout, memory(limbs)).unwrap();
        let ones = [u64::MAX, (1 << 36) - 1];
        assert_eq!(
            (batch.instances(), batch.instance(0), batch.instance(2)),
            (3, ones.to_vec(), ones.to_vec())
        );
        batch.set_instance(1, &[5, 6]);
        drop(batch.clone());
        batch.limbs_mut()[0] = 8;
        assert_eq!((batch.limbs().as_ptr(), batch.instance(0)[0], batch.instance(1)), (place, 8, vec![5, 6]));

        // A clone and a part read the memory; what is written to then is a copy.
        let (mut clone, part) = (batch.clone(), batch.slice(1..2));
        assert_eq!((clone.limbs().as_ptr(), part.instance(0)), (place, vec![5, 6]));
        clone.set_instance(1, &[7, 7]);
        assert_ne!(clone.limbs().as_ptr(), place);
        assert_eq!(
            (batch.instance(1), part.instance(0), clone.instance(1)),
            (vec![5, 6], vec![5, 6], vec![7, 7])
        );
        drop((part, clone));
        batch.set_instance(2, &[3, 0]);
        assert_eq!(batch.limbs().as_ptr(), place);

        // The last batch that uses the memory frees it, after `into_limbs` too.
        let part = batch.slice(0..1);
        let limbs = batch.into_limbs();
        assert_eq!((limbs.len(), limbs.as_ptr() == place), (6, false));
        drop(part);
        assert_eq!(freed.load(Ordering::Relaxed), 1);
    }
    let odd = Batch::from_memory(u100s, Layout::InstanceMajor, memory(vec![0; 3]));
    assert!(matches!(odd, Err(BatchError::Length { expected: 2, found: 3, .. })));
}
