//! Programs from text.
//!
//! ```text
//! program    := { const | input | list | function | output | statement }
//! const      := "const" NAME "=" expr
//! input      := "in" NAME [":" type] {"," NAME [":" type]}
//! list       := "list" NAME ":" type "at" "most" expr
//! function   := "fn" NAME "(" pattern {"," pattern} ")" ( "=" expr | block )
//! output     := "out" NAME ["=" expr] {"," NAME ["=" expr]}
//! statement  := ("let" | "var") pattern [":" type] "=" expr
//!             | place "=" expr
//!             | "repeat" expr block
//!             | "for" NAME "in" ( expr | expr ".." expr ) ["after" expr] block
//!             | "while" expr "limit" expr block
//!             | "require" expr
//!             | "emit" NAME "(" expr {"," expr} ")" ["where" expr]
//!             | expr
//! block      := "{" { statement } "}"
//! pattern    := NAME | "(" pattern {"," pattern} ")"
//! place      := NAME | NAME "[" expr "]" | "(" place {"," place} ")"
//! expr       := if | both {"or" both}          both := not {"and" not}          not := "not" not | comparison
//! if         := "if" expr block ["else" ( block | if )]
//! comparison := ring [("==" | "!=" | "<" | "<=" | ">" | ">=") ring]             ring := or ["mod" or]
//! or         := xor {"|" xor}             xor := and {"^" and}                  and := shift {"&" shift}
//! shift      := sum {("<<" | ">>") unary}
//! sum        := product {("+" | "-") product}           product := unary {("*" | "/" | "%") unary}
//! unary      := ("-" | "~") unary | postfix ["**" unary]
//! postfix    := primary {"[" expr "]"}
//! primary    := NUMBER | "true" | "false" | NAME | NAME "(" exprs ")" | "(" exprs ")" | "[" exprs "]"
//!             | "[" expr "for" NAME "in" expr ".." expr "]"
//! type       := "u"BITS | "i"BITS | "bool" | "mod" NAME | "[" type ";" expr "]" | "(" type {"," type} ")"
//! ```
//!
//! `#` starts a comment. The end of a line, or `;`, ends a statement. Lines go on within `( )` and `[ ]`, and
//! after operators, `=` and `,`. `else` may begin a line.

mod errors;
mod expressions;
mod items;
mod operands;
mod statements;
mod types;

use core::mem;

use super::error::{ProgramError, ProgramErrorKind, ProgramWarning};
use super::lexer::{LINE, Lexeme, is_word, lexemes};
use super::syntax::{Name, Span, Tree};
use crate::lexer::Token;

/// Deepest nesting of expressions, blocks and types, and longest chain of operators: each level of a tree
/// takes stack, here and in all that walks through it.
const MAX_DEPTH: usize = 200;

/// Errors are boxed, as each frame of the parser has room for several of them.
type Parsed<T> = Result<T, Box<ProgramError>>;

pub(super) struct Parser<'t> {
    text: &'t str,
    lexemes: Vec<Lexeme<'t>>,
    next: usize,
    /// The place of the token before the next one.
    before: Span,
    depth: usize,
    /// Levels of the highest of the trees parsed so far in the node that is being parsed.
    height: usize,
    warnings: Vec<ProgramWarning>,
}

/// The tree of a program, with a warning for each `^` that is probably meant as a power.
pub(in crate::program) fn parse(text: &str) -> Result<(Tree, Vec<ProgramWarning>), ProgramError> {
    if u32::try_from(text.len()).is_err() {
        let error = ProgramError::new(
            ProgramErrorKind::Syntax,
            Span::default(),
            "a text of less than 4 GiB",
            format!("{} bytes", text.len()),
        );
        return Err(error.placed(""));
    }
    let mut parser = Parser {
        text,
        lexemes: lexemes(text),
        next: 0,
        before: Span::default(),
        depth: 0,
        height: 0,
        warnings: vec![],
    };
    let items = parser.items().map_err(|error| error.placed(text))?;
    Ok((Tree { items }, parser.warnings))
}

impl<'t> Parser<'t> {
    fn token(&self) -> &Token<'t> {
        &self.lexemes[self.next].token
    }

    /// The place of the next token.
    fn here(&self) -> Span {
        self.lexemes[self.next].span
    }

    /// The place from the start of a token to the end of the one before the next.
    fn since(&self, start: Span) -> Span {
        start.to(self.before)
    }

    /// The text at a place.
    fn text_at(&self, span: Span) -> &'t str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Steps over the next token; the last one stays.
    fn advance(&mut self) {
        self.before = self.here();
        self.next = (self.next + 1).min(self.lexemes.len() - 1);
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token(), Token::Sign(next) if *next == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.token(), Token::Name(next) if *next == word)
    }

    /// Steps over the sign if it is next.
    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    /// Steps over the word if it is next.
    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// Steps over ends of lines.
    fn skip_lines(&mut self) {
        while self.eat(LINE) {}
    }

    /// Steps over the sign, after which lines go on.
    fn eat_and_go_on(&mut self, sign: &str) -> bool {
        let found = self.eat(sign);
        if found {
            self.skip_lines();
        }
        found
    }

    fn name(&mut self) -> Parsed<Name> {
        match *self.token() {
            Token::Name(word) if !is_word(word) => {
                let name = Name { text: word.into(), span: self.here() };
                self.advance();
                Ok(name)
            }
            _ => Err(self.no_name()),
        }
    }

    /// Begins a node: heights of what was parsed beside it do not count for it, until [`leave`](Self::leave).
    const fn enter(&mut self) -> usize {
        mem::replace(&mut self.height, 0)
    }

    fn leave(&mut self, beside: usize) {
        self.height = self.height.max(beside);
    }

    /// Counts a level above the parts of the node parsed so far.
    fn grow(&mut self) -> Parsed<()> {
        self.height += 1;
        if self.height > MAX_DEPTH { Err(self.too_deep()) } else { Ok(()) }
    }

    /// Goes one level deeper, until the caller takes it back.
    fn descend(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.too_deep()) } else { Ok(()) }
    }
}
