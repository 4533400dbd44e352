//! `ecdlp rehearse`.

use std::time::Duration;

use ecdlp::error::EcdlpError;
use ecdlp::file;
use ecdlp::rehearsal::Rehearsal;
use ecdlp::setting::Setting;
use ecdlp::store::Store;
use serde_json::json;

use super::arguments::RehearseArguments;

pub(super) fn run(arguments: &RehearseArguments) -> Result<(), EcdlpError> {
    let RehearseArguments { rate, gpus, times, seconds, every, ref store, .. } = *arguments;
    let curve = file::read(&arguments.curve)?;
    let setting = Setting::new(&curve, 1, true, arguments.distinguished);
    let usage = |why: &str| Err(EcdlpError::Usage(why.to_owned()));
    if store.exists() {
        return usage(&format!("{}: expected no file of this name", store.display()));
    }
    let given = [rate, times, seconds, every];
    if gpus == 0 || given.iter().any(|number| !number.is_finite() || *number <= 0.0) {
        return usage("expected positive numbers");
    }
    let rows = (rate * times * every / 2_f64.powi(setting.distinguished_bits as i32)).round();
    let reports = (seconds / every).round();
    if !(1.0..=1e7).contains(&rows) || !(1.0..=1e6).contains(&reports) {
        return usage(&format!(
            "expected 1 to 10^7 rows in a report, found {rows}, and 1 to 10^6 reports, found {reports}"
        ));
    }
    // So that no two rows have the same x by chance.
    if curve.bits() < setting.distinguished_bits + 96 {
        return usage("expected a prime with at least 96 bits more than distinguished points have");
    }
    let (rows, reports) = (rows as u32, reports as u32);
    let rehearsal = Rehearsal { workers: gpus, rows, reports, every: Duration::from_secs_f64(every) };
    let store = Store::create(store, &curve, setting)?;
    let outcome = rehearsal.run(&store)?;
    rehearsal.verify(&store)?;
    let bytes = std::fs::metadata(store.path()).map_err(EcdlpError::file(store.path()))?.len();
    let rounded = |number: f64| (number * 1e3).round() / 1e3;
    super::print(&format!(
        "{}\n",
        json!({
            "curve": curve.name,
            "workers": gpus,
            "steps_per_second_of_each": rate,
            "times": times,
            "distinguished_bits": setting.distinguished_bits,
            "reports": outcome.reports,
            "rows": { "all": rehearsal.all(), "offered": outcome.offered, "new": outcome.new },
            "rows_per_second": (outcome.offered as f64 / outcome.seconds).round(),
            "transactions": outcome.transactions,
            "seconds": { "all": rounded(outcome.seconds), "store": rounded(outcome.busy),
                         "computed": outcome.computed.map(rounded), "late": rounded(outcome.late) },
            "bytes": bytes,
            "verified": true,
        })
    ))
}
