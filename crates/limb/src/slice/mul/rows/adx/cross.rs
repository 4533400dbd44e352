//! The products of different limbs of a square, in one function: passes of eight columns, each with a triangle of rows
//! that become longer, by the limbs of the columns themselves, and the rows of the limbs above them.
//!
//! Registers and rows are those of [`block`](super::block). A row of the triangle leaves one limb more in the sum. Above
//! the end of the rows, the stack has the limb of the result at which the pass begins.

use core::arch::asm;

use super::super::order::Order;

/// The triangle of a pass, from its row of one column on: offsets of the limbs of b, the registers of the sum, and those
/// that are not in use yet.
macro_rules! rising_rows {
    ($add:tt [] $sum:tt []) => { "" };
    ($add:tt ["8" $($more:literal)*] [$lowest:literal] [$fresh:literal $($left:literal)*]) => {
        concat!(
            first_column!($add "" "8" $lowest),
            "mov ", $lowest, ", rcx\n",
            "adcx ", $lowest, ", rbx\n",
            "adox ", $lowest, ", rbx\n",
            rising_rows!($add [$($more)*] [$lowest $fresh] [$($left)*]),
        )
    };
    ($add:tt [$at:literal $($more:literal)*] [$lowest:literal $next:literal $($sum:literal)*] [$($fresh:literal)*]) => {
        concat!(
            first_column!($add "" $at $lowest),
            "adox ", $next, ", rcx\n",
            rising_rows!(@ $lowest: ["8" "16" "24" "32" "40" "48"] [$next $($sum)*] []),
            rising_rows!(@@ $add [$($more)*] [$next $($sum)* $lowest] [$($fresh)*]),
        )
    };
    // Pairs of an offset and a register, as many as there are registers.
    (@ $lowest:literal: [$($at:literal)*] [] [$($pairs:literal)*]) => {
        line!(["rcx" "rbx"] $lowest: $($pairs)*)
    };
    (@ $lowest:literal: [$at:literal $($ats:literal)*] [$sum:literal $($sums:literal)*] [$($pairs:literal)*]) => {
        rising_rows!(@ $lowest: [$($ats)*] [$($sums)*] [$($pairs)* $at $sum])
    };
    (@@ $add:tt [] $sum:tt []) => { "" };
    (@@ $add:tt $more:tt [$($sum:literal)*] [$fresh:literal $($left:literal)*]) => {
        rising_rows!($add $more [$($sum)* $fresh] [$($left)*])
    };
}

/// The triangle, whose registers of the sum begin with one and take the next ones in turn.
macro_rules! rising_triangle {
    ($add:tt) => {
        rising_rows!($add ["8" "16" "24" "32" "40" "48" "56"] ["r8"] ["r9" "r10" "r11" "r12" "r13" "r14" "r15"])
    };
}

/// The registers of the sum behind the triangle, behind what a macro is given.
macro_rules! with_sum_of_triangle {
    ($rows:ident $($before:tt)*) => { $rows!($($before)* "r8" "r12" "r10" "r13" "r9" "r14" "r11" "r15") };
}

/// The function of an order of additions.
macro_rules! products {
    ($order:tt) => {{
        /// # Safety
        /// As [`products`].
        unsafe fn products(out: &mut [u64], a: &[u64]) {
            let out = out.as_mut_ptr();
            // SAFETY: reads a, reads and writes out, at their limbs alone. What it pushes, it pops.
            unsafe {
                asm!(
                    "push rbx", "push rbp", "push rdi", "push rcx",
                    "mov rbp, rsi",
                    zero_sum!(),
                    rising_triangle!(set),
                    "add rdi, 64", "cmp rdi, [rsp]", "je 2f",
                    "3:", "add rbp, 64",
                    with_sum_of_triangle!(full_rows $order set
                        ["" "0" "" "8" "" "16" "" "24" "" "32" "" "40" "" "48" "" "56"]),
                    "add rdi, 64", "cmp rdi, [rsp]", "jne 3b",
                    "2:",
                    with_sum_of_triangle!(sum_stored),
                    "mov rdi, [rsp + 8]", "add rdi, 128", "mov [rsp + 8], rdi",
                    // The rows of a pass end 64 bytes above those of the one before, and begin 128 bytes above.
                    "mov rcx, [rsp]", "add rcx, 64", "cmp rdi, rcx", "je 6f", "mov [rsp], rcx",
                    "add rsi, 64", "mov rbp, rsi",
                    zero_sum!(),
                    rising_triangle!(add),
                    "add rdi, 64", "cmp rdi, [rsp]", "je 2b",
                    "5:", "add rbp, 64",
                    with_sum_of_triangle!(full_rows $order add
                        ["" "0" "" "8" "" "16" "" "24" "" "32" "" "40" "" "48" "" "56"]),
                    "add rdi, 64", "cmp rdi, [rsp]", "jne 5b",
                    "jmp 2b",
                    "6:",
                    "pop rcx", "pop rdi", "pop rbp", "pop rbx",
                    inout("rdi") out => _, inout("rsi") a.as_ptr() => _, inout("rcx") out.add(a.len()) => _,
                    out("rax") _, out("rdx") _,
                    out("r8") _, out("r9") _, out("r10") _, out("r11") _,
                    out("r12") _, out("r13") _, out("r14") _, out("r15") _,
                );
            }
        }
        products
    }};
}

/// `out = sum of a[i] a[j] B^(i + j)` for `i < j`, without limb 0, which is left alone.
///
/// # Safety
/// The processor has `mulx`, `adcx` and `adox`. The limbs of a are a multiple of eight, not none, and `out` has twice as
/// many.
pub(in super::super) unsafe fn products(order: Order, out: &mut [u64], a: &[u64]) {
    debug_assert!(
        !a.is_empty() && a.len().is_multiple_of(super::MOST) && out.len() == 2 * a.len(),
        "limbs of a square"
    );
    // SAFETY: as here.
    unsafe {
        match order {
            Order::LowFirst => products!(low_first)(out, a),
            Order::HighFirst => products!(high_first)(out, a),
        }
    }
}
