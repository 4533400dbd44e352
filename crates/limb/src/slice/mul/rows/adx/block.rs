//! What passes of eight columns have in common, whose rows come eight at a time. The names of the registers of the sum
//! move by one from row to row, and are the same again behind a block.
//!
//! Rows that blocks leave over come first: the sum is 0 there, so that it is the same under all names of its registers,
//! and a pass begins within a block.
//!
//! rsi points to the limbs of a of the pass, rbp and rdi to the limbs of b and of the result at row 0 of the
//! block; rbx is zero; rax and rcx are the halves of a product. The stack begins with the limb of the result behind the
//! rows that blocks compute.

/// The finished limb of a row, at this offset, to which `add` adds the limb of the passes before.
macro_rules! finished {
    (set $at:literal $lowest:literal) => {
        concat!("mov [rdi + ", $at, "], ", $lowest, "\n")
    };
    (add $at:literal $lowest:literal) => {
        concat!("adox ", $lowest, ", [rdi + ", $at, "]\n", finished!(set $at $lowest))
    };
}

/// The first column of a row that has more, without its high half, in rcx. `xor` frees both chains of carries from
/// those of the row before.
macro_rules! first_column {
    ($add:tt $label:literal $at:literal $lowest:literal) => {
        concat!(
            $label, "\n",
            "mov rdx, [rbp + ", $at, "]\n",
            "xor ebx, ebx\n",
            "mulx rcx, rax, [rsi]\n",
            "adcx ", $lowest, ", rax\n",
            finished!($add $at $lowest),
        )
    };
}

/// Rows of eight columns: labels, offsets of the limbs of b, and the registers of the sum, from the lowest on.
macro_rules! full_rows {
    ($order:tt $add:tt [] $($sum:literal)*) => { "" };
    ($order:tt $add:tt [$label:literal $at:literal $($more:literal)*]
        $lowest:literal $next:literal $($sum:literal)*) => {
        concat!(
            first_column!($add $label $at $lowest),
            full_rows!(@ $order $lowest: ["8" "16" "24" "32" "40" "48" "56"] [$next $($sum)*]),
            full_rows!($order $add [$($more)*] $next $($sum)* $lowest),
        )
    };
    (@ $order:tt $lowest:literal: [$($at:literal)*] [$($sum:literal)*]) => {
        upper_columns!($order ["rcx" "rbx"] $lowest: $($at $sum)*)
    };
}

/// The registers of the sum behind what a macro is given.
macro_rules! with_sum {
    ($rows:ident $order:tt $add:tt $labels:tt) => {
        $rows!($order $add $labels "r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15")
    };
}

/// The sum is 0.
macro_rules! zero_sum {
    () => {
        concat!(
            "xor r8d, r8d\n",
            "xor r9d, r9d\n",
            "xor r10d, r10d\n",
            "xor r11d, r11d\n",
            "xor r12d, r12d\n",
            "xor r13d, r13d\n",
            "xor r14d, r14d\n",
            "xor r15d, r15d\n",
        )
    };
}

/// The sum is 0; rcx is the distance in bytes from the end of the rows to the beginning of the pass, below 0 if there
/// are rows.
macro_rules! begin {
    () => {
        concat!(zero_sum!(), "mov rcx, rdi\n", "sub rcx, [rsp]\n",)
    };
}

/// Goes to the row of the table that leaves a whole number of blocks, or the end of the triangle.
macro_rules! enter {
    ($table:literal $first:literal) => {
        concat!(
            "and ecx, 56\n",
            // Whole blocks begin without the jump through the table.
            "jz ",
            $first,
            "f\n",
            "lea rax, [rip + ",
            $table,
            "f]\n",
            "sub rdi, rcx\n",
            "sub rbp, rcx\n",
            "shr ecx, 1\n",
            "movsxd rcx, dword ptr [rax + rcx]\n",
            "add rax, rcx\n",
            "jmp rax\n",
        )
    };
}

/// A table of labels, as distances from itself.
macro_rules! table {
    ($table:literal: $($label:literal)*) => {
        concat!(".p2align 2\n", $table, ":\n", $(".long ", $label, "f - ", $table, "b\n",)*)
    };
}

/// Writes the limbs of the sum above the rows.
macro_rules! sum_stored {
    ($($sum:literal)*) => {
        sum_stored!(@ ["0" "8" "16" "24" "32" "40" "48" "56"] $($sum)*)
    };
    (@ [$($at:literal)*] $($sum:literal)*) => { stored!($($at $sum)*) };
}
