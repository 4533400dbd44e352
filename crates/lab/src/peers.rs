//! Other libraries' figures for the same operations, `data/peers/h200.json`: the one source of the bench, the
//! report and the tables of the docs.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

/// The names of the columns of GPU peers, in their order.
pub(crate) const GPU_PEERS: [&str; 3] = ["Oancea-Watt", "Bringgaard", "CGBN"];

/// The data file. It is part of the program, and a test reads it: a mistake in it is ours.
pub(crate) static PEERS: LazyLock<PeerData> = LazyLock::new(|| {
    let text = include_str!("../data/peers/h200.json");
    serde_json::from_str(text).unwrap_or_else(|error| panic!("data/peers/h200.json: {error}"))
});

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PeerData {
    /// Bits of each operand that the times are for.
    pub(crate) batch_bits: u64,
    pub(crate) figures: Vec<PeerFigure>,
}

/// One function of one library, at several widths.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PeerFigure {
    pub(crate) peer: String,
    pub(crate) version: String,
    pub(crate) function: String,
    /// Operations of `limbforge-lab bench` that it is compared with; none if that would not be fair.
    pub(crate) operations: Vec<String>,
    pub(crate) unit: Unit,
    /// The GPU's name, or `CPU`.
    pub(crate) device: String,
    /// The setting of the measurement.
    pub(crate) note: String,
    /// Values by bits of a number, or by points of a transform.
    pub(crate) values: BTreeMap<u32, f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum Unit {
    /// Milliseconds for a batch of `batch_bits` bits of each operand.
    #[serde(rename = "ms")]
    Milliseconds,
    #[serde(rename = "instances/s")]
    InstancesPerSecond,
    #[serde(rename = "10^9 butterflies/s")]
    GigaButterflies,
}

/// A run whose time is compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'a> {
    pub(crate) device: &'a str,
    pub(crate) batch_bits: u64,
    pub(crate) operation: &'a str,
    pub(crate) bits: u32,
    pub(crate) instances: f64,
}

/// Milliseconds of the named peer for a run. None: another operation, width, device or size of batch.
pub(crate) fn milliseconds(peer: &str, run: Run<'_>) -> Option<f64> {
    let is_same = |figure: &&PeerFigure| {
        let compared = figure.operations.iter().any(|name| name == run.operation);
        figure.peer == peer && figure.device == run.device && compared
    };
    PEERS.figures.iter().filter(is_same).find_map(|figure| {
        let value = *figure.values.get(&run.bits)?;
        match figure.unit {
            Unit::Milliseconds => (run.batch_bits == PEERS.batch_bits).then_some(value),
            // Rates hardly depend on the number of instances.
            Unit::InstancesPerSecond => Some(run.instances / value * 1e3),
            Unit::GigaButterflies => None,
        }
    })
}

/// 10^9 butterflies per second of the named peer in a forward transform modulo a prime.
pub(crate) fn giga_butterflies(peer: &str, device: &str, prime: u64, points: u32) -> Option<f64> {
    let words = if prime >> 32 == 0 { "ntt 32" } else { "ntt 64" };
    let prime = format!("ntt {prime}");
    let is_same = |figure: &&PeerFigure| {
        let compared = figure.operations.iter().any(|name| *name == prime || name == words);
        figure.peer == peer && figure.device == device && compared
    };
    PEERS.figures.iter().filter(is_same).find_map(|figure| figure.values.get(&points).copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(peer: &str, operation: &str, bits: u32) -> Option<f64> {
        let (device, batch_bits) = ("NVIDIA H200", 1 << 32);
        let instances = batch_bits as f64 / f64::from(bits);
        milliseconds(peer, Run { device, batch_bits, operation, bits, instances })
    }

    #[test]
    fn others_are_quoted_where_they_were_measured() {
        assert_eq!(of("Oancea-Watt", "mul-classical", 512), Some(1.24));
        assert_eq!(of("CGBN", "mul-classical", 512), Some(0.456));
        assert_eq!(of("CGBN", "mul-wide-tensor", 1 << 15), Some(20.6));
        assert_eq!(of("Oancea-Watt", "mul-ntt", 1 << 17), Some(62.0));
        assert_eq!(of("Bringgaard", "divrem", 1 << 18), Some(785.0));
        for (operation, bits) in
            [("mul-classical", 1 << 18), ("add1", 256), ("add1", 1000), ("sub1", 512), ("divrem", 512)]
        {
            let of_paper = [of("Oancea-Watt", operation, bits), of("Bringgaard", operation, bits)];
            assert_eq!(of_paper, [None, None], "{operation} {bits}");
        }
        let other = |device, batch_bits| {
            milliseconds("CGBN", Run { device, batch_bits, operation: "add1", bits: 512, instances: 1.0 })
        };
        assert_eq!(other("NVIDIA H200", 1 << 32), Some(0.374));
        assert_eq!((other("NVIDIA A100", 1 << 32), other("NVIDIA H200", 1 << 30)), (None, None));
    }

    /// `cgbn_modular_power` is its slow power: 4224 powers of 8192 bits take 2.0 s with it and 0.82 s with
    /// windows.
    #[test]
    fn powers_are_compared_with_the_fast_ones_of_cgbn() {
        let run = Run {
            device: "NVIDIA H200",
            batch_bits: 1 << 32,
            operation: "powmod",
            bits: 8192,
            instances: 4224.0,
        };
        let ms = milliseconds("CGBN", run).unwrap();
        assert!((ms - 4224.0 / 5.17).abs() < 1e-9, "{ms}");
        let slow = PEERS.figures.iter().find(|figure| figure.function.starts_with("cgbn_modular_power"));
        assert_eq!(slow.map(|figure| figure.operations.len()), Some(0));
    }

    #[test]
    fn transforms_are_compared_by_words_and_by_primes() {
        let of = |peer, prime, points| giga_butterflies(peer, "NVIDIA H200", prime, points);
        let goldilocks = u64::MAX - u64::from(u32::MAX) + 1;
        assert_eq!(of("GPU-NTT", 2_013_265_921, 1024), Some(544.0));
        assert_eq!(of("GPU-NTT", goldilocks, 1 << 24), Some(263.0));
        assert_eq!(of("GPU-NTT", 2_013_265_921, 1 << 20), None);
        assert_eq!(of("sppark", 2_013_265_921, 1 << 24), Some(917.0));
        assert_eq!(of("sppark", 998_244_353, 1 << 24), None);
    }

    #[test]
    fn every_figure_says_what_it_is() {
        assert!(PEERS.figures.len() > 15);
        for figure in &PEERS.figures {
            let texts = [&figure.peer, &figure.version, &figure.function, &figure.device, &figure.note];
            assert!(texts.iter().all(|text| !text.is_empty() && !text.contains('|')), "{figure:?}");
            assert!(
                !figure.values.is_empty() && figure.values.values().all(|value| *value > 0.0),
                "{figure:?}"
            );
        }
    }
}
