//! Tables of other libraries' figures, as the data file has them.

use std::collections::BTreeSet;

use super::table::{Table, table, width};
use crate::peers::{PEERS, PeerFigure, Unit};

/// The table of this name: `peers`, or `peers: UNIT`.
pub(super) fn named(name: &str) -> Option<Table> {
    match name {
        "peers" => Some(sources()),
        "peers: ms" => Some(values(Unit::Milliseconds, "bits")),
        "peers: instances/s" => Some(values(Unit::InstancesPerSecond, "bits")),
        "peers: 10^9 butterflies/s" => Some(values(Unit::GigaButterflies, "points")),
        _ => None,
    }
}

/// A line for each function: whose it is, its version and the setting of its measurement.
pub(super) fn sources() -> Table {
    let lines = PEERS.figures.iter().map(|figure| {
        let PeerFigure { peer, version, function, device, note, .. } = figure;
        vec![peer.clone(), version.clone(), function.clone(), format!("{device}; {note}")]
    });
    table(["library", "version", "function", "measured on"], lines)
}

/// The figures in one unit, a line for each function.
fn values(unit: Unit, size: &str) -> Table {
    let figures = || PEERS.figures.iter().filter(|figure| figure.unit == unit);
    let sizes: BTreeSet<u32> = figures().flat_map(|figure| figure.values.keys().copied()).collect();
    let head = [format!("library: function, by {size}")].into_iter();
    let lines = figures().map(|figure| {
        let name = format!("{}: {}", figure.peer, figure.function);
        let cells = sizes.iter().map(|size| figure.values.get(size).map(|value| rounded(*value)));
        [name].into_iter().chain(cells.map(Option::unwrap_or_default)).collect()
    });
    table(head.chain(sizes.iter().map(|&size| width(size))), lines)
}

/// A number in millions or thousands where that is shorter.
fn rounded(value: f64) -> String {
    match value {
        1e6.. => format!("{} M", value / 1e6),
        1e4.. => format!("{} k", value / 1e3),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_has_its_place() {
        let count = PEERS.figures.len();
        assert_eq!(sources().len(), count + 1);
        let units = ["peers: ms", "peers: instances/s", "peers: 10^9 butterflies/s"];
        let lines: usize = units.map(|unit| named(unit).unwrap().len() - 1).into_iter().sum();
        assert_eq!(lines, count);
        assert_eq!(named("peers: feet"), None);
    }

    #[test]
    fn numbers_are_short() {
        let found = [14.2e6, 1618e6, 39.8e3, 5170.0, 0.374].map(rounded);
        assert_eq!(found, ["14.2 M", "1618 M", "39.8 k", "5170", "0.374"]);
    }
}
