//! Line charts as SVG, drawn by plotters: powers of two on the horizontal axis, a legend in the order of the
//! lines.
//!
//! The same values always give the same text.

mod axis;

use std::{io, ops::RangeInclusive};

use plotters::prelude::*;

pub use self::axis::Axis;
use self::axis::Powers;
use crate::error::CliError;

/// Colours for any colour vision (Okabe and Ito), without yellow, and grey. Layered lines that coincide stay
/// visible: thin dashes of one on a thick line of another, which has no dashes.
const PENS: [(RGBColor, &str); 8] = [
    (RGBColor(0x00, 0x72, 0xb2), ""),
    (RGBColor(0xd5, 0x5e, 0x00), ""),
    (BLACK, "8 4"),
    (RGBColor(0xe6, 0x9f, 0x00), ""),
    (RGBColor(0x00, 0x9e, 0x73), "3 5"),
    (RGBColor(0x56, 0xb4, 0xe9), "4 5"),
    (RGBColor(0xcc, 0x79, 0xa7), "6 3 2 3"),
    (RGBColor(0x77, 0x77, 0x77), "2 3"),
];

/// Greys of reference lines, by which the style selects their dashes.
const REFERENCES: [u8; 4] = [0x78, 0x79, 0x7a, 0x7b];

const GRID: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);
const AXIS: RGBColor = RGBColor(0x33, 0x33, 0x33);

