//! The instructions of one row, by its number of columns W.

/// Column i > 0 of a row: `dst = low half + next + previous high half`.
macro_rules! column {
    ($hi:literal, $dst:literal, $next:literal, $previous:literal, $at:literal) => {
        concat!(
            "mulx ",
            $hi,
            ", ",
            $dst,
            ", [rsi + ",
            $at,
            "]\n",
            "adcx ",
            $dst,
            ", ",
            $next,
            "\n",
            "adox ",
            $dst,
            ", ",
            $previous,
            "\n",
        )
    };
}

/// The columns of a row above the lowest one.
macro_rules! columns {
    (1) => {
        ""
    };
    (2) => {
        column!("rcx", "r8", "r9", "rax", "8")
    };
    (3) => {
        concat!(columns!(2), column!("rax", "r9", "r10", "rcx", "16"))
    };
    (4) => {
        concat!(columns!(3), column!("rcx", "r10", "r11", "rax", "24"))
    };
    (5) => {
        concat!(columns!(4), column!("rax", "r11", "r12", "rcx", "32"))
    };
    (6) => {
        concat!(columns!(5), column!("rcx", "r12", "r13", "rax", "40"))
    };
    (7) => {
        concat!(columns!(6), column!("rax", "r13", "r14", "rcx", "48"))
    };
    (8) => {
        concat!(columns!(7), column!("rcx", "r14", "r15", "rax", "56"))
    };
}

/// The top limb of a row: the last high half and both carries.
macro_rules! top {
    (@ $hi:literal, $zero32:literal, $zero:literal, $top:literal) => {
        concat!(
            "mov ", $zero32, ", 0\n",
            "adcx ", $hi, ", ", $zero, "\n",
            "adox ", $hi, ", ", $zero, "\n",
            "mov ", $top, ", ", $hi, "\n",
        )
    };
    (1) => { top!(@ "rax", "ecx", "rcx", "r8") };
    (2) => { top!(@ "rcx", "eax", "rax", "r9") };
    (3) => { top!(@ "rax", "ecx", "rcx", "r10") };
    (4) => { top!(@ "rcx", "eax", "rax", "r11") };
    (5) => { top!(@ "rax", "ecx", "rcx", "r12") };
    (6) => { top!(@ "rcx", "eax", "rax", "r13") };
    (7) => { top!(@ "rax", "ecx", "rcx", "r14") };
    (8) => { top!(@ "rcx", "eax", "rax", "r15") };
}

/// A row of W columns without its top limb: `b` and the finished limb are at index rbp plus `at` bytes.
macro_rules! row {
    ($w:tt, $at:literal, set) => { row!(@ $w, $at, "") };
    ($w:tt, $at:literal, add) => { row!(@ $w, $at, concat!("adox rcx, [rdi + 8*rbp + ", $at, "]\n")) };
    (@ $w:tt, $at:literal, $add:expr) => {
        concat!(
            "mov rdx, [rbx + 8*rbp + ", $at, "]\n",
            "xor eax, eax\n",
            "mulx rax, rcx, [rsi]\n",
            "adcx rcx, r8\n",
            $add,
            "mov [rdi + 8*rbp + ", $at, "], rcx\n",
            columns!($w),
        )
    };
}
