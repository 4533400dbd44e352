//! The fields of a report, and the errors of those that are missing.

use serde::Deserialize;
use serde_json::Value;

pub(super) fn field<'v, T: Deserialize<'v>>(value: &'v Value, key: &'static str) -> Result<T, String> {
    value.get(key).and_then(|found| T::deserialize(found).ok()).ok_or_else(|| missing(key, value))
}

pub(super) fn positive(value: &Value, key: &'static str) -> Result<f64, String> {
    field(value, key).ok().filter(|number| *number > 0.0).ok_or_else(|| missing(key, value))
}

fn missing(key: &'static str, value: &Value) -> String {
    let found = value.get(key).map_or_else(|| "nothing".to_owned(), Value::to_string);
    format!("expected `{key}` of a report of `limbforge-lab bench --json`, found {found}")
}
