//! Durations and sizes as people write them.

use std::time::Duration;

/// A quantity that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// Not a duration.
    #[error("`{0}` is not a duration; write for example 60s, 1500ms, 5min or 2h")]
    Duration(String),
    /// Not a size.
    #[error("`{0}` is not a size; write for example 4GB, 512MiB or 900MB")]
    Size(String),
}

/// Reads a duration such as `60s`, `1500ms`, `5min` or `2h`; a plain number counts seconds.
pub fn parse_duration(text: &str) -> Result<Duration, UnitError> {
    let error = || UnitError::Duration(text.to_owned());
    let (number, unit) = split(text).ok_or_else(error)?;
    let seconds = match unit.as_str() {
        "ms" => number / 1000.0,
        "" | "s" | "sec" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(error()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| error())
}

/// Reads a size such as `4GB` (powers of 1000) or `512MiB` (powers of 1024) as a number of bytes. Only
/// zero may stand without a unit, since nobody means bytes.
pub fn parse_size(text: &str) -> Result<u64, UnitError> {
    let error = || UnitError::Size(text.to_owned());
    let (number, unit) = split(text).ok_or_else(error)?;
    let factor: f64 = match unit.as_str() {
        "" if number == 0.0 => 1.0,
        "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err(error()),
    };
    let bytes = number * factor;
    if bytes < 9e18 { Ok(bytes as u64) } else { Err(error()) }
}

/// Splits a nonnegative decimal number from the unit that follows it; the unit in lower case.
fn split(text: &str) -> Option<(f64, String)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].parse().ok()?;
    Some((number, text[end..].trim().to_ascii_lowercase()))
}

/// A duration for people: `0.42 s`, `12.3 s`, `5 min 03 s`, `2 h 05 min`.
pub fn show_duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 9.995 {
        format!("{seconds:.2} s")
    } else if seconds < 99.95 {
        format!("{seconds:.1} s")
    } else {
        let whole = seconds.round() as u64;
        if whole < 3600 {
            format!("{} min {:02} s", whole / 60, whole % 60)
        } else {
            format!("{} h {:02} min", whole / 3600, whole / 60 % 60)
        }
    }
}

/// A size for people, in powers of 1000: `812 B`, `4.0 GB`.
pub fn show_size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1000.0;
    let mut unit = 0;
    while value >= 999.95 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// A count with its digits in groups of three: `1,234,567`.
pub fn show_count(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read() {
        for (text, milliseconds) in [
            ("60s", 60_000),
            ("60", 60_000),
            ("1500ms", 1500),
            ("5min", 300_000),
            ("0.5h", 1_800_000),
            (" 2 s ", 2000),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "-1s", "1x", "1.2.3s", "1e99h", "99999999999999999999h", "∞"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_read() {
        for (text, bytes) in [
            ("4GB", 4_000_000_000),
            ("512MiB", 512 << 20),
            ("1.5kb", 1500),
            ("2 g", 2_000_000_000),
            ("0", 0),
            ("7B", 7),
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "4", "GB", "-4GB", "4GG", "99999999TB"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn quantities_are_shown() {
        assert_eq!(show_duration(Duration::from_millis(420)), "0.42 s");
        assert_eq!(show_duration(Duration::from_millis(12_340)), "12.3 s");
        assert_eq!(show_duration(Duration::from_secs(303)), "5 min 03 s");
        assert_eq!(show_duration(Duration::from_secs(7500)), "2 h 05 min");
        assert_eq!(show_size(812), "812 B");
        assert_eq!(show_size(4_000_000_000), "4.0 GB");
        assert_eq!(show_size(999_999), "1.0 MB");
        assert_eq!(show_count(7), "7");
        assert_eq!(show_count(1_234_567), "1,234,567");
        assert_eq!(show_count(123_456), "123,456");
    }
}
