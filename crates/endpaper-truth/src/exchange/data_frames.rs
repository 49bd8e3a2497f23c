//! What data frames make of records and tables on their way: whole numbers with a point, times as numbers, and nulls for
//! keys that other rows have. The program's own files hold none of these.

use serde_yaml::{Mapping, Value};

use crate::timestamp;

/// A whole number, also as a data frame writes it whose column has empty cells: `6817.0`.
pub(super) fn parse_whole(cell: &str) -> Option<u32> {
    let parts = cell.split_once('.');
    let parts = parts.filter(|(_, rest)| !rest.is_empty() && rest.bytes().all(|b| b == b'0'));
    parts.map_or(cell, |(digits, _)| digits).parse().ok()
}

/// A time in a cell as a number, as reviews hold it; other texts as they are.
pub(super) fn restore_time(cell: &str) -> String {
    let digits = cell.split_once('.').map_or(cell, |(digits, rest)| {
        let is_whole = !rest.is_empty() && rest.bytes().all(|b| b == b'0');
        if is_whole { digits } else { cell }
    });
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let number = is_number.then(|| digits.parse().ok()).flatten();
    let time = number.and_then(since_epoch);
    time.unwrap_or_else(|| cell.to_owned())
}

/// Seconds since 1970 that a decision may have been made at: from 1990 to 2100.
const SECONDS: std::ops::Range<i64> = 631_152_000..4_102_444_800;

/// The time of a number since 1970 in seconds, milliseconds (pandas and Hugging Face), microseconds or nanoseconds; `None` if no unit
/// gives a time of these years. Compact dates such as 20261121032200 are none.
fn since_epoch(number: i64) -> Option<String> {
    let units = [1, 1_000, 1_000_000, 1_000_000_000];
    let unit = units
        .into_iter()
        .find(|unit| SECONDS.contains(&(number / unit)))?;
    let milliseconds = match unit {
        1 => number * 1_000,
        unit => number / (unit / 1_000),
    };
    let time = jiff::Timestamp::from_millisecond(milliseconds);
    time.ok().map(timestamp)
}

/// The keys of a mapping whose values data frames change. Other keys are left as they are.
struct MappingKeys {
    /// Keys of numbers, or lists of them.
    whole_keys: &'static [&'static str],
    /// Keys of times.
    times: &'static [&'static str],
    /// Keys that need not be there; null says nothing.
    optional: &'static [&'static str],
    /// Keys of mappings, or lists of them.
    parts: &'static [(&'static str, &'static MappingKeys)],
}

const NO_KEYS: MappingKeys = MappingKeys {
    whole_keys: &[],
    times: &[],
    optional: &[],
    parts: &[],
};

const RECORD: MappingKeys = MappingKeys {
    whole_keys: &["schema"],
    optional: &[
        "kind",
        "alternatives",
        "inside",
        "hard",
        "flags",
        "note",
        "policy",
        "context",
        "reviews",
    ],
    parts: &[
        ("source", &SOURCE),
        ("cuts", &CUTS),
        ("alternatives", &PLACE),
        ("inside", &PLACE),
        ("context", &CONTEXT),
        ("reviews", &REVIEW),
    ],
    ..NO_KEYS
};

const SOURCE: MappingKeys = MappingKeys {
    whole_keys: &["bytes", "lines"],
    optional: &["extractor"],
    ..NO_KEYS
};

/// Also what was detected, whose doubt is not a whole number.
const CUTS: MappingKeys = MappingKeys {
    whole_keys: &["preamble_end", "epilogue_start"],
    ..NO_KEYS
};

const PLACE: MappingKeys = MappingKeys {
    whole_keys: &["line", "first", "last"],
    optional: &["why"],
    ..NO_KEYS
};

const CONTEXT: MappingKeys = MappingKeys {
    optional: &["preamble_end", "epilogue_start", "alternatives", "inside"],
    parts: &[
        ("preamble_end", &ANCHOR),
        ("epilogue_start", &ANCHOR),
        ("alternatives", &ANCHOR),
        ("inside", &EDGES),
    ],
    ..NO_KEYS
};

const EDGES: MappingKeys = MappingKeys {
    parts: &[("first", &ANCHOR), ("last", &ANCHOR)],
    ..NO_KEYS
};

