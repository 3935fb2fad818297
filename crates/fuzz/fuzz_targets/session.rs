//! libFuzzer drives the target `session`.
#![no_main]

use flagservice_fuzz::{measure, targets};

libfuzzer_sys::fuzz_target!(|data: &[u8]| measure(targets::session::check, data));
