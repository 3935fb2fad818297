//! The life of a client: init → cache → loaded → streaming. Events go in, effects come out; nothing here uses a browser.
//!
//! Each event carries the time and a random number, so the same events always have the same effects. State changes before the
//! effects are executed, so a listener that an effect calls finds an up-to-date client.

mod effect;
mod goal;
mod insights;
mod load;
mod load_response;
mod load_state;
mod moment;
mod participation;
mod presence;
mod stream;
mod stream_state;
mod tabs;
#[cfg(test)]
mod tests;
mod values;

use crate::features::Features;
use crate::goals::Goals;
use crate::participations::Participations;
use crate::user::User;
use crate::variants::Variants;
use load_state::LoadState;
use stream_state::StreamState;

pub use effect::{Effect, Event, Timer};
pub use load_response::LoadResponse;
pub use moment::Moment;
pub use values::Values;

/// The status of a request that got no response.
pub const NO_RESPONSE: u16 = 0;

/// The status of a request that got no response in 10 seconds. The shell has aborted it.
pub const TIMED_OUT: u16 = 1;

/// One client.
#[derive(Debug)]
pub struct Session {
    /// It makes requests: it is in a page and not offline.
    live: bool,
    streaming: bool,
    /// The page lets it send summaries of evaluations.
    insights: bool,
    /// A load asked for a summary, which was not sent yet.
    summary_due: bool,
    user: User,
    features: Features,
    /// The cache had an entry for the user, and LOADED_FROM_CACHE has not been emitted yet.
    cache_hit: bool,
    /// The known version, as the service sent it; empty before the first load.
    since: String,
    token: String,
    load: LoadState,
    /// The first load has ended.
    received: bool,
    stream: StreamState,
    /// This tab holds the stream that all tabs with the same user share.
    holds_stream: bool,
    /// Consecutive failures of loads and streams. A stream that stays open long enough resets them.
    failures: u32,
    /// The client stays up to date: the tab is visible, or was a moment ago.
    active: bool,
    /// The page is being closed, or goes to the back-forward cache.
    leaving: bool,
    goals: Goals,
    participations: Participations,
    closed: bool,
    effects: Vec<Effect>,
    /// The texts of the effects that have one, in the same order.
    texts: Vec<String>,
    /// How many of the oldest effects belong to the previous user: their events and requests are dropped.
    muted: usize,
}

impl Session {
    /// A client without a user yet. `live`: it makes requests; `streaming`: it opens a stream for updates; `insights`: it sends summaries
    /// of evaluations; `visible`: the tab is visible.
    pub fn new(live: bool, streaming: bool, insights: bool, defaults: Variants, visible: bool) -> Self {
        Self {
            live,
            streaming,
            insights,
            summary_due: false,
            user: User::default(),
            features: Features::new(defaults),
            cache_hit: false,
            since: String::new(),
            token: String::new(),
            load: LoadState::default(),
            received: false,
            stream: StreamState::Off,
            holds_stream: false,
            failures: 0,
            active: visible,
            leaving: false,
            goals: Goals::default(),
            participations: Participations::default(),
            closed: false,
            effects: Vec::new(),
            texts: Vec::new(),
            muted: 0,
        }
    }

    /// `init` or `updateUser`: switches to this user. `bootstrap` holds the user's features as the page knows them,
    /// `cached` as the cache has them.
    pub fn set_user(&mut self, user: User, bootstrap: Option<Variants>, cached: Option<Variants>) {
        self.cache_hit = cached.is_some();
        if user != self.user {
            self.send_summary();
            self.features.reset(bootstrap, cached);
            self.participations.evaluated = Variants::default();
            self.since = String::new();
        }
        self.user = user;
        self.discard_pending_events();
        self.leave_tabs();
        self.load.announced = false;
        if self.live {
            self.load_now();
        }
    }

    /// The caller of `init` or `updateUser` has finished and has had time to add listeners.
    pub fn caller_settled(&mut self) {
        if core::mem::take(&mut self.cache_hit) {
            self.emit(Event::LoadedFromCache);
        }
        if !self.live {
            self.emit_loaded();
        }
    }

    /// A timer has fired.
    pub fn timer_fired(&mut self, moment: Moment, timer: Timer) {
        match timer {
            Timer::Load => self.load_now(),
            Timer::Stream => self.stream_timer_fired(moment),
            Timer::Hidden => self.suspend(),
            Timer::Goals => self.retry_goals(),
        }
    }

    /// Closes the stream, aborts the load, stops timers and removes the page's listeners.
    pub fn close(&mut self) {
        self.discard_pending_events();
        self.send_final_goals();
        self.push(Effect::AbortLoad);
        self.leave_tabs();
        for timer in Timer::ALL {
            self.push(Effect::StopTimer(timer));
        }
        self.push(Effect::RemovePageListeners);
        self.closed = true;
    }

    /// The next effect to execute, with its text.
    pub fn next_effect(&mut self) -> Option<(Effect, String)> {
        while !self.effects.is_empty() {
            let effect = self.effects.remove(0);
            let text = if effect.has_text() { self.texts.remove(0) } else { String::new() };
            let muted = self.muted > 0;
            self.muted = self.muted.saturating_sub(1);
            if !(muted && effect.is_for_user()) {
                self.received |= matches!(effect, Effect::Emit(Event::Init | Event::Error));
                return Some((effect, text));
            }
        }
        None
    }

    /// Whether the client is closed and ignores all events.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The features of the current user.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// Whether the first load has ended, in whatever way.
    pub fn has_received(&self) -> bool {
        self.received
    }

    /// The known version, as the service sent it; empty before the first load.
    pub fn since(&self) -> &str {
        &self.since
    }

    /// The current user.
    pub fn user(&self) -> &User {
        &self.user
    }

    /// Drops the events and requests of the previous user that are still queued.
    fn discard_pending_events(&mut self) {
        self.muted = self.effects.len();
    }

    /// Emits the events of a successful load.
    fn emit_loaded(&mut self) {
        self.emit(Event::Init);
        self.emit(Event::Loaded);
        self.emit(Event::LoadEnded);
    }

    fn emit(&mut self, event: Event) {
        self.push(Effect::Emit(event));
    }

    fn push_text(&mut self, effect: Effect, text: String) {
        self.texts.push(text);
        self.push(effect);
    }

    fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }
}
