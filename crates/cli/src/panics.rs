//! Panics are defects of Aster; they become `UNKNOWN(internal error)` and not a trace on the terminal.

use crate::output;
use std::backtrace::Backtrace;
use std::sync::Mutex;

static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Keeps the message of the next panics instead of printing it; with `verbose` a backtrace is printed.
pub fn capture(verbose: bool) {
    std::panic::set_hook(Box::new(move |info| {
        let payload = info.payload();
        let message = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "unknown panic".to_owned());
        let place =
            info.location().map_or_else(String::new, |place| format!(" ({}:{})", place.file(), place.line()));
        let message = format!("{message}{place}");
        if verbose {
            output::note(&format!("panic: {message}\n{}\n", Backtrace::force_capture()));
        }
        // The first panic is the cause; others follow from it.
        if let Ok(mut last) = LAST.lock() {
            last.get_or_insert(message);
        }
    }));
}

/// The message of the first panic.
pub fn message() -> String {
    let last = LAST.lock().ok().and_then(|mut last| last.take());
    last.unwrap_or_else(|| "unknown panic".to_owned())
}
