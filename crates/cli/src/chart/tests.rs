use super::*;

fn chart(stroke: Stroke) -> String {
    let line = Line { name: "a<b & c".to_owned(), points: vec![(4.0, 1.0), (6.0, 2.0)], stroke };
    let chart = Chart {
        title: "t < u".to_owned(),
        x_label: "x".to_owned(),
        y_label: "y".to_owned(),
        x: 4..=6,
        y: Axis::linear(2, 1),
        lines: vec![line],
    };
    chart.to_svg().unwrap()
}

#[test]
fn reserved_characters_are_escaped() {
    let svg = chart(Stroke::Reference);
    assert!(svg.contains("\na&lt;b &amp; c\n</text>") && svg.contains("<title>t &lt; u</title>"), "{svg}");
}

#[test]
fn lines_of_the_axes_have_labels() {
    let svg = chart(Stroke::Solid);
    for label in ["2^4", "2^6", "0", "1", "2", "x", "y"] {
        assert!(svg.contains(&format!(">\n{label}\n</text>")), "{label}: {svg}");
    }
    assert_eq!((svg.matches("<circle").count(), chart(Stroke::Solid) == svg), (3, true));
    assert!(svg.contains("stroke=\"#0072B2\" stroke-width=\"3\""), "{svg}");
}
