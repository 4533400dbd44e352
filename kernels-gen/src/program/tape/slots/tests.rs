use super::*;
use crate::program::tape::code::Extra;

fn add(z: u32, x: u32, y: u32) -> Instr {
    Instr::new(What::Add).z(Var(z)).x(Var(x)).y(Var(y))
}

#[test]
fn a_carried_value_is_computed_in_its_place() {
    let number = |z| Instr::new(What::Number).z(Var(z));
    let copy = |z, x| Instr::new(What::Copy).z(Var(z)).x(Var(x));
    // (a, b) = (b, a + b): one copy remains, in three slots.
    let constant = |z| Instr::new(What::ScalarConstant).z(Var(z));
    let head = |exit| Instr { low: Extra::Word(exit), ..Instr::new(What::Head).x(Var(4)).y(Var(5)) };
    let code = [
        constant(4),
        constant(5),
        number(0),
        number(1),
        Instr::new(What::Push),
        head(10),
        add(2, 0, 1),
        copy(0, 1),
        copy(1, 2),
        Instr::new(What::Jump).low(5),
        Instr::new(What::Pop),
        Instr::new(What::Store).x(Var(0)),
    ];
    let mut classes = vec![Class::Number; 4];
    classes.extend([Class::Scalar; 2]);
    let slots = allocate(&code, &classes);
    assert_eq!((slots.numbers, slots.scalars), (3, 2));
    assert_ne!(slots.place(Var(4)), slots.place(Var(5)));
    assert_eq!(code.iter().filter(|instr| slots.is_idle(instr)).count(), 0);
    // The sum alone is carried: it takes the place of what it replaces.
    let body = [code[4], head(9), add(2, 0, 1), copy(0, 2), code[9], code[10], code[11]];
    let code = [&code[..4], &body].concat();
    let slots = allocate(&code, &classes);
    assert_eq!(slots.numbers, 2);
    assert!(slots.is_idle(&code[7]));
}
