use super::*;

fn time(operation: &str, limb: &str, bits: u32, median_ms: f64) -> Time {
    let (operation, limb) = (operation.to_owned(), limb.to_owned());
    let peers = [None, None, (bits == 512).then_some(4.0)];
    Time {
        source: 0,
        operation,
        limb,
        bits,
        instances: f64::from(u32::MAX / bits + 1),
        median_ms,
        gigabytes_per_second: Some(100.0),
        floor_ms: Some(0.25),
        peers,
    }
}

#[test]
fn algorithms_of_a_product_stand_in_one_figure() {
    let results = Results {
        times: vec![
            time("mul-classical", "u64", 1024, 2.0),
            time("mul-classical", "u64", 512, 1.0),
            time("mul-ntt", "u32", 512, 3.0),
            time("mul-ntt", "u64", 512, 3.5),
            time("mul-ntt", "u64", 131, 3.0),
            time("mul-wide-ntt", "u32", 512, 3.6),
        ],
        ..Results::default()
    };
    let figures = figures(&results);
    assert_eq!(figures.len(), 2);
    let names: Vec<_> = figures[0].chart.lines.iter().map(|line| &*line.name).collect();
    assert_eq!(names, ["classical u64", "ntt u64", "memory floor", "CGBN"]);
    assert_eq!(figures[0].chart.lines[0].points, [(9.0, 1.0), (10.0, 2.0)]);
    assert_eq!(figures[0].chart.x, 7..=10);
    let table = &figures[0].table;
    let ratio = "fastest of others : ours";
    assert_eq!(table[0], ["bits", "classical u64", "ntt u32", "ntt u64", "memory floor", "CGBN", ratio]);
    assert_eq!(table[2], ["512", "1.000", "3.000", "3.500", "0.250", "4.000", "4.00"]);
    assert_eq!(table[1], ["131", "", "", "3.000", "0.250", "", ""]);
    // 2^23 instances of 512 bits in 1 ms; 300 * 2^23 * 16 * 4 operations in it. No operations without words.
    let rates = &figures[0].rates;
    assert_eq!(rates[0], ["bits", "fastest", "ms per batch", "10^6 instances/s", "GB/s", "Gu32ops/s"]);
    assert_eq!(rates[2], ["512", "classical u64", "1.000", "8388.6", "100", "161061"]);
    assert_eq!(rates[3][..3], ["1024", "classical u64", "2.000"]);
    assert_eq!(figures[1].rates[0].len(), 5);
}

#[test]
fn small_rates_keep_three_digits() {
    let rates = [8388.61, 12.34, 9.876, 0.5, 0.041_42, 0.000_9, 0.0];
    let shown = rates.map(|rate| decimals(rate, 1));
    assert_eq!(shown, ["8388.6", "12.3", "9.88", "0.500", "0.0414", "0.000900", "0.0"]);
    assert_eq!(decimals(161_061.27, 0), "161061");
}

#[test]
fn transforms_are_compared_by_words() {
    let of = |prime, kind: &str, points| Transform {
        prime,
        kind: kind.to_owned(),
        points,
        median_ms: 0.5,
        giga_butterflies: 2400.0,
        peers: [(kind == "forward").then_some(485.0), None],
    };
    let transforms = vec![of(97, "forward", 16), of(97, "inverse", 16), of(97, "forward", 48)];
    let figures = figures(&Results { transforms, ..Results::default() });
    assert_eq!(figures.len(), 1);
    let names: Vec<_> = figures[0].chart.lines.iter().map(|line| &*line.name).collect();
    assert_eq!(names, ["97", "GPU-NTT, 32 bits"]);
    assert_eq!((figures[0].chart.x.clone(), figures[0].table.len()), (4..=6, 4));
}

#[test]
fn nothing_gives_no_figures() {
    assert!(figures(&Results::default()).is_empty());
}
