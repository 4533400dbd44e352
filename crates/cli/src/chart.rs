//! A chart of lines as SVG: powers of two to the right, values upwards, a legend in the order of the lines.
//!
//! Coordinates are whole: the same values always give the same text.

use std::ops::RangeInclusive;

/// Colours that people with any colour vision tell apart (Okabe and Ito), without yellow, and grey.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#000000", "#e69f00", "#009e73", "#56b4e9", "#cc79a7", "#777777"];

/// Lines that coincide stay visible: thin dashes of one on a thick line of another. No dashes is a thick line.
const DASHES: [&str; 8] = ["", "", "8 4", "", "3 5", "4 5", "6 3 2 3", "2 3"];

/// Dashes of the lines that others are compared with.
const REFERENCE_DASHES: [&str; 4] = ["6 4", "2 4", "10 4 2 4", "14 6"];

/// The width of a chart whose names are short.
const LEAST_WIDTH: u32 = 860;
const HEIGHT: u32 = 520;
const LEFT: u32 = 70;
const RIGHT: u32 = 700;
const TOP: u32 = 50;
const BOTTOM: u32 = 450;
const LEGEND_STEP: u32 = 26;

/// Where a logarithmic axis has lines in every decade.
const DECADE: [f64; 3] = [1.0, 2.0, 5.0];

/// Colours of everything but the lines, on light and on dark pages. The chart brings its own background, so that it
/// is legible where a page does not follow the reader's preference.
const STYLE: &str = "\
<style>
.card { fill: #ffffff } .grid { stroke: #dddddd } .axis { stroke: #333333 } svg text { fill: #1f2328 }
.ink { stroke: #000000 } circle.ink { stroke: none; fill: #000000 }
@media (prefers-color-scheme: dark) {
.card { fill: #0d1117 } .grid { stroke: #30363d } .axis { stroke: #9198a1 } svg text { fill: #e6edf3 }
.ink { stroke: #e6edf3 } circle.ink { stroke: none; fill: #e6edf3 }
}
</style>
";

/// The colour that is dark on light pages and light on dark ones: by a class, as a colour would not change.
const INK: &str = "#000000";

/// What is drawn. Texts are plain: what HTML reserves is escaped.
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) x_label: String,
    pub(crate) y_label: String,
    /// Exponents of 2, two at least.
    pub(crate) x: RangeInclusive<u32>,
    pub(crate) y: Axis,
    pub(crate) lines: Vec<Line>,
}

/// The values upwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Axis {
    /// From 0, with a line every `step`.
    Linear { most: u32, step: u32 },
    /// Between two positive numbers.
    Logarithmic { least: f64, most: f64 },
    /// Between two times in nanoseconds, with a line every power of ten.
    Time { least: f64, most: f64 },
}

/// A line of the chart with its name.
pub(crate) struct Line {
    pub(crate) name: String,
    /// Exponents of 2 with values.
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) stroke: Stroke,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stroke {
    /// Thick, or thin dashes: lines that coincide stay visible.
    Layered,
    Solid,
    /// Grey and dashed: what the others are compared with.
    Reference,
}

impl Chart {
    pub(crate) fn to_svg(&self) -> String {
        let width = self.width();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" width=\"{width}\" \
             height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"14\">\n\
             <title>{}</title>\n\
             {STYLE}<rect width=\"{width}\" height=\"{HEIGHT}\" class=\"card\"/>\n",
            escaped(&self.title)
        );
        svg += &self.axes();
        for (i, line) in self.lines.iter().enumerate() {
            svg += &self.line(line, i);
        }
        svg + "</svg>\n"
    }

    /// With room for the longest name, of letters of 8 at most on average.
    fn width(&self) -> u32 {
        let longest = self.lines.iter().map(|line| line.name.len()).max().unwrap_or(0) as u32;
        LEAST_WIDTH.max(RIGHT + 64 + 8 * longest)
    }

    fn axes(&self) -> String {
        let middle = u32::midpoint(LEFT, RIGHT);
        let centre = u32::midpoint(TOP, BOTTOM);
        let mut svg = text(middle, 28, "middle\" font-size=\"18", &self.title);
        svg += &text(middle, HEIGHT - 18, "middle", &self.x_label);
        svg += &format!(
            "<text transform=\"translate(22 {centre}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
            escaped(&self.y_label)
        );
        for y in self.y.lines() {
            let at = self.y(y);
            svg += &format!("<path d=\"M{LEFT} {at}H{RIGHT}\" class=\"grid\"/>\n");
            svg += &text(LEFT - 8, at + 5, "end", &self.y.label(y));
        }
        for x in self.x.clone().step_by(2) {
            let at = self.x(x.into());
            svg += &format!("<path d=\"M{at} {BOTTOM}v6\" class=\"axis\"/>\n");
            svg += &text(at, BOTTOM + 24, "middle", &format!("2^{x}"));
        }
        svg + &format!("<path d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\" class=\"axis\" fill=\"none\"/>\n")
    }

    /// A line with a dot for each point, and its place in the legend.
    fn line(&self, line: &Line, i: usize) -> String {
        let (colour, dash, width, radius) = match line.stroke {
            Stroke::Layered => match (COLOURS[i % COLOURS.len()], DASHES[i % DASHES.len()]) {
                (colour, "") => (colour, "", 5, 5),
                (colour, dash) => (colour, dash, 2, 3),
            },
            Stroke::Solid => (COLOURS[i % COLOURS.len()], "", 3, 4),
            // By how many there are before it, so that it looks the same in charts of more or fewer other lines.
            Stroke::Reference => {
                let before = self.lines[..i].iter().filter(|line| line.stroke == Stroke::Reference).count();
                ("#777777", REFERENCE_DASHES[before % REFERENCE_DASHES.len()], 2, 3)
            }
        };
        let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
        let paint = painted("stroke", colour);
        let stroke = format!("{paint} stroke-width=\"{width}\"{dash} fill=\"none\"");
        let at: Vec<(i64, i64)> = line.points.iter().map(|&(x, y)| (self.x(x), self.y(y))).collect();
        let path: Vec<String> = at.iter().map(|(x, y)| format!("{x} {y}")).collect();
        let mut svg = format!("<path d=\"M{}\" {stroke}/>\n", path.join("L"));
        for (x, y) in at {
            svg += &dot(x, y, radius, colour);
        }
        let (x, y) = (i64::from(RIGHT + 20), i64::from(TOP + 10 + LEGEND_STEP * i as u32));
        svg += &format!("<path d=\"M{x} {y}h32\" {stroke}/>\n");
        svg += &dot(x + 16, y, radius, colour);
        svg + &text(x + 40, y + 5, "start", &line.name)
    }

    fn x(&self, x: f64) -> i64 {
        let (first, last) = (f64::from(*self.x.start()), f64::from(*self.x.end()));
        i64::from(LEFT) + (f64::from(RIGHT - LEFT) * (x - first) / (last - first)).floor() as i64
    }

    fn y(&self, y: f64) -> i64 {
        i64::from(BOTTOM) - (f64::from(BOTTOM - TOP) * self.y.place(y)).floor() as i64
    }
}