const ANCHOR: MappingKeys = MappingKeys {
    whole_keys: &["twin", "seen"],
    optional: &["before", "after", "hash", "twin", "seen"],
    ..NO_KEYS
};

const REVIEW: MappingKeys = MappingKeys {
    whole_keys: &["seconds"],
    times: &["at"],
    optional: &["seconds", "sitting", "drawn", "blind", "source"],
    parts: &[("cuts", &CUTS), ("detected", &CUTS), ("source", &SOURCE)],
};

/// Takes back what a data frame made of a record; whether there was anything.
pub(super) fn restore(record: &mut Value) -> bool {
    restore_part(record, &RECORD)
}

/// Restores a list or mapping that should have these keys; whether anything changed.
fn restore_part(part: &mut Value, shape: &MappingKeys) -> bool {
    match part {
        Value::Sequence(items) => {
            let restored = items.iter_mut().map(|item| restore_part(item, shape));
            restored.fold(false, |any, one| any | one)
        }
        Value::Mapping(entries) => restore_entries(entries, shape),
        _ => false,
    }
}

/// Restores the entries of a mapping; whether anything changed.
fn restore_entries(entries: &mut Mapping, shape: &MappingKeys) -> bool {
    let mut any = false;
    for key in shape.optional {
        if entries.get(key).is_some_and(Value::is_null) {
            entries.remove(key);
            any = true;
        }
    }
    for key in shape.whole_keys {
        any |= entries.get_mut(key).is_some_and(make_whole);
    }
    for key in shape.times {
        if let Some(value) = entries.get_mut(key)
            && let Some(time) = value.as_f64().and_then(exact_integer).and_then(since_epoch)
        {
            *value = time.into();
            any = true;
        }
    }
    for (key, shape) in shape.parts {
        any |= entries
            .get_mut(key)
            .is_some_and(|part| restore_part(part, shape));
    }
    any
}

/// Turns numbers such as `12.0` into whole ones; whether anything changed.
fn make_whole(value: &mut Value) -> bool {
    match value {
        Value::Sequence(items) => {
            let whole = items.iter_mut().map(make_whole);
            whole.fold(false, |any, one| any | one)
        }
        Value::Number(number) if number.is_f64() => {
            let whole = number.as_f64().and_then(exact_integer);
            let whole = whole.filter(|whole| *whole >= 0);
            whole.map(|whole| *value = whole.into()).is_some()
        }
        _ => false,
    }
}

/// A number without a fraction that a float holds exactly.
fn exact_integer(number: f64) -> Option<i64> {
    let fits = number.fract() == 0.0 && number.abs() <= 2e18;
    fits.then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_have_a_point_and_nothing_after_it() {
        for (cell, expected) in [
            ("6817", Some(6817)),
            ("6817.0", Some(6817)),
            ("0.000", Some(0)),
            ("6817.", None),
            ("6817.5", None),
            ("6817.0.0", None),
            (".0", None),
            ("-1.0", None),
            ("4294967296.0", None),
            ("6e3", None),
            ("", None),
        ] {
            assert_eq!(parse_whole(cell), expected, "{cell}");
        }
    }

    #[test]
    fn times_are_told_by_the_size_of_their_number() {
        let time_of = "2026-11-21T03:22:00Z";
        for cell in [
            "1795231320",
            "1795231320000",
            "1795231320000.0",
            "1795231320000000",
            "1795231320000000000",
            time_of,
        ] {
            assert_eq!(restore_time(cell), time_of);
        }
        for cell in [
            "",
            "yesterday",
            "-5",
            "2026",
            "20261121",
            "1795231320.5",
            "99999999999999999999",
        ] {
            assert_eq!(restore_time(cell), cell);
        }
    }

    #[test]
    fn keys_of_others_are_left_as_they_are() {
        let text = "{line: 7.0, at: 5, note: \"\", x: {seconds: 1.0, first: null}, reviews: [{why: null, x: 2.0}]}";
        let mut value: Value = serde_yaml::from_str(text).unwrap();
        let before = value.clone();
        assert!(!restore(&mut value));
        assert_eq!(value, before);
    }
}
