//! Values between measured ones.

/// A line through points of ascending x. Of points with the same x the last one counts.
#[derive(Debug, Default)]
pub(super) struct Line(Vec<(f64, f64)>);

/// The value beyond the last point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    /// That of the last point.
    Constant,
    /// In proportion to x.
    Proportional,
}

impl FromIterator<(f64, f64)> for Line {
    fn from_iter<I: IntoIterator<Item = (f64, f64)>>(points: I) -> Self {
        let mut line = vec![];
        for (x, y) in points {
            match line.last_mut() {
                Some((last, value)) if *last == x => *value = y,
                _ => line.push((x, y)),
            }
        }
        Self(line)
    }
}

impl Line {
    /// The value at `x`: before the first point that of the first one. None without points.
    pub(super) fn at(&self, x: f64, beyond: Beyond) -> Option<f64> {
        let (first, last) = (self.0.first()?, self.0.last()?);
        Some(match self.0.iter().position(|point| point.0 >= x) {
            Some(0) => first.1,
            Some(above) => {
                let (below, above) = (self.0[above - 1], self.0[above]);
                below.1 + (above.1 - below.1) * (x - below.0) / (above.0 - below.0)
            }
            None if beyond == Beyond::Proportional => last.1 * x / last.0,
            None => last.1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lie_between_their_neighbours() {
        let line: Line = [(16.0, 7.0), (16.0, 1.0), (32.0, 2.0), (64.0, 6.0)].into_iter().collect();
        for (x, expected) in
            [(1.0, 1.0), (16.0, 1.0), (24.0, 1.5), (32.0, 2.0), (48.0, 4.0), (64.0, 6.0), (128.0, 12.0)]
        {
            assert!((line.at(x, Beyond::Proportional).unwrap() - expected).abs() < 1e-9, "{x}");
        }
        assert_eq!(line.at(128.0, Beyond::Constant), Some(6.0));
        assert_eq!(Line::default().at(1.0, Beyond::Proportional), None);
    }
}