impl Axis {
    /// Where a value lies, 0 at the bottom and 1 at the top.
    fn place(self, y: f64) -> f64 {
        match self {
            Self::Linear { most, .. } => y / f64::from(most),
            Self::Logarithmic { least, most } | Self::Time { least, most } => {
                (y / least).ln() / (most / least).ln()
            }
        }
    }

    /// A value with its unit.
    fn label(self, y: f64) -> String {
        let Self::Time { .. } = self else { return y.to_string() };
        let (scale, unit) =
            [(1e6, "ms"), (1e3, "µs")].into_iter().find(|(scale, _)| y >= *scale).unwrap_or((1.0, "ns"));
        format!("{} {unit}", y / scale)
    }

    /// The values that have a line.
    fn lines(self) -> Vec<f64> {
        match self {
            Self::Linear { most, step } => (0..=most).step_by(step as usize).map(f64::from).collect(),
            Self::Logarithmic { least, most } => {
                let lines = decades(least, most).flat_map(|decade| DECADE.map(|line| line * decade));
                lines.filter(|line| (least..=most).contains(line)).collect()
            }
            Self::Time { least, most } => {
                decades(least, most).filter(|line| (least..=most).contains(line)).collect()
            }
        }
    }
}

/// The powers of ten from below one number to above another.
fn decades(least: f64, most: f64) -> impl Iterator<Item = f64> {
    let exponents = least.log10().floor() as i32..=most.log10().ceil() as i32;
    exponents.map(|exponent| if exponent < 0 { 1.0 / 10_f64.powi(-exponent) } else { 10_f64.powi(exponent) })
}

fn dot(x: i64, y: i64, radius: u32, colour: &str) -> String {
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {}/>\n", painted("fill", colour))
}

/// The attribute that gives a line or a dot its colour.
fn painted(attribute: &str, colour: &str) -> String {
    if colour == INK { "class=\"ink\"".to_owned() } else { format!("{attribute}=\"{colour}\"") }
}

fn text(x: impl Into<i64>, y: impl Into<i64>, anchor: &str, text: &str) -> String {
    let (x, y, text) = (x.into(), y.into(), escaped(text));
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>\n")
}

/// The text with what HTML and SVG reserve written as entities.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_axes() {
        assert_eq!(Axis::Linear { most: 20, step: 8 }.lines(), [0.0, 8.0, 16.0]);
        let lines = Axis::Logarithmic { least: 0.3, most: 30.0 }.lines();
        assert_eq!(lines.len(), 6, "{lines:?}");
        assert!((lines[0] - 0.5).abs() < 1e-9 && (lines[5] - 20.0).abs() < 1e-9);
        let times = Axis::Time { least: 0.03, most: 3e6 };
        let labels: Vec<String> = times.lines().into_iter().map(|line| times.label(line)).collect();
        assert_eq!(labels, ["0.1 ns", "1 ns", "10 ns", "100 ns", "1 µs", "10 µs", "100 µs", "1 ms"]);
        let axis = Axis::Logarithmic { least: 0.1, most: 10.0 };
        assert!((axis.place(1.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn reserved_characters_are_escaped() {
        let line = Line { name: "a<b & c".to_owned(), points: vec![(4.0, 1.0)], stroke: Stroke::Reference };
        let chart = Chart {
            title: "\"t\"".to_owned(),
            x_label: String::new(),
            y_label: String::new(),
            x: 4..=6,
            y: Axis::Linear { most: 2, step: 1 },
            lines: vec![line],
        };
        let svg = chart.to_svg();
        assert!(svg.contains("a&lt;b &amp; c") && svg.contains("<title>&quot;t&quot;</title>"), "{svg}");
    }
}
