//! libFuzzer drives the target `request`.
#![no_main]

use flagservice_fuzz::{measure, start_service, targets};

libfuzzer_sys::fuzz_target!(init: start_service(), |data: &[u8]| measure(targets::request::check, data));
