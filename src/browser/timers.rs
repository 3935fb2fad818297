//! The waits of one client, one place for each.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;

use super::runtime::Runtime;
use crate::session::Timer;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(elapsed: &Closure<dyn FnMut(usize)>, ms: u32, place: usize) -> i32;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(id: i32);
}

/// The longest wait that a browser knows, in milliseconds.
const LONGEST_MS: u32 = i32::MAX as u32;

/// The waits that a client has begun.
#[derive(Default)]
pub(super) struct Timers {
    ids: [Cell<i32>; Timer::ALL.len()],
    elapsed: OnceCell<Closure<dyn FnMut(usize)>>,
}

impl Timers {
    /// Waits; an earlier wait for the same is over.
    pub(super) fn start(&self, runtime: &Rc<Runtime>, timer: Timer, ms: u32) {
        self.stop(timer);
        let elapsed = self.elapsed.get_or_init(|| {
            let runtime = Rc::clone(runtime);
            Closure::new(move |place| {
                if let Some(timer) = Timer::ALL.get(place) {
                    runtime.happened(&mut |session, moment| session.elapsed(moment, *timer));
                }
            })
        });
        if let Some(id) = self.ids.get(timer as usize) {
            id.set(set_timeout(elapsed, ms.min(LONGEST_MS), timer as usize));
        }
    }

    /// Waits no longer.
    pub(super) fn stop(&self, timer: Timer) {
        if let Some(id) = self.ids.get(timer as usize) {
            clear_timeout(id.get());
        }
    }
}
