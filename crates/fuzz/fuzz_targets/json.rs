//! libFuzzer drives the target `json`.
#![no_main]

use flagservice_fuzz::{measure, targets};

libfuzzer_sys::fuzz_target!(|data: &[u8]| measure(targets::json::check, data));
