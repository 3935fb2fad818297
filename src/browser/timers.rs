//! The timers of one client, at most one of each kind.

use std::cell::Cell;

use js_sys::Function;
use wasm_bindgen::prelude::wasm_bindgen;

use super::shell::{CallbackSource, Shell};
use crate::session::Timer;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, ms: u32) -> f64;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(id: f64);
}

/// The longest delay that browsers accept, in milliseconds.
const MAX_DELAY_MS: u32 = i32::MAX as u32;

/// The browser's id of each timer; 0 if it was never started.
#[derive(Default)]
pub(super) struct Timers([Cell<f64>; Timer::ALL.len()]);

impl Timers {
    /// Starts a timer, or restarts it.
    pub(super) fn start(&self, shell: &Shell, timer: Timer, ms: u32) {
        self.stop(timer);
        if let Some(id) = self.0.get(timer as usize) {
            id.set(set_timeout(&shell.callback(CallbackSource::Timer as u32, timer as u32), ms.min(MAX_DELAY_MS)));
        }
    }

    /// Stops a timer.
    pub(super) fn stop(&self, timer: Timer) {
        if let Some(id) = self.0.get(timer as usize) {
            clear_timeout(id.get());
        }
    }
}
