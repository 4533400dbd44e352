//! Operations of a tape (`templates/tape.cuh`) on variables.

/// A variable: a number or a scalar of each instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Var(pub(crate) u32);

impl Var {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The memory of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Class {
    /// PADDED words of shared memory.
    Number,
    /// 64 bits of local memory.
    Scalar,
}

macro_rules! codes {
    ($($name:ident $code:literal)*) => {
        /// What an operation does: the enumeration `What` of `templates/tape.cuh`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) enum What {
            $($name,)*
            /// An operation on integers, an index of the program's cases.
            Integer(u16),
        }

        impl What {
            /// The name that the template knows, or its number.
            pub(crate) fn code(self) -> String {
                match self {
                    $(Self::$name => $code.to_owned(),)*
                    Self::Integer(case) => format!("INTEGER + {case}"),
                }
            }
        }
    };
}

codes! {
    Mul "MUL" Add "ADD" Sub "SUB" Neg "NEG" Word "WORD" One "ONE" Copy "COPY" Select "SELECT"
    Number "NUMBER" Widen "WIDEN" Load "LOAD" Wrap "WRAP" ColdRead "COLD_READ" TableRead "TABLE_READ" StateRead "STATE_READ"
    ScalarConstant "S_CONSTANT" ScalarCopy "S_COPY" ScalarSelect "S_SELECT" ScalarAdd "S_ADD"
    ScalarSub "S_SUB" ScalarMul "S_MUL" ScalarDiv "S_DIV" ScalarRem "S_REM" ScalarAnd "S_AND"
    ScalarOr "S_OR" ScalarXor "S_XOR" ScalarShl "S_SHL" ScalarShr "S_SHR" ScalarEq "S_EQ"
    ScalarLess "S_LESS" ScalarLessSigned "S_LESS_SIGNED" ScalarLength "S_LENGTH" ScalarDigit "S_DIGIT"
    ScalarLow "S_LOW" ScalarLoad "S_LOAD" InputLength "S_INPUT_LENGTH" InputDigit "S_INPUT_DIGIT"
    NumberLength "S_NUMBER_LENGTH" NumberDigit "S_NUMBER_DIGIT" ScalarStateRead "S_STATE_READ"
    Control "S_CONTROL"
    Modulus "MODULUS" CheckModulus "CHECK_MODULUS" Fail "FAIL" Push "PUSH" Pop "POP" Head "HEAD" Next "NEXT"
    Test "TEST" Otherwise "OTHERWISE" Branch "BRANCH" Jump "GO_TO" Store "STORE" ScalarStore "S_STORE"
    ColdWrite "COLD_WRITE" StateWrite "STATE_WRITE" ScalarStateWrite "S_STATE_WRITE"
    StatusRead "STATE_STATUS_READ" StatusWrite "STATE_STATUS_WRITE" Open "UNFINISHED" Status "STATUS" Halt "HALT"
    Random "RANDOM" ScalarRandom "S_RANDOM" Instance "S_INSTANCE"
    Emit "EMIT" EmitNumber "EMIT_NUMBER" EmitScalar "EMIT_SCALAR"
}

/// What `low` or `high` of an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Extra {
    /// A number.
    Word(u32),
    /// The place of a variable.
    At(Var),
}

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Instr {
    pub(crate) what: What,
    pub(crate) z: Option<Var>,
    pub(crate) x: Option<Var>,
    pub(crate) y: Option<Var>,
    pub(crate) low: Extra,
    pub(crate) high: Extra,
    /// Whether instances may fail, or memory changes: it keeps its place among its like.
    pub(crate) effect: bool,
}

impl Instr {
    pub(crate) const fn new(what: What) -> Self {
        let zero = Extra::Word(0);
        Self { what, z: None, x: None, y: None, low: zero, high: zero, effect: false }
    }

    pub(crate) const fn x(self, x: Var) -> Self {
        Self { x: Some(x), ..self }
    }

    pub(crate) const fn y(self, y: Var) -> Self {
        Self { y: Some(y), ..self }
    }

    pub(crate) const fn z(self, z: Var) -> Self {
        Self { z: Some(z), ..self }
    }

    pub(crate) const fn low(self, low: u32) -> Self {
        Self { low: Extra::Word(low), ..self }
    }

    pub(crate) const fn high(self, high: u32) -> Self {
        Self { high: Extra::Word(high), ..self }
    }

    pub(crate) const fn third(self, var: Var) -> Self {
        Self { low: Extra::At(var), ..self }
    }

    pub(crate) const fn fourth(self, var: Var) -> Self {
        Self { high: Extra::At(var), ..self }
    }

    pub(crate) const fn effect(self) -> Self {
        Self { effect: true, ..self }
    }

    /// The variables that it reads.
    pub(crate) fn reads(&self) -> impl Iterator<Item = Var> {
        let at = |extra| if let Extra::At(var) = extra { Some(var) } else { None };
        [self.x, self.y, at(self.low), at(self.high)].into_iter().flatten()
    }

    /// Whether it is a copy of a variable.
    pub(crate) const fn is_copy(&self) -> bool {
        matches!(self.what, What::Copy | What::ScalarCopy)
    }
}

/// A piece of a tape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Op(Instr),
    /// Rounds while `index` is below `count` and the test holds, a list of items and its scalar.
    Loop {
        index: Var,
        count: Var,
        test: Option<(Vec<Self>, Var)>,
        body: Vec<Self>,
    },
    /// Each instance takes one of the arms.
    If {
        condition: Var,
        then: Vec<Self>,
        otherwise: Vec<Self>,
    },
    /// All instances take the same arm, as the condition is one for all.
    Branch {
        condition: Var,
        then: Vec<Self>,
        otherwise: Vec<Self>,
    },
}
