//! Canonical texts of random trees parse to the same trees.

mod places;
mod tree;

use proptest::prelude::*;

use super::parse;
use super::syntax::Tree;
use places::forget_places;
use tree::Grower;

/// The tree of a text, whose places are left out.
fn parsed(text: &str) -> Tree {
    let (mut tree, _) = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    forget_places(&mut tree);
    tree
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn canonical_texts_give_the_tree_again(choices in proptest::collection::vec(any::<u8>(), 0..400)) {
        let tree = Grower::new(&choices).tree();
        let text = tree.to_string();
        prop_assert_eq!(&parsed(&text), &tree, "{}", text);
        // Blanks, comments and ends of lines where they have no meaning.
        let spaced = text.replace(", ", " ,\t").replace('\n', " # end ) ]\r\n\n").replace(") ", ")\u{a0}  ");
        prop_assert_eq!(&parsed(&spaced), &tree, "{}", spaced);
        let without = text.replace(" = ", "=").replace(" + ", "+").replace(" * ", "*");
        prop_assert_eq!(&parsed(&without), &tree, "{}", without);
    }

    #[test]
    fn parentheses_are_needed(choices in proptest::collection::vec(any::<u8>(), 0..60)) {
        let tree = Grower::new(&choices).tree();
        let text = tree.to_string();
        // Without any pair of parentheses that stand around an expression the tree is another one.
        for (open, close) in pairs(&text) {
            let bare: String =
                text.char_indices().filter(|(at, _)| ![open, close].contains(at)).map(|(_, c)| c).collect();
            if let Ok((mut other, _)) = parse(&bare) {
                forget_places(&mut other);
                prop_assert_ne!(&other, &tree, "{}\n{}", text, bare);
            }
        }
    }
}

/// The bytes of each `(` and its `)`.
fn pairs(text: &str) -> Vec<(usize, usize)> {
    let (mut open, mut pairs) = (vec![], vec![]);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => open.push(at),
            b')' => pairs.extend(open.pop().map(|start| (start, at))),
            _ => {}
        }
    }
    pairs
}

#[test]
fn the_layout_of_a_program() {
    let text = "
        in N,s:[(u64,mod N);2*3] ;const k=0x10\nfn f((x,y),z){let (t,u)=(x*y,[z])\n t}; fn g(x){((x))}
        var a:bool=(not 1<2)and(3==4 or 5!=6)   # comment
        for i in 0..k after 1{a=not a;while a limit 5 { if a{a=1==2}else{if not a{a=1==1} } } }
        for b in bits(N){ }
        (s[(0)],(a))=(1,
            2)
        let r=(if a{1}else if not a {2} else{ let q=3
            q})+1 << (2+3) mod
            (N mod 5)
        require -(2**3)==(-2)**3 or -2**-3==[i**2 for i in 0..3][1]
        out a,r=r,x=0xffffffffffffffffffff";
    let expected = "in N, s: [(u64, mod N); 2 * 3]
const k = 16
fn f((x, y), z) {
    let (t, u) = (x * y, [z])
    t
}
fn g(x) = x
var a: bool = not 1 < 2 and (3 == 4 or 5 != 6)
for i in 0 .. k after 1 {
    a = not a
    while a limit 5 {
        if a {
            a = 1 == 2
        } else if not a {
            a = 1 == 1
        }
    }
}
for b in bits(N) {}
(s[0], a) = (1, 2)
let r = (if a { 1 } else if not a { 2 } else {
    let q = 3
    q
}) + 1 << (2 + 3) mod (N mod 5)
require -2 ** 3 == (-2) ** 3 or -2 ** -3 == [i ** 2 for i in 0 .. 3][1]
out a, r = r, x = 0xffffffffffffffffffff
";
    let (tree, _) = parse(text).unwrap();
    assert_eq!(tree.to_string(), expected);
    assert_eq!(parsed(expected), parsed(text));
}