/// Dashes and the colours on dark pages, which plotters cannot draw. The chart has a background, so that it
/// is legible where a page ignores the reader's preference.
const STYLE: &str = "\
polyline[stroke=\"#787878\"] { stroke-dasharray: 6 4 } polyline[stroke=\"#797979\"] { stroke-dasharray: 2 4 }
polyline[stroke=\"#7A7A7A\"] { stroke-dasharray: 10 4 2 4 } polyline[stroke=\"#7B7B7B\"] { stroke-dasharray: 14 6 }
@media (prefers-color-scheme: dark) {
rect[fill=\"#FFFFFF\"] { fill: #0d1117 } svg text { fill: #e6edf3 }
[stroke=\"#DDDDDD\"] { stroke: #30363d } [stroke=\"#333333\"] { stroke: #9198a1 }
polyline[stroke=\"#000000\"] { stroke: #e6edf3 } circle[fill=\"#000000\"] { fill: #e6edf3 }
}
";

/// The width of a chart with short names, and of its plot.
const LEAST_WIDTH: u32 = 860;
const PLOT_WIDTH: u32 = 710;
const HEIGHT: u32 = 520;
const LEGEND_STEP: i32 = 26;

/// plotters divides sizes by this factor.
const FONT_SCALE: f64 = 1.24;

/// A chart; its texts are plain.
pub struct Chart {
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    /// Exponents of 2, two at least.
    pub x: RangeInclusive<u32>,
    pub y: Axis,
    pub lines: Vec<Line>,
}

/// A line of the chart with its name.
pub struct Line {
    pub name: String,
    /// Exponents of 2 with values.
    pub points: Vec<(f64, f64)>,
    pub stroke: Stroke,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// Thick, or thin dashes: lines that coincide stay visible.
    Layered,
    Solid,
    /// Grey and dashed, for comparison.
    Reference,
}

/// The least and the greatest value of all lines, with room by this factor below and above.
pub fn extent(lines: &[Line], room: f64) -> (f64, f64) {
    let values = lines.iter().flat_map(|line| &line.points).map(|&(_, y)| y);
    let (least, most) = values.fold((f64::MAX, 0.0_f64), |(least, most), y| (least.min(y), most.max(y)));
    (least / room, most * room)
}

/// The exponents between which all points lie; None for no points.
pub fn powers(lines: &[Line]) -> Option<RangeInclusive<u32>> {
    let points = || lines.iter().flat_map(|line| &line.points).map(|&(x, _)| x);
    let (first, last) = (points().reduce(f64::min)?.floor() as u32, points().reduce(f64::max)?.ceil() as u32);
    Some(first..=last.max(first + 1))
}

type DrawError = DrawingAreaErrorKind<io::Error>;

impl Chart {
    pub fn to_svg(&self) -> Result<String, CliError> {
        let mut svg = String::new();
        self.draw(&mut svg).map_err(|error| CliError::Chart(error.to_string()))?;
        let title = self.title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let style = self.style();
        let svg = svg.replace(" opacity=\"1\"", "");
        Ok(svg.replacen('>', &format!(">\n<title>{title}</title>\n<style>\n{style}</style>"), 1) + "\n")
    }

    fn draw(&self, svg: &mut String) -> Result<(), DrawError> {
        let root = SVGBackend::with_string(svg, (self.width(), HEIGHT)).into_drawing_area();
        root.fill(&WHITE)?;
        let (plot, legend) = root.split_horizontally(PLOT_WIDTH);
        let mut chart = ChartBuilder::on(&plot)
            .caption(&self.title, font(18.0))
            .margin(10)
            .x_label_area_size(54)
            .y_label_area_size(74)
            .build_cartesian_2d(Powers(self.x.clone()), self.y.clone())?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .axis_style(AXIS)
            .label_style(font(14.0))
            .axis_desc_style(font(14.0))
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .x_label_formatter(&|x| format!("2^{x}"))
            .y_label_formatter(&|y| (self.y.label)(*y))
            .draw()?;
        for (i, line) in self.lines.iter().enumerate() {
            let (colour, width, radius) = self.pen(i);
            let points = || line.points.iter().copied();
            chart.draw_series(LineSeries::new(points(), colour.stroke_width(width)))?;
            chart.draw_series(points().map(|point| Circle::new(point, radius, colour.filled())))?;
            let (x, y) = (10, 60 + LEGEND_STEP * i as i32);
            legend.draw(&PathElement::new([(x, y), (x + 32, y)], colour.stroke_width(width)))?;
            legend.draw(&Circle::new((x + 16, y), radius, colour.filled()))?;
            legend.draw(&Text::new(line.name.as_str(), (x + 40, y - 6), font(14.0)))?;
        }
        root.present()
    }

    /// The width with room for the longest name, whose letters have at most 8 on average.
    fn width(&self) -> u32 {
        let longest = self.lines.iter().map(|line| line.name.len()).max().unwrap_or(0) as u32;
        LEAST_WIDTH.max(PLOT_WIDTH + 54 + 8 * longest)
    }

    /// Colour, width, and radius of the dots of a line.
    fn pen(&self, i: usize) -> (RGBColor, u32, i32) {
        let (colour, dashes) = PENS[i % PENS.len()];
        match self.lines[i].stroke {
            Stroke::Layered if dashes.is_empty() => (colour, 5, 5),
            Stroke::Layered => (colour, 2, 3),
            Stroke::Solid => (colour, 3, 4),
            // Its number among the references decides: it looks the same beside more or fewer other lines.
            Stroke::Reference => {
                let before = self.lines[..i].iter().filter(|line| line.stroke == Stroke::Reference).count();
                let grey = REFERENCES[before % REFERENCES.len()];
                (RGBColor(grey, grey, grey), 2, 3)
            }
        }
    }

    /// The style with the dashes of layered lines.
    fn style(&self) -> String {
        let pens = self.lines.iter().zip(PENS.into_iter().cycle());
        let dashed = pens.filter(|(line, (_, dashes))| line.stroke == Stroke::Layered && !dashes.is_empty());
        let dashed = dashed.map(|(_, (RGBColor(r, g, b), dashes))| {
            format!("polyline[stroke=\"#{r:02X}{g:02X}{b:02X}\"] {{ stroke-dasharray: {dashes} }}\n")
        });
        STYLE.to_owned() + &dashed.collect::<String>()
    }
}

fn font(size: f64) -> TextStyle<'static> {
    ("sans-serif", size * FONT_SCALE).into()
}

#[cfg(test)]
mod tests;
