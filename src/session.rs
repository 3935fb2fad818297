//! The life of a client: init → cache → loaded → streaming. Inputs go in, effects come out; nothing here knows a browser.
//!
//! Time and randomness come with each input, so the same inputs always have the same effects. State moves first, and
//! effects are carried out after it: whoever is called back by an effect finds a client that is already up to date.

mod goal;
mod load;
mod presence;
mod stream;
#[cfg(test)]
mod tests;

use flagservice_core::Since;

use crate::cache;
use crate::features::{Changes, Features};
use crate::goals::{Delivery, Goals};
use crate::user::User;
use crate::variants::Variants;

/// What a client may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Load, listen for updates, store.
    Live,
    /// Load and store, without listening for updates.
    WithoutStreaming,
    /// Answer from what the page gave: testing (`offline`), or no browser to work in.
    Still,
}

/// When something happened, and a random number from 0 to below 1 for what has to be spread over time.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Milliseconds since 1970.
    pub now: f64,
    /// From 0 to below 1.
    pub random: f64,
}

/// What a client waits for. Each has one place: starting it again puts it off.
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

/// The service's answer to a load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The user's values.
    pub features: Variants,
    /// The point up to which they are known, as text to send back.
    pub since: String,
    /// What opens the stream.
    pub token: String,
}

/// Why there is no answer to a load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// In plain words, for the ERROR event.
    pub message: String,
    /// Whether another attempt can end otherwise.
    pub passing: bool,
}

/// What the stream says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It is open.
    Open,
    /// It could not be opened, or has ended.
    Failed,
    /// The full map.
    Put(String, Variants),
    /// Changes of some features.
    Patch(String, Changes),
    /// Load again, some time soon.
    Changed,
    /// It lives.
    Beat,
    /// Load again, not before so many milliseconds.
    Reload(u32),
}

/// What happens to a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The moment after `init` or `updateUser` has returned.
    Returned,
    /// `updateUser`, with what the cache knows of the new user.
    User(User, Option<Variants>),
    /// The end of a load.
    Loaded(u32, Result<Answer, LoadError>),
    /// Something from the stream.
    Stream(Heard),
    /// A wait is over.
    Elapsed(Timer),
    /// The tab is no longer seen.
    Hidden,
    /// The tab is seen again, also when it comes back from the browser's back-forward cache.
    Visible,
    /// The page is being closed or put away.
    Leaving,
    /// The network is back.
    Online,
    /// A goal was reached; the bytes are random.
    Goal(String, [u8; 16]),
    /// The end of a request with goals.
    GoalsEnded(Delivery),
    /// `close`.
    Close,
}

/// An event of the specification, or the end of a load, for the callbacks of `updateUser`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Features were found in local storage.
    LoadedFromCache,
    /// Features were evaluated and loaded.
    Init,
    /// The older name of the same.
    Loaded,
    /// These features have another value than before.
    UpdatedFeature(Variants),
    /// Features could not be evaluated; the message says why.
    Error(String),
    /// A load has ended, well or not.
    LoadEnded,
}

/// What a client wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Tell the listeners, unless the user has changed since; the number is the user's.
    Emit(u32, Event),
    /// Give back [`Input::Returned`] as soon as the caller is done.
    AfterReturn,
    /// Load, with this number and body. A load under way is given up.
    Load(u32, String),
    /// Give up the load under way.
    AbortLoad,
    /// Open the stream with this token and point. One that is open is closed.
    OpenStream(String, String),
    /// Close the stream.
    CloseStream,
    /// Give back [`Input::Elapsed`] after so many milliseconds.
    Start(Timer, u32),
    /// Do not wait any longer.
    Stop(Timer),
    /// Store this cache entry for the user.
    Store(String),
    /// Send goals.
    SendGoals(String),
    /// Send goals from a page that is about to be gone.
    SendLastGoals(String),
    /// Stop listening to the page.
    LeavePage,
}

/// One client.
#[derive(Debug)]
pub struct Session {
    mode: Mode,
    user: User,
    /// Raised with each user, so that what was meant for an earlier one is known.
    user_number: u32,
    features: Features,
    /// The cache had an entry for the user, and the listeners are to be told of it.
    found_in_cache: bool,
    since: Option<(Since, String)>,
    token: String,
    load: load::Load,
    stream: stream::Stream,
    /// Failures of loads and of streams in a row; a stream that lives for a while ends the row.
    failures: u32,
    presence: presence::Presence,
    goals: Goals,
    received_initial_response: bool,
    closed: bool,
    effects: Vec<Effect>,
}

