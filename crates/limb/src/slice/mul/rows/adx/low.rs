//! A low product of any length from nine limbs on in one function: passes of eight columns, each with the rows
//! that have all columns and the triangle of those that do not. A call for each pass would save the registers,
//! choose a kernel and mispredict each time, which costs as much as a fifth of a product of 16 limbs.
//!
//! Rows come eight at a time, as in [`block`](super::line). Those that are left over come first: the sum is 0
//! there, so that it is the same under all names of its registers, and a pass begins within the block. The last
//! pass begins within the triangle in the same way.
//!
//! rsi points to the limbs of a of the pass, rbp and rdi to the limbs of b and of the result at row 0 of the
//! block; rbx is zero; rax and rcx are the halves of a product. The stack has the limb of the result at which the
//! triangles begin, b, and the limb of the result at which the pass begins.

use core::arch::asm;

use super::super::order::Order;

/// Limbs of the shortest factors: the first pass has a row of all columns, and another pass follows.
const LEAST: usize = super::MOST + 1;

/// The columns of a row of a triangle above the lowest one, with the registers of the high half of the column before
/// and of another one, which is free. The high half of the last one falls off: `imul` would take a move more and is
/// no faster.
macro_rules! short_columns {
    ($order:tt $highs:tt $ats:tt []) => { "" };
    (low_first [$high:literal $free:literal] [$at:literal $($more:literal)*] [$sum:literal $($sums:literal)*]) => {
        concat!(
            "adox ", $sum, ", ", $high, "\n",
            "mulx ", $high, ", rax, [rsi + ", $at, "]\n",
            "adcx ", $sum, ", rax\n",
            short_columns!(low_first [$high $free] [$($more)*] [$($sums)*]),
        )
    };
    (high_first [$high:literal $free:literal] [$at:literal $($more:literal)*] [$sum:literal $($sums:literal)*]) => {
        concat!(
            "mulx ", $free, ", rax, [rsi + ", $at, "]\n",
            "adox ", $sum, ", ", $high, "\n",
            "adcx ", $sum, ", rax\n",
            short_columns!(high_first [$free $high] [$($more)*] [$($sums)*]),
        )
    };
}

/// The triangle of a pass: as [`full_rows`], without top limbs.
macro_rules! triangle {
    ($order:tt $add:tt [$label:literal $at:literal] $lowest:literal) => {
        concat!(
            $label, "\n",
            "mov rdx, [rbp + ", $at, "]\n",
            // Before `xor`, for it changes the flags.
            "imul rdx, [rsi]\n",
            "xor ebx, ebx\n",
            "adcx ", $lowest, ", rdx\n",
            finished!($add $at $lowest),
        )
    };
    ($order:tt $add:tt [$label:literal $at:literal $($more:literal)*]
        $lowest:literal $next:literal $($sum:literal)*) => {
        concat!(
            first_column!($add $label $at $lowest),
            short_columns!($order ["rcx" $lowest] ["8" "16" "24" "32" "40" "48" "56"] [$next $($sum)*]),
            triangle!($order $add [$($more)*] $next $($sum)*),
        )
    };
}

/// The function of an order of additions.
macro_rules! low_product {
    ($order:tt) => {{
        /// # Safety
        /// As [`product`].
        unsafe fn product(out: &mut [u64], a: &[u64], b: &[u64]) {
            let last = out.len() - super::MOST;
            let out = out.as_mut_ptr();
            // SAFETY: reads a and b, reads and writes out, at their limbs alone: rows that a pass leaves out at its
            // beginning are those below its pointers' limbs. What it pushes, it pops.
            unsafe {
                asm!(
                    "push rbx", "push rbp", "push rdi", "push rdx", "push rcx",
                    "mov rbp, rdx",
                    begin!(),
                    enter!("28" "20"),
                    table!("28": "20" "21" "22" "23" "24" "25" "26" "27"),
                    with_sum!(full_rows $order set
                        ["20:" "0" "21:" "8" "22:" "16" "23:" "24" "24:" "32" "25:" "40" "26:" "48" "27:" "56"]),
                    "add rdi, 64", "add rbp, 64", "cmp rdi, [rsp]", "jne 20b",
                    with_sum!(triangle $order set ["" "0" "" "8" "" "16" "" "24" "" "32" "" "40" "" "48" "" "56"]),
                    "2:",
                    "mov rdi, [rsp + 16]", "add rdi, 64", "mov [rsp + 16], rdi",
                    "mov rbp, [rsp + 8]", "add rsi, 64",
                    begin!(),
                    "jae 3f",
                    enter!("38" "30"),
                    "3:",
                    enter!("48" "40"),
                    table!("38": "30" "31" "32" "33" "34" "35" "36" "37"),
                    table!("48": "40" "41" "42" "43" "44" "45" "46" "47"),
                    with_sum!(full_rows $order add
                        ["30:" "0" "31:" "8" "32:" "16" "33:" "24" "34:" "32" "35:" "40" "36:" "48" "37:" "56"]),
                    "add rdi, 64", "add rbp, 64", "cmp rdi, [rsp]", "jne 30b",
                    with_sum!(triangle $order add
                        ["40:" "0" "41:" "8" "42:" "16" "43:" "24" "44:" "32" "45:" "40" "46:" "48" "47:" "56"]),
                    // The pass was the last one unless it had rows before the triangle.
                    "cmp [rsp + 16], rdi", "jb 2b",
                    "pop rcx", "pop rdx", "pop rdi", "pop rbp", "pop rbx",
                    inout("rdi") out => _, inout("rsi") a.as_ptr() => _, inout("rdx") b.as_ptr() => _,
                    inout("rcx") out.add(last) => _, out("rax") _,
                    out("r8") _, out("r9") _, out("r10") _, out("r11") _,
                    out("r12") _, out("r13") _, out("r14") _, out("r15") _,
                );
            }
        }
        product
    }};
}

/// `out = a b mod B^M`.
///
/// # Safety
/// The processor has `mulx`, `adcx` and `adox`; the three have one length, from [`LEAST`] on.
pub(in super::super) unsafe fn product(order: Order, out: &mut [u64], a: &[u64], b: &[u64]) {
    debug_assert!(
        out.len() >= LEAST && a.len() == out.len() && b.len() == out.len(),
        "limbs of a low product"
    );
    let product: unsafe fn(&mut [u64], &[u64], &[u64]) = match order {
        Order::LowFirst => low_product!(low_first),
        Order::HighFirst => low_product!(high_first),
    };
    // SAFETY: as the caller says.
    unsafe { product(out, a, b) }
}
