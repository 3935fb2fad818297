//! libFuzzer drives the target `stream-token`.
#![no_main]

use flagservice_fuzz::{measure, targets};

libfuzzer_sys::fuzz_target!(|data: &[u8]| measure(targets::stream_token::check, data));
