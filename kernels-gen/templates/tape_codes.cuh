// tape_codes.cuh: programs as tapes of operations, which one loop of the kernel runs. docs/programs.md.
//
// Each instance has numbers of PADDED words in shared memory, SCALARS integers of 64 bits and COLD
// numbers in the local memory of its lanes. Numbers of a signed type have copies of their sign up to PADDED
// words, and so have scalars up to 64 bits. Residues are in Montgomery form, R = B^PADDED, below the modulus.
//
// All lanes of a warp run the same operations. An instance that is not active, because its loop has ended, its
// condition does not hold or it has failed, takes part in every call and writes nothing.
//
// Barriers: of the warp.

// What an operation does; codes from INTEGER on are operations on integers that the program has.
enum What : unsigned short {
  MUL, REDUCE, ADD, SUB, WORD, NEG, ONE, COPY, SELECT, NUMBER, WIDEN, LOAD, WRAP, COLD_READ, STATE_READ,
  INTEGER = 64,
  // Results are scalars from here on, or there is none.
  SCALAR = 512,
  S_CONSTANT = SCALAR, S_COPY, S_SELECT, S_ADD, S_SUB, S_MUL, S_DIV, S_REM, S_AND, S_OR, S_XOR, S_SHL, S_SHR, S_EQ,
  S_LESS, S_LESS_SIGNED, S_LENGTH, S_BIT, S_DIGIT, S_LOW, S_LOAD, S_INPUT_LENGTH, S_INPUT_DIGIT, S_NUMBER_LENGTH, S_NUMBER_DIGIT,
  S_STATE_READ, S_CONTROL,
  EFFECT = 768,
  MODULUS = EFFECT, CHECK_MODULUS, FAIL, PUSH, POP, HEAD, NEXT, TEST, OTHERWISE, BRANCH, GO_TO, STORE, S_STORE, COLD_WRITE,
  STATE_WRITE, S_STATE_WRITE, STATE_STATUS_READ, STATE_STATUS_WRITE, UNFINISHED, STATUS, HALT
};

// `z` is the place of the result, x and y those of operands; `low` and `high` are numbers or further places.
struct Operation {
  unsigned short what, z, x, y;
  unsigned low, high;
};

// No operand.
constexpr unsigned short NONE = 0xffff;

