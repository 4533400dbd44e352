//! Errors at the next token.

use super::{LINE, MAX_DEPTH, Parser, Span, Token};
use crate::lexer::product_of;
use crate::program::text::error::{ProgramError, ProgramErrorKind, place};
use crate::program::text::lexer::is_word;

impl Parser<'_> {
    /// The next token as an error names it.
    fn found(&self) -> String {
        match self.token() {
            Token::End => "the end of the program".to_owned(),
            Token::Sign(LINE) => "the end of the line".to_owned(),
            token => token.to_string(),
        }
    }

    /// An error at the next token.
    pub(super) fn expected(&self, expected: &str) -> Box<ProgramError> {
        Box::new(ProgramError::new(ProgramErrorKind::Syntax, self.here(), expected, self.found()))
    }

    /// The error at a sign that a bracket lacks.
    pub(super) fn not_closed(&self, expected: &str, opened: Span) -> Box<ProgramError> {
        let error = self.expected(expected);
        let goes_on = self.text_at(opened.to(self.here())).contains('\n');
        if error.help.is_some() || !(goes_on || *self.token() == Token::End) {
            return error;
        }
        let (sign, (line, column)) = (self.text_at(opened), place(self.text, opened));
        error.with_help(format!("the `{sign}` of line {line}, column {column} is open")).into()
    }

    pub(super) fn too_deep(&self) -> Box<ProgramError> {
        let error = self.expected(&format!("at most {MAX_DEPTH} levels of nesting"));
        error.with_help("name a part of it by `let`").into()
    }

    #[cold]
    pub(super) fn no_name(&self) -> Box<ProgramError> {
        match self.token() {
            Token::Name(word) if is_word(word) => Box::new(ProgramError {
                kind: ProgramErrorKind::Name,
                ..self.expected("a name").with_help(format!("`{word}` is a word of the language"))
            }),
            _ => self.expected("a name"),
        }
    }

    /// The error where a statement is followed by another token in its line.
    #[cold]
    pub(super) fn no_end(&self, expected: &str) -> Box<ProgramError> {
        let error = self.expected(expected);
        let help = match self.token() {
            _ if error.help.is_some() => return error,
            _ if self.text_at(self.before) == "return" => "the last expression of a block is its value",
            _ if self.text_at(self.before) == "mut" => "`var` declares what may be assigned again",
            Token::Sign("=") => "`==` compares",
            Token::Sign(")") => "no `(` is open",
            Token::Sign("]") => "no `[` is open",
            Token::Sign("}") => "no `{` is open",
            Token::Stray('?') => "`if c { a } else { b }` chooses",
            Token::Name("mod") => "write (a mod n) mod m",
            Token::Name("elif" | "elsif" | "elseif") => "write `else if`",
            Token::Name("rem") => "`a % b` has the sign of a, `rem_euclid(a, b)` is 0 or more",
            Token::Name("div") => "`a / b` rounds towards 0, `div_euclid(a, b)` to a remainder of 0 or more",
            Token::Name("xor") => "`^` is exclusive or",
            _ => return error,
        };
        error.with_help(help).into()
    }

    /// The error where no operand begins with the next token.
    #[cold]
    pub(super) fn no_operand(&self) -> Box<ProgramError> {
        let before = self.text_at(self.before);
        // A sign twice is an operator of another language.
        let doubled = before == self.text_at(self.here());
        let error = self.expected(match self.token() {
            Token::BadNumber(_) => "a number (decimal, or hexadecimal after 0x)",
            Token::LongNumber(_) => "a number of at most 16777216 bits",
            _ => "an expression",
        });
        let help = match self.token() {
            _ if error.help.is_some() => return error,
            Token::BadNumber(word) => match product_of(word) {
                Some(product) => return error.with_help(format!("write {product} for a product")).into(),
                None => return error,
            },
            Token::LongNumber(_) => {
                return Box::new(ProgramError { kind: ProgramErrorKind::Constant, ..*error });
            }
            Token::Name("if") => "put the `if` into parentheses",
            Token::Name("not") => "put the `not` into parentheses",
            Token::Name("const" | "in" | "fn" | "out") if ["", "{", LINE, ";"].contains(&before) => {
                "constants, inputs, functions and results stand outside of all blocks"
            }
            Token::Stray('!') => "`not` negates a `bool`, `~` flips all bits",
            Token::Sign("&") if doubled => "`and` joins conditions, `&` acts bit by bit",
            Token::Sign("|") if doubled => "`or` joins conditions, `|` acts bit by bit",
            Token::Sign("/") if doubled => {
                "`/` rounds towards 0, `div_floor(a, b)` down; `#` starts a comment"
            }
            Token::Sign("=") if !before.is_empty() && "+-*/%&|^**<<>>".contains(before) => {
                "write a = a + b for a += b"
            }
            _ => return error,
        };
        error.with_help(help).into()
    }
}
