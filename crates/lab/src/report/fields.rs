//! The fields of a report, with what is expected of them.

use serde_json::Value;

pub(super) fn text(value: &Value, key: &'static str) -> Result<String, String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| missing(key, value))
}

pub(super) fn whole(value: &Value, key: &'static str) -> Result<u64, String> {
    value.get(key).and_then(Value::as_u64).ok_or_else(|| missing(key, value))
}

/// A width or length: not 0, below 2^32.
pub(super) fn width(value: &Value, key: &'static str) -> Result<u32, String> {
    let found = u32::try_from(whole(value, key)?).unwrap_or(0);
    if found > 0 { Ok(found) } else { Err(missing(key, value)) }
}

pub(super) fn positive(value: &Value, key: &'static str) -> Result<f64, String> {
    let number = value.get(key).and_then(Value::as_f64).filter(|number| *number > 0.0);
    number.ok_or_else(|| missing(key, value))
}

pub(super) fn missing(key: &'static str, value: &Value) -> String {
    let found = value.get(key).map_or_else(|| "nothing".to_owned(), Value::to_string);
    format!("expected `{key}` of a report of `limbforge-lab bench --json`, found {found}")
}
