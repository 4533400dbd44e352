//! The passes in assembly, with operands that begin or end at pages that nobody may touch: a limb too far ends
//! the program.

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

use super::super::adx;
use super::{for_all_passes, limbs};

/// Longest operand in bytes, a multiple of every page size.
const BYTES: usize = 1 << 16;

/// Where limbs lie in their pages.
#[derive(Clone, Copy, Debug)]
enum At {
    Start,
    End,
}

/// Limbs with pages before and behind them that cannot be read.
struct Guarded {
    pages: *mut core::ffi::c_void,
}

impl Guarded {
    #[allow(unsafe_code)]
    fn new() -> Self {
        // SAFETY: new pages, of which the first and the last part are closed before anybody has them.
        unsafe {
            let open = ProtFlags::READ | ProtFlags::WRITE;
            let pages = mmap_anonymous(core::ptr::null_mut(), 3 * BYTES, open, MapFlags::PRIVATE).unwrap();
            for part in [0, 2] {
                mprotect(pages.byte_add(part * BYTES), BYTES, MprotectFlags::empty()).unwrap();
            }
            Self { pages }
        }
    }

    /// A copy of the limbs at the start or at the end of the open pages.
    #[allow(unsafe_code)]
    fn copy(&mut self, limbs: &[u64], at: At) -> &mut [u64] {
        let bytes = size_of_val(limbs);
        assert!(bytes <= BYTES, "limbs fit the pages");
        let from = match at {
            At::Start => BYTES,
            At::End => 2 * BYTES - bytes,
        };
        // SAFETY: so many bytes of the open pages are aligned to limbs, and nobody else has them.
        let copy = unsafe { core::slice::from_raw_parts_mut(self.pages.byte_add(from).cast(), limbs.len()) };
        copy.copy_from_slice(limbs);
        copy
    }
}

impl Drop for Guarded {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: the pages are those of `new`, and no slice of them is left.
        unsafe { munmap(self.pages, 3 * BYTES).unwrap() }
    }
}

fn is_here() -> bool {
    std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("adx")
}

#[test]
fn assembly_stays_within_its_operands() {
    if !is_here() {
        return;
    }
    for at in [At::Start, At::End] {
        let pages = core::cell::RefCell::new([(); 4].map(|()| Guarded::new()));
        for_all_passes(|pass, before, a, b| {
            let mut pages = pages.borrow_mut();
            let [out, top, a_pages, b_pages] = &mut *pages;
            let (out, a, b) = (out.copy(before, at), a_pages.copy(a, at), b_pages.copy(b, at));
            let top = top.copy(&vec![7; if pass.shape.ends_low() { 0 } else { a.len() }], at);
            // SAFETY: the processor has the instructions, and the lengths are those of a pass.
            #[allow(unsafe_code)]
            unsafe {
                adx::pass(pass, out, top, a, b);
            }
        });
        short_products(at);
        let [mut out, mut root] = [(); 2].map(|()| Guarded::new());
        for len in 1..40 {
            let (out, a) = (out.copy(&limbs(2 * len, 0), at), root.copy(&limbs(len, 3), at));
            // SAFETY: as above; `out` has two limbs for each of a.
            #[allow(unsafe_code)]
            unsafe {
                adx::doubling::double_and_add_squares(out, a);
            }
        }
    }
}

fn short_products(at: At) {
    use super::super::straight::{Kind, MOST, Numbers, products};
    let [mut out, mut a, mut b] = [(); 3].map(|()| Guarded::new());
    for (len, count) in (1..=MOST).flat_map(|len| [(len, 1), (len, 3)]) {
        for kind in [Kind::Wide, Kind::Low, Kind::Square] {
            let out_len = if kind == Kind::Low { len } else { 2 * len };
            let out = out.copy(&limbs(count * out_len, 0), at);
            let a = Numbers { limbs: a.copy(&limbs(count * len, 2), at), step: len };
            let b = Numbers { limbs: b.copy(&limbs(len, 3), at), step: 0 };
            assert_eq!(products(kind, len, out, a, b), super::super::are_fast(), "{len} limbs");
        }
    }
}
