//! What happened in a history, in its order: a hash of it tells whether two runs were the same.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A process runs one history, so this is shared by all of its parts.
static TRACE: Mutex<Events> = Mutex::new(Events { hash: 0xcbf2_9ce4_8422_2325, text: String::new(), shown: false });

/// The simulated time in milliseconds since the history began.
static NOW: AtomicU64 = AtomicU64::new(0);

struct Events {
    hash: u64,
    text: String,
    shown: bool,
}

fn trace() -> MutexGuard<'static, Events> {
    TRACE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints what happens from now on.
pub fn show() {
    trace().shown = true;
}

/// The simulated time in milliseconds since the history began.
pub fn now() -> u64 {
    NOW.load(Ordering::Relaxed)
}

/// Sets the simulated time.
pub fn set_now(now: u64) {
    NOW.store(now, Ordering::Relaxed);
}

/// Adds an event.
pub fn note(event: fmt::Arguments<'_>) {
    use fmt::Write as _;
    let mut trace = trace();
    let mut text = std::mem::take(&mut trace.text);
    text.clear();
    // Writing to a string never fails.
    let _ = write!(text, "{:>8} {event}", now());
    for byte in text.bytes().chain([b'\n']) {
        trace.hash = (trace.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    if trace.shown {
        println!("{text}");
    }
    trace.text = text;
}

/// The hash of all events so far.
pub fn hash() -> u64 {
    trace().hash
}
