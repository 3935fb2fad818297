//! The waits of one client, one place for each.

use std::cell::Cell;

use js_sys::Function;
use wasm_bindgen::prelude::wasm_bindgen;

use super::shell::{Shell, Source};
use crate::session::Timer;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(elapsed: &Function, ms: u32) -> f64;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(id: f64);
}

/// The longest wait that a browser knows, in milliseconds.
const LONGEST_MS: u32 = i32::MAX as u32;

/// The waits that a client has begun, by the numbers that the page gives them; 0 is none.
#[derive(Default)]
pub(super) struct Timers([Cell<f64>; Timer::ALL.len()]);

impl Timers {
    /// Waits; an earlier wait for the same is over.
    pub(super) fn start(&self, shell: &Shell, timer: Timer, ms: u32) {
        self.stop(timer);
        if let Some(id) = self.0.get(timer as usize) {
            id.set(set_timeout(&shell.ear(Source::Timer as u32, timer as u32), ms.min(LONGEST_MS)));
        }
    }

    /// Waits no longer.
    pub(super) fn stop(&self, timer: Timer) {
        if let Some(id) = self.0.get(timer as usize) {
            clear_timeout(id.get());
        }
    }
}
