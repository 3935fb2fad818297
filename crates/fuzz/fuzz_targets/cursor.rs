//! libFuzzer drives the target `cursor`.
#![no_main]

use flagservice_fuzz::{measure, targets};

libfuzzer_sys::fuzz_target!(|data: &[u8]| measure(targets::cursor::check, data));
