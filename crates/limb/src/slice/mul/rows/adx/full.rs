//! A product of any lengths in one function: passes of eight columns of a by all of b. A call for each pass would save
//! the registers and choose a kernel each time, which costs a seventh of a product of 16 limbs.
//!
//! Registers and rows are those of [`block`](super::block). Above the end of the rows, the stack has b, the limb of the
//! result at which the pass begins, and the end of a.

use core::arch::asm;

use super::super::order::Order;

/// The function of an order of additions.
macro_rules! product {
    ($order:tt) => {{
        /// # Safety
        /// As [`product`].
        unsafe fn product(out: &mut [u64], a: &[u64], b: &[u64]) {
            let out = out.as_mut_ptr();
            // SAFETY: reads a and b, reads and writes out, at their limbs alone: rows that a pass leaves out at its
            // beginning are those below its pointers' limbs. What it pushes, it pops.
            unsafe {
                asm!(
                    "push rbx", "push rbp", "push rax", "push rdi", "push rdx", "push rcx",
                    "mov rbp, rdx",
                    begin!(),
                    enter!("28" "20"),
                    table!("28": "20" "21" "22" "23" "24" "25" "26" "27"),
                    with_sum!(full_rows $order set
                        ["20:" "0" "21:" "8" "22:" "16" "23:" "24" "24:" "32" "25:" "40" "26:" "48" "27:" "56"]),
                    "add rdi, 64", "add rbp, 64", "cmp rdi, [rsp]", "jne 20b",
                    "2:",
                    sum_stored!("r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15"),
                    "add rsi, 64", "cmp rsi, [rsp + 24]", "je 3f",
                    "mov rdi, [rsp + 16]", "add rdi, 64", "mov [rsp + 16], rdi",
                    "mov rbp, [rsp + 8]", "add qword ptr [rsp], 64",
                    begin!(),
                    enter!("38" "30"),
                    table!("38": "30" "31" "32" "33" "34" "35" "36" "37"),
                    with_sum!(full_rows $order add
                        ["30:" "0" "31:" "8" "32:" "16" "33:" "24" "34:" "32" "35:" "40" "36:" "48" "37:" "56"]),
                    "add rdi, 64", "add rbp, 64", "cmp rdi, [rsp]", "jne 30b",
                    "jmp 2b",
                    "3:",
                    "pop rcx", "pop rdx", "pop rdi", "pop rax", "pop rbp", "pop rbx",
                    inout("rdi") out => _, inout("rsi") a.as_ptr() => _, inout("rdx") b.as_ptr() => _,
                    inout("rcx") out.add(b.len()) => _, inout("rax") a.as_ptr().add(a.len()) => _,
                    out("r8") _, out("r9") _, out("r10") _, out("r11") _,
                    out("r12") _, out("r13") _, out("r14") _, out("r15") _,
                );
            }
        }
        product
    }};
}

/// `out = a b`, all limbs.
///
/// # Safety
/// The processor has `mulx`, `adcx` and `adox`. The limbs of a are a multiple of eight, b has at least one, `out` as many
/// as both, and none of them is empty.
pub(in super::super) unsafe fn product(order: Order, out: &mut [u64], a: &[u64], b: &[u64]) {
    debug_assert!(
        !a.is_empty()
            && a.len().is_multiple_of(super::MOST)
            && !b.is_empty()
            && out.len() == a.len() + b.len(),
        "limbs of a product"
    );
    // SAFETY: as here.
    unsafe {
        match order {
            Order::LowFirst => product!(low_first)(out, a, b),
            Order::HighFirst => product!(high_first)(out, a, b),
        }
    }
}
