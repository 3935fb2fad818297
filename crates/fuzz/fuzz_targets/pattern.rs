//! libFuzzer drives the target `pattern`.
#![no_main]

use flagservice_fuzz::{measure, targets};

libfuzzer_sys::fuzz_target!(|data: &[u8]| measure(targets::pattern::check, data));