impl Session {
    /// A client as `init` makes it. `visible`: the tab is seen.
    pub fn new(mode: Mode, user: User, features: Features, visible: bool) -> Self {
        let mut session = Self {
            mode,
            user,
            user_number: 0,
            found_in_cache: features.has_cached(),
            features,
            since: None,
            token: String::new(),
            load: load::Load::default(),
            stream: stream::Stream::Off,
            failures: 0,
            presence: presence::Presence::new(visible),
            goals: Goals::default(),
            received_initial_response: false,
            closed: false,
            effects: Vec::new(),
        };
        session.begin();
        session
    }

    /// Takes what happened. What is to be done then waits in [`Self::next_effect`].
    pub fn handle(&mut self, moment: Moment, input: Input) {
        if self.closed {
            return;
        }
        match input {
            Input::Returned => self.returned(),
            Input::User(user, cached) => self.change_user(user, cached),
            Input::Loaded(number, result) => self.loaded(moment, number, result),
            Input::Stream(heard) => self.heard(moment, heard),
            Input::Elapsed(timer) => self.elapsed(moment, timer),
            Input::Hidden => self.hidden(),
            Input::Visible => self.visible(moment),
            Input::Leaving => self.leaving(),
            Input::Online => self.online(moment),
            Input::Goal(key, id) => self.goal(&key, id),
            Input::GoalsEnded(delivery) => self.goals_ended(moment, delivery),
            Input::Close => self.close(),
        }
    }

    /// The oldest effect that is still to be carried out.
    pub fn next_effect(&mut self) -> Option<Effect> {
        while !self.effects.is_empty() {
            let effect = self.effects.remove(0);
            if let Effect::Emit(user_number, _) = &effect
                && (self.closed || *user_number != self.user_number)
            {
                continue;
            }
            return Some(effect);
        }
        None
    }

    /// The features of the current user.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The current user.
    pub fn user(&self) -> &User {
        &self.user
    }

    /// Whether the first request has ended, in whatever way.
    pub fn has_received_initial_response(&self) -> bool {
        self.received_initial_response
    }

    /// The first steps for a user: say what the cache knows, and ask the service.
    fn begin(&mut self) {
        self.push(Effect::AfterReturn);
        match self.mode {
            Mode::Live | Mode::WithoutStreaming => self.load_now(),
            Mode::Still => {}
        }
    }

    fn returned(&mut self) {
        match self.mode {
            Mode::Live | Mode::WithoutStreaming => {
                if self.found_in_cache {
                    self.emit(Event::LoadedFromCache);
                }
            }
            Mode::Still => {
                self.received_initial_response = true;
                self.emit_all([Event::Init, Event::Loaded, Event::LoadEnded]);
            }
        }
    }

    fn change_user(&mut self, user: User, cached: Option<Variants>) {
        self.user_number += 1;
        self.found_in_cache = cached.is_some();
        if user != self.user {
            self.features.change_user(cached);
            self.since = None;
        }
        self.user = user;
        self.close_stream();
        self.load.begin_anew();
        self.begin();
    }

    fn elapsed(&mut self, moment: Moment, timer: Timer) {
        match timer {
            Timer::Load => self.load_now(),
            Timer::LoadTimeout => self.load_timed_out(moment),
            Timer::Stream => self.stream_elapsed(moment),
            Timer::Hidden => self.fall_asleep(),
            Timer::Goals => self.send_goals_again(),
        }
    }

    fn close(&mut self) {
        self.push_last_goals();
        self.push(Effect::AbortLoad);
        self.push(Effect::CloseStream);
        for timer in Timer::ALL {
            self.push(Effect::Stop(timer));
        }
        self.push(Effect::LeavePage);
        self.closed = true;
    }

    fn store(&mut self, moment: Moment) {
        let entry = cache::entry(moment.now, self.features.in_force());
        self.push(Effect::Store(entry));
    }

    fn emit(&mut self, event: Event) {
        self.push(Effect::Emit(self.user_number, event));
    }

    fn emit_all<const N: usize>(&mut self, events: [Event; N]) {
        for event in events {
            self.emit(event);
        }
    }

    fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }
}
