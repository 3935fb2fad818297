//! libFuzzer drives the target `forwarded`.
#![no_main]

use flagservice_fuzz::{measure, targets};

libfuzzer_sys::fuzz_target!(|data: &[u8]| measure(targets::forwarded::check, data));
