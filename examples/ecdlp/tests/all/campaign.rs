//! A campaign on one machine: a thousand workers report to one store, die and come back.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use ecdlp::campaign::{Means, Plan};
use ecdlp::combination::derived;
use ecdlp::file;
use ecdlp::rehearsal::{Rehearsal, computed};
use ecdlp::row::{Origin, Row, to_bytes};
use ecdlp::setting::Setting;
use ecdlp::store::Store;

use super::solved::ecdlp;

const ECCP_131: &str = include_str!("../../curves/eccp131.json");

/// The rows of a report: those of a worker's segment, the same whenever it is made again.
fn report(setting: &Setting, worker: u32, rows: u64) -> Vec<Row> {
    let row = |i: u64| {
        let name = format!("worker {worker} row {i}");
        let x = derived(&(u128::MAX).into(), setting.seed, &name);
        let origin = Origin { worker, epoch: 0, walk: i as u32, steps: i + 1 };
        Row { x: to_bytes(&x, 17).unwrap(), origin }
    };
    (0..rows).map(row).collect()
}

#[test]
fn a_thousand_workers_lose_nothing_and_double_nothing() {
    let curve = file::from_text(ECCP_131).unwrap();
    let setting = Setting::new(&curve, 1, true, Some(0));
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(&folder.path().join("all.store"), &curve, setting).unwrap();
    // A thousand GPUs at 10 G steps/s on ECCp-131 report once in 100 seconds.
    let means =
        Means { rate: 1e10, gpus: 1000.0, watts: 1000.0, walks: 4e6, commit: 100.0, failure_days: 30.0 };
    let plan = Plan::new(&curve, &Setting::new(&curve, 1, true, None), &means);
    let rows = (plan.rows_a_second * means.commit / means.gpus) as u64;
    assert!(rows > 100);
    // All rows in long runs only.
    let rows = if std::env::var_os("LIMBFORGE_LONG").is_some() { rows } else { rows / 40 };
    let mut expected = BTreeMap::new();
    // Every second worker dies after a part of its report has come, or before it knows that all has; it comes back,
    // makes its segment again, and reports again.
    let mut reports = vec![];
    for worker in 0..1000_u32 {
        let all = report(&setting, worker, rows);
        expected.extend(all.iter().map(|row| (row.x.clone(), row.origin)));
        match worker % 4 {
            0 => reports.push((u64::from(worker), all[..all.len() / 2].to_vec())),
            1 => reports.push((u64::from(worker), all)),
            _ => {}
        }
        reports.push((u64::from(worker) + 40, report(&setting, worker, rows)));
    }
    reports.sort_by_key(|(time, _)| *time);
    let (start, before, mut new) = (Instant::now(), computed(), 0);
    for together in reports.chunks(50) {
        let together: Vec<Row> = together.iter().flat_map(|(_, rows)| rows.clone()).collect();
        new += store.add(&together, None).unwrap();
    }
    assert_eq!(new, 1000 * rows);
    let seconds = start.elapsed().as_secs_f64();
    let computed = computed().zip(before).map(|(now, before)| now - before);
    println!(
        "1500 reports of {rows} rows in {seconds:.1} s of {:.0} s, computed {computed:?} s",
        means.commit
    );
    // The store keeps up with ten times as many GPUs.
    assert!(
        cfg!(debug_assertions) || computed.is_none_or(|seconds| 10.0 * seconds < means.commit),
        "{computed:?} s"
    );
    let mut found = BTreeMap::new();
    store
        .each(|row| {
            found.insert(row.x.clone(), row.origin);
            Ok(())
        })
        .unwrap();
    assert!(found == expected);
    let summary = store.summary().unwrap();
    assert_eq!((summary.points, summary.pairs), (1000 * rows, 0));
}

/// The command that rehearses a campaign counts all rows, and finds what is missing or wrong.
#[test]
fn rehearsals_lose_nothing_and_double_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("c.json"), ECCP_131).unwrap();
    let rehearse = |store: &str, more: &str| {
        let command =
            format!("rehearse c.json --store {store} --rate 1e6 --distinguished 12 --seconds 4 {more}");
        ecdlp(folder, &command.split(' ').collect::<Vec<_>>())
    };
    let output = rehearse("r.store", "--gpus 40 --every 2 --times 2");
    let line = String::from_utf8_lossy(&output.stdout).into_owned();
    // 10^6 steps a second, twice as many, for 2 seconds, of which one of 4096 has a row.
    let (rows, reports) = (977, 2);
    let all = 40 * rows * reports;
    assert!(line.contains(&format!("\"all\":{all}")) && line.contains(&format!("\"new\":{all}")), "{line}");
    let offered = all + 20 * (rows / 2) + 20 * rows;
    assert!(line.contains(&format!("\"offered\":{offered}")), "{line}");
    assert!(line.contains("\"verified\":true") && output.status.success(), "{output:?}");
    let again = rehearse("r.store", "--gpus 4");
    assert!(String::from_utf8_lossy(&again.stderr).contains("expected no file of this name"));

    let store = Store::read(Path::new(&folder.join("r.store"))).unwrap();
    let every = std::time::Duration::from_secs(2);
    let rehearsal = Rehearsal { workers: 40, rows, reports, every };
    rehearsal.verify(&store).unwrap();
    let one_more = Rehearsal { rows: rows + 1, ..rehearsal };
    assert!(one_more.verify(&store).unwrap_err().to_string().contains("expected 78240 rows"));
    let other = report(&store.setting, 39, 1);
    store.add(&other, None).unwrap();
    assert!(rehearsal.verify(&store).unwrap_err().to_string().contains("a row that no worker has sent"));
}

#[test]
fn plans_agree_with_their_formulas() {
    let eccp131 = file::from_text(ECCP_131).unwrap();
    let setting = Setting::new(&eccp131, 1, true, Some(30));
    let means = Means { rate: 1e10, gpus: 1.0, watts: 1000.0, walks: 4e6, commit: 30.0, failure_days: 30.0 };
    let plan = Plan::new(&eccp131, &setting, &means);
    // sqrt(pi n / 4) steps for an order of 130.2 bits.
    assert!((plan.seconds / 31_557_600.0 - 110.6).abs() < 1.0, "{plan:?}");
    assert!((plan.rows / 3.25e10 - 1.0).abs() < 0.01, "{plan:?}");
    assert!((plan.quantiles[0] / plan.seconds - 0.939).abs() < 0.002, "{plan:?}");
    // Nothing is lost where nothing fails; twice as many GPUs take half the time.
    let two = Plan::new(&eccp131, &setting, &Means { gpus: 2.0, ..means });
    assert!((plan.seconds / two.seconds - 2.0).abs() < 0.01);
}
