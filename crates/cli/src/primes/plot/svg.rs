//! A chart of lines as SVG: powers of two to the right, whole numbers upwards, a legend in the order of the lines.

use std::ops::RangeInclusive;

/// Colours that people with any colour vision tell apart (Okabe and Ito), without yellow, and grey.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#000000", "#e69f00", "#009e73", "#56b4e9", "#cc79a7", "#777777"];

/// Lines that coincide stay visible: thin dashes of one on a thick line of another. No dashes is a thick line.
const DASHES: [&str; 8] = ["", "", "8 4", "", "3 5", "4 5", "6 3 2 3", "2 3"];

const WIDTH: u32 = 860;
const HEIGHT: u32 = 520;
const LEFT: u32 = 70;
const RIGHT: u32 = 700;
const TOP: u32 = 50;
const BOTTOM: u32 = 450;
/// Distance of the horizontal lines, in units of y.
const Y_STEP: usize = 8;
const LEGEND_STEP: u32 = 26;

/// What is drawn.
pub(super) struct Chart {
    pub(super) title: &'static str,
    pub(super) x_label: &'static str,
    pub(super) y_label: &'static str,
    /// Exponents of 2.
    pub(super) x: RangeInclusive<u32>,
    pub(super) y_max: u32,
    pub(super) lines: Vec<Line>,
}

/// A line of the chart with its name.
pub(super) struct Line {
    pub(super) name: String,
    pub(super) points: Vec<(u32, u32)>,
}

impl Chart {
    pub(super) fn to_svg(&self) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"14\">\n\
             <title>{}</title>\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n",
            self.title
        );
        svg += &self.axes();
        for (i, line) in self.lines.iter().enumerate() {
            svg += &self.line(line, i);
        }
        svg + "</svg>\n"
    }

    fn axes(&self) -> String {
        let middle = u32::midpoint(LEFT, RIGHT);
        let centre = u32::midpoint(TOP, BOTTOM);
        let mut svg = text(middle, 28, "middle\" font-size=\"18", self.title);
        svg += &text(middle, HEIGHT - 18, "middle", self.x_label);
        svg += &format!(
            "<text transform=\"translate(22 {centre}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
            self.y_label
        );
        for y in (0..=self.y_max).step_by(Y_STEP) {
            let at = self.y(y);
            svg += &format!("<path d=\"M{LEFT} {at}H{RIGHT}\" stroke=\"#dddddd\"/>\n");
            svg += &text(LEFT - 8, at + 5, "end", &y.to_string());
        }
        for x in self.x.clone().step_by(2) {
            let at = self.x(x);
            svg += &format!("<path d=\"M{at} {BOTTOM}v6\" stroke=\"#333333\"/>\n");
            svg += &text(at, BOTTOM + 24, "middle", &format!("2^{x}"));
        }
        svg + &format!("<path d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\" stroke=\"#333333\" fill=\"none\"/>\n")
    }

    /// A line with a dot for each point, and its place in the legend.
    fn line(&self, line: &Line, i: usize) -> String {
        let (colour, dash) = (COLOURS[i % COLOURS.len()], DASHES[i % DASHES.len()]);
        let thick = dash.is_empty();
        let (width, radius) = if thick { (5, 5) } else { (2, 3) };
        let dash = if thick { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
        let stroke = format!("stroke=\"{colour}\" stroke-width=\"{width}\"{dash} fill=\"none\"");
        let at: Vec<(u32, u32)> = line.points.iter().map(|&(x, y)| (self.x(x), self.y(y))).collect();
        let path: Vec<String> = at.iter().map(|(x, y)| format!("{x} {y}")).collect();
        let mut svg = format!("<path d=\"M{}\" {stroke}/>\n", path.join("L"));
        for (x, y) in at {
            svg += &dot(x, y, radius, colour);
        }
        let (x, y) = (RIGHT + 20, TOP + 10 + LEGEND_STEP * i as u32);
        svg += &format!("<path d=\"M{x} {y}h32\" {stroke}/>\n");
        svg += &dot(x + 16, y, radius, colour);
        svg + &text(x + 40, y + 5, "start", &line.name)
    }

    fn x(&self, x: u32) -> u32 {
        LEFT + (RIGHT - LEFT) * (x - self.x.start()) / (self.x.end() - self.x.start())
    }

    fn y(&self, y: u32) -> u32 {
        BOTTOM - (BOTTOM - TOP) * y / self.y_max
    }
}

fn dot(x: u32, y: u32, radius: u32, colour: &str) -> String {
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{colour}\"/>\n")
}

fn text(x: u32, y: u32, anchor: &str, text: &str) -> String {
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>\n")
}
