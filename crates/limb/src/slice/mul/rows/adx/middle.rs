//! The sum of the three products of Karatsuba's: two passes with two carry chains each, whose carries stay in
//! the flags from round to round, which `lea` and `jrcxz` leave alone.

use core::arch::asm;

/// A limb of the first pass, at this offset: `y = x + y`, `x = w + x + y`.
macro_rules! sums {
    ($($at:literal)*) => {
        concat!($(
            "mov r8, [rsi + ", $at, "]\n",
            "adcx r8, [r9 + ", $at, "]\n",
            "mov [r9 + ", $at, "], r8\n",
            "adox r8, [rdi + ", $at, "]\n",
            "mov [rsi + ", $at, "], r8\n",
        )*)
    };
}

/// A limb of the second pass in the lower half: `x = x + cross`.
macro_rules! low {
    ($($at:literal)*) => {
        concat!($(
            "mov r8, [rsi + ", $at, "]\n",
            "adox r8, [r10 + ", $at, "]\n",
            "mov [rsi + ", $at, "], r8\n",
        )*)
    };
}

/// A limb of the second pass in the upper half: `y = y + z + cross`.
macro_rules! high {
    ($($at:literal)*) => {
        concat!($(
            "mov r8, [r9 + ", $at, "]\n",
            "adcx r8, [r11 + ", $at, "]\n",
            "adox r8, [r10 + ", $at, "]\n",
            "mov [r9 + ", $at, "], r8\n",
        )*)
    };
}

/// Single limbs, then four at a time; the registers are pointers.
macro_rules! rounds {
    ($limbs:ident $($pointer:literal)*) => {
        concat!(
            "mov rcx, rdx\n", "jrcxz 3f\n",
            "2:\n", $limbs!("0"), $("lea ", $pointer, ", [", $pointer, " + 8]\n",)*
            "lea rcx, [rcx - 1]\n", "jrcxz 3f\n", "jmp 2b\n",
            "3:\n", "mov rcx, rax\n", "jrcxz 5f\n",
            "4:\n", $limbs!("0" "8" "16" "24"), $("lea ", $pointer, ", [", $pointer, " + 32]\n",)*
            "lea rcx, [rcx - 1]\n", "jrcxz 5f\n", "jmp 4b\n",
            "5:\n",
        )
    };
}

/// What is left to add.
pub(in super::super) struct Carries {
    /// To the limbs from `2l` on.
    pub(in super::super) into_y: u64,
    /// To the limbs from `3l` on.
    pub(in super::super) into_z: u64,
}

/// With `out = [w | x | y | z]` of l limbs each: first `x = w + x + y`, `y = x + y`; then
/// `x + y B^l += cross + one`, `y += z`.
///
/// # Safety
/// The processor has `adcx` and `adox`; `out` has 4l limbs, cross 2l, and `one` is below 2.
pub(in super::super) unsafe fn add(out: &mut [u64], cross: &[u64], len: usize, one: u64) -> Carries {
    let (from_x, from_y, into_z): (u64, u64, u64);
    let w = out.as_mut_ptr();
    // SAFETY: reads and writes l limbs each of x and y, reads l of w and z and 2l of cross.
    unsafe {
        let [x, y, z] = [1, 2, 3].map(|i| w.add(i * len));
        asm!(
            "xor r8d, r8d",
            rounds!(sums "rdi" "rsi" "r9"),
            "mov r12d, 0", "mov r13d, 0", "mov r8d, 0", "adcx r12, r8", "adox r13, r8",
            inout("rdi") w => _, inout("rsi") x => _, inout("r9") y => _,
            in("rdx") len % 4, in("rax") len / 4, out("rcx") _, out("r8") _,
            out("r12") from_y, out("r13") from_x, options(nostack),
        );
        // A carry in is set by an addition of all ones.
        asm!(
            "xor r8d, r8d",
            "mov r8, -1", "adox r8, rdi",
            rounds!(low "rsi" "r10"),
            "mov r8, -1", "adcx r8, r12",
            rounds!(high "r9" "r10" "r11"),
            "mov edi, 0", "mov r8d, 0", "adcx rdi, r8", "adox rdi, r8",
            inout("rdi") one => into_z, inout("rsi") x => _, inout("r9") y => _, inout("r11") z => _,
            inout("r10") cross.as_ptr() => _, in("r12") from_y,
            in("rdx") len % 4, in("rax") len / 4, out("rcx") _, out("r8") _, options(nostack),
        );
    }
    Carries { into_y: from_x, into_z: into_z + from_y }
}
