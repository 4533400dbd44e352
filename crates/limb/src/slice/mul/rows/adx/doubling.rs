//! A triangle of products doubled, and the squares of the limbs: two carry chains.

use core::arch::asm;

/// Doubles two limbs of the result, at these offsets, and adds the square of a limb of a.
macro_rules! doubled {
    ($at:literal $low:literal $high:literal) => {
        concat!(
            "mov rdx, [rsi + ",
            $at,
            "]\n",
            "mulx r9, r8, rdx\n",
            "mov rdx, [rdi + ",
            $low,
            "]\n",
            "adcx rdx, rdx\n",
            "adox rdx, r8\n",
            "mov [rdi + ",
            $low,
            "], rdx\n",
            "mov rdx, [rdi + ",
            $high,
            "]\n",
            "adcx rdx, rdx\n",
            "adox rdx, r9\n",
            "mov [rdi + ",
            $high,
            "], rdx\n",
        )
    };
}

/// As [`portable::double_and_add_squares`](super::super::portable::double_and_add_squares).
///
/// # Safety
/// The processor has `mulx`, `adcx` and `adox`; `out` has `2 * a.len()` limbs, and a is not empty.
pub(in super::super) unsafe fn double_and_add_squares(out: &mut [u64], a: &[u64]) -> u64 {
    let carries;
    // SAFETY: for each limb of a, reads and writes two of out: single ones, then four in a round. `lea`
    // and `jrcxz` leave both carries alone.
    unsafe {
        asm!(
            "xor eax, eax",
            "mov rcx, r11", "jrcxz 3f",
            "2:",
            doubled!("0" "0" "8"),
            "lea rsi, [rsi + 8]", "lea rdi, [rdi + 16]", "lea rcx, [rcx - 1]",
            "jrcxz 3f", "jmp 2b",
            "3:",
            "mov rcx, r10", "jrcxz 6f", "jmp 4f", "6:", "jmp 5f",
            "4:",
            doubled!("0" "0" "8"), doubled!("8" "16" "24"), doubled!("16" "32" "40"), doubled!("24" "48" "56"),
            "lea rsi, [rsi + 32]", "lea rdi, [rdi + 64]", "lea rcx, [rcx - 1]",
            "jrcxz 5f", "jmp 4b",
            "5:",
            "mov r8d, 0", "adcx rax, r8", "adox rax, r8",
            inout("rsi") a.as_ptr() => _, inout("rdi") out.as_mut_ptr() => _, out("rcx") _,
            in("r11") a.len() % 4, in("r10") a.len() / 4,
            out("rax") carries, out("rdx") _, out("r8") _, out("r9") _,
            options(nostack),
        );
    }
    carries
}
