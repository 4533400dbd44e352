//! The measured tables of Haque, Moreno Maza and Xie (2014), from `data/papers/many-core-model.json`.

use std::path::Path;

use limbforge::algos::model::Application;
use serde::Deserialize;

use crate::error::LabError;

#[derive(Deserialize)]
struct Paper {
    /// Table 1.
    products: Table,
    /// Table 2.
    gcds: Table,
}

#[derive(Deserialize)]
struct Table {
    /// Program parameters s.
    parameters: Vec<u64>,
    rows: Vec<Row>,
}

/// Sizes, and the seconds for each parameter.
#[derive(Deserialize)]
struct Row {
    n: u64,
    m: u64,
    seconds: Vec<f64>,
}

/// Parameters with the paper's milliseconds.
pub(super) type Times = Vec<(u64, f64)>;

/// The rows of both tables, in their order.
pub(super) fn rows() -> Result<Vec<(Application, Times)>, LabError> {
    let path = Path::new("data/papers/many-core-model.json");
    let Paper { products, gcds } =
        serde_json::from_str(include_str!("../../data/papers/many-core-model.json"))
            .map_err(|error| LabError::report(path)(error.to_string()))?;
    let products = products.rows(|n, m| Application::Multiplication { n, m });
    Ok(products.chain(gcds.rows(|n, m| Application::Gcd { n, m })).collect())
}

impl Table {
    fn rows(self, application: fn(u64, u64) -> Application) -> impl Iterator<Item = (Application, Times)> {
        self.rows.into_iter().map(move |Row { n, m, seconds }| {
            let times = self.parameters.iter().zip(seconds);
            (application(n, m), times.map(|(&s, seconds)| (s, 1e3 * seconds)).collect())
        })
    }
}
