//! The life of a client: init → cache → loaded → streaming. What happens goes in, effects come out; no browser is here.
//!
//! Time and randomness come with what happens, so the same events always have the same effects. State moves first, and
//! effects are carried out after it: whoever is called back by an effect finds a client that is already up to date.

mod goal;
mod load;
mod presence;
mod stream;
#[cfg(test)]
mod tests;

use flagservice_core::Since;

use crate::features::Features;
use crate::goals::Goals;
use crate::user::User;
use crate::variants::Variants;

pub use load::Answer;

/// When something happens, and a random number for what has to be spread over time.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Milliseconds since 1970.
    pub now: f64,
    /// From 0 to below 1.
    pub random: f64,
}

/// What a client waits for. Each has one place: beginning it again ends the wait that was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// The next load.
    Load,
    /// The end of patience with the load under way.
    LoadTimeout,
    /// The next opening of the stream, or the end of patience with a silent one.
    Stream,
    /// The end of listening in a hidden tab.
    Hidden,
    /// The next sending of goals.
    Goals,
}

impl Timer {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Load, Self::LoadTimeout, Self::Stream, Self::Hidden, Self::Goals];
}

/// What listeners are told: the events of the specification, and the end of a load for the callbacks of `updateUser`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Features were found in local storage.
    LoadedFromCache,
    /// Features were evaluated and loaded.
    Init,
    /// The older name of the same.
    Loaded,
    /// Features have another value than before; the text holds them.
    UpdatedFeature,
    /// Features could not be evaluated; the text says why.
    Error,
    /// A load has ended, well or not.
    LoadEnded,
}

/// What a client wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Tell the listeners.
    Emit(Event, String),
    /// Load, with [`Session::load_body`]. A load under way is given up.
    Load,
    /// Give up the load under way.
    AbortLoad,
    /// Open the stream, with [`Session::stream_query`]. One that is open is closed.
    OpenStream,
    /// Close the stream.
    CloseStream,
    /// Call [`Session::elapsed`] after so many milliseconds.
    Start(Timer, u32),
    /// Do not wait any longer.
    Stop(Timer),
    /// Store the features in force for the user.
    Store,
    /// Send these goals.
    SendGoals(String),
    /// Send these goals from a page that is about to be gone.
    SendLastGoals(String),
    /// Stop listening to the page.
    LeavePage,
}

/// One client.
#[derive(Debug)]
pub struct Session {
    streaming: bool,
    user: User,
    features: Features,
    /// The cache had an entry for the user, and the listeners are to be told of it.
    found_in_cache: bool,
    since: Option<(Since, String)>,
    token: String,
    load: load::Load,
    stream: stream::Stream,
    /// Failures of loads and of streams in a row; a stream that lives for a while ends the row.
    failures: u32,
    /// The client is to keep up with the service: somebody looks at the page, or did a moment ago.
    awake: bool,
    /// The page is being closed, or put away.
    left: bool,
    goals: Goals,
    closed: bool,
    effects: Vec<Effect>,
    /// So many of the oldest effects are not told to listeners any more.
    muted: usize,
}

impl Session {
    /// A client before its first user. `streaming`: it listens for updates; `visible`: the tab is seen.
    pub fn new(streaming: bool, defaults: Variants, visible: bool) -> Self {
        Self {
            streaming,
            user: User::default(),
            features: Features::new(defaults),
            found_in_cache: false,
            since: None,
            token: String::new(),
            load: load::Load::default(),
            stream: stream::Stream::Off,
            failures: 0,
            awake: visible,
            left: false,
            goals: Goals::default(),
            closed: false,
            effects: Vec::new(),
            muted: 0,
        }
    }

    /// `init` or `updateUser`: from here on, features are those of this user. `bootstrap` is what the page knows of him,
    /// and `cached` what the cache knows.
    pub fn enter(&mut self, user: User, bootstrap: Option<Variants>, cached: Option<Variants>) {
        self.found_in_cache = cached.is_some();
        if user != self.user {
            self.features.enter(bootstrap, cached);
            self.since = None;
        }
        self.user = user;
        self.forget_events();
        self.close_stream();
        self.load.announced = false;
        self.load_now();
    }

    /// The caller of `init` or `updateUser` is done, and so has had the time to listen.
    pub fn returned(&mut self) {
        if core::mem::take(&mut self.found_in_cache) {
            self.emit(Event::LoadedFromCache);
        }
    }

    /// A wait is over.
    pub fn elapsed(&mut self, moment: Moment, timer: Timer) {
        match timer {
            Timer::Load => self.load_now(),
            Timer::LoadTimeout => self.load_timed_out(moment),
            Timer::Stream => self.stream_elapsed(moment),
            Timer::Hidden => self.fall_asleep(),
            Timer::Goals => self.send_goals_again(),
        }
    }

    /// Ends everything.
    pub fn close(&mut self) {
        self.forget_events();
        self.send_last_goals();
        self.push(Effect::AbortLoad);
        self.push(Effect::CloseStream);
        for timer in Timer::ALL {
            self.push(Effect::Stop(timer));
        }
        self.push(Effect::LeavePage);
        self.closed = true;
    }

    /// The oldest effect that is still to be carried out.
    pub fn next_effect(&mut self) -> Option<Effect> {
        while !self.effects.is_empty() {
            let effect = self.effects.remove(0);
            let muted = self.muted > 0;
            self.muted = self.muted.saturating_sub(1);
            if !(muted && matches!(effect, Effect::Emit(..))) {
                return Some(effect);
            }
        }
        None
    }

    /// Whether it was closed: nothing that happens matters any more.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The features of the current user.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The current user.
    pub fn user(&self) -> &User {
        &self.user
    }

    /// What was still to be told is of no interest any more, and what was not begun yet was for the user before.
    fn forget_events(&mut self) {
        self.effects.retain(|effect| !matches!(effect, Effect::Load | Effect::OpenStream));
        self.muted = self.effects.len();
    }

    /// Tells that a load has ended well.
    fn announce(&mut self) {
        self.emit(Event::Init);
        self.emit(Event::Loaded);
        self.emit(Event::LoadEnded);
    }

    fn emit(&mut self, event: Event) {
        self.push(Effect::Emit(event, String::new()));
    }

    fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }
}
