//! `ecdlp plan`.

use ecdlp::campaign::{Means, Plan};
use ecdlp::error::EcdlpError;
use ecdlp::file;
use ecdlp::setting::Setting;

use super::arguments::PlanArguments;
use super::solve::time;

pub(super) fn run(arguments: &PlanArguments) -> Result<(), EcdlpError> {
    let curve = file::read(&arguments.curve)?;
    let setting = Setting::new(&curve, 1, !arguments.no_negation, arguments.distinguished);
    let PlanArguments { rate, gpus, watts, walks, commit, failure_days, .. } = *arguments;
    let given = [rate, watts, walks, commit, failure_days];
    if gpus == 0 || given.iter().any(|number| !number.is_finite() || *number <= 0.0) {
        return Err(EcdlpError::Usage("expected positive numbers".to_owned()));
    }
    let means = Means { rate, gpus: gpus.into(), watts, walks, commit, failure_days };
    let plan = Plan::new(&curve, &setting, &means);
    let bits = setting.distinguished_bits;
    super::print(&format!(
        "steps\t{:.3e} expected, and {:.3e} to the last distinguished points (one of 2^{bits})\n\
         time\t{} expected; half of all campaigns {}, 99 of 100 at most {}\n\
         energy\t{:.3e} kWh\n\
         rows\t{:.3e}, {:.3} a second, a store of {:.3e} bytes\n\
         walk\t{} to its first distinguished point\n\
         loss\t{:.2e} of all steps by GPUs that fail, each with half of the time between commits\n",
        plan.steps,
        plan.tail,
        time(plan.seconds),
        time(plan.quantiles[0]),
        time(plan.quantiles[1]),
        plan.energy,
        plan.rows,
        plan.rows_a_second,
        plan.bytes,
        time(plan.first_days * 86400.0),
        plan.lost,
    ))
}
