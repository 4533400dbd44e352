//! `ecdlp info`.

use std::fmt::Write as _;
use std::path::Path;

use ecdlp::error::EcdlpError;
use ecdlp::store::Store;

pub(super) fn run(path: &Path) -> Result<(), EcdlpError> {
    let store = Store::read(path)?;
    let (summary, setting) = (store.summary()?, store.setting);
    let steps = summary.points as f64 * 2_f64.powi(setting.distinguished_bits as i32);
    let sign = if setting.negation { ", up to sign" } else { "" };
    let mut text = format!(
        "curve\t{}, order of {} bits\nwalks\tseed {}, table of {} points{sign}\npoints\t{}, one of 2^{}\n\
         steps\tabout {steps:.3e} of {:.3e} expected\n",
        store.curve.name,
        store.curve.n.bits(),
        setting.seed,
        setting.table_size(),
        summary.points,
        setting.distinguished_bits,
        setting.expected(&store.curve),
    );
    for (number, done) in &summary.workers {
        let walks = done.sizes.walks();
        let (epoch, segments, life) = (done.epoch, done.segments, done.sizes.life);
        let _ = writeln!(text, "worker {number}\t{walks} walks, life {epoch}, segment {segments} of {life}");
    }
    if summary.pairs > 0 {
        let _ = writeln!(text, "pairs\t{} to be looked into", summary.pairs);
    }
    let logarithm = summary.logarithm.map_or("not known".to_owned(), |k| format!("{k:#x}"));
    super::print(&format!("{text}logarithm\t{logarithm}\n"))
}
