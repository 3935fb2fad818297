//! The life of a client: events in, effects out.

mod goals;
mod insights;
mod loading;
mod participations;
mod presence;
mod streaming;
mod tabs;
mod thundering_herd;

use super::{Effect, Event, LoadResponse, Moment, NO_RESPONSE, Session, TIMED_OUT, Timer, Values};
use crate::user::User;
use crate::variants::Variants;

const EPOCH: &str = "00000000000000aa";

/// A client with a clock that only the test moves. Every jitter is half of its maximum. No other tab has its user, so it always holds
/// the stream that it asks for.
struct Page {
    session: Session,
    now: f64,
}

impl Page {
    fn with_streaming(streaming: bool) -> Self {
        let mut session = Session::new(true, streaming, true, map("known\0default"), true);
        session.set_user(user("alice"), None, None);
        Self { session, now: 0.0 }
    }

    fn new() -> Self {
        Self::with_streaming(true)
    }

    /// A client whose stream is open.
    fn with_open_stream() -> Self {
        let mut page = Self::new();
        page.respond(1, "a\0on\0b\0on");
        page.effects();
        page.session.stream_alive(page.moment());
        page.effects();
        page
    }

    fn moment(&self) -> Moment {
        Moment { now: self.now, random: 0.5 }
    }

    fn advance(&mut self, ms: f64) -> Moment {
        self.now += ms;
        self.moment()
    }

    fn respond(&mut self, version: u32, features: &str) {
        self.respond_with(version, values(features, None));
    }

    fn respond_with(&mut self, version: u32, values: Values) {
        let response =
            LoadResponse { values, since: since(version), token: format!("token-{version}"), insights: false };
        self.session.loaded(self.moment(), self.session.load_number(), 200, Ok(response));
    }

    fn fail(&mut self, status: u16) {
        self.session.loaded(self.moment(), self.session.load_number(), status, Err("Because.".into()));
    }

    fn fire_after(&mut self, timer: Timer, ms: f64) {
        let moment = self.advance(ms);
        self.session.timer_fired(moment, timer);
    }

    /// All effects, each with its text, without those that are only for other tabs.
    fn run(&mut self) -> Vec<(Effect, String)> {
        let mut effects = Vec::new();
        while let Some((effect, text)) = self.session.next_effect() {
            if matches!(effect, Effect::JoinTabs(_)) {
                self.session.stream_granted(self.moment());
            } else if !matches!(effect, Effect::TellTabs | Effect::LeaveTabs) {
                effects.push((effect, text));
            }
        }
        effects
    }

    fn effects(&mut self) -> Vec<Effect> {
        self.run().into_iter().map(|(effect, _)| effect).collect()
    }

    fn events(&mut self) -> Vec<(Event, String)> {
        let event = |(effect, text)| if let Effect::Emit(event) = effect { Some((event, text)) } else { None };
        self.run().into_iter().filter_map(event).collect()
    }

    /// The delay with which a timer was last started, in milliseconds.
    fn delay(&mut self, timer: Timer) -> Option<u32> {
        let delay =
            |effect| if let Effect::StartTimer(started, ms) = effect { (started == timer).then_some(ms) } else { None };
        self.effects().into_iter().filter_map(delay).next_back()
    }

    fn current_features(&self) -> String {
        self.session.features().current().iter().flat_map(|(key, variant)| [key, "\0", variant, "\0"]).collect()
    }
}

fn user(id: &str) -> User {
    User::new(id.to_owned(), String::new())
}

fn map(text: &str) -> Variants {
    Variants::parse(text)
}

/// Values with the features for which an experiment runs, separated by spaces.
fn values(features: &str, experiments: Option<&str>) -> Values {
    let list = |keys: &str| {
        let mut list = Variants::default();
        for (index, key) in keys.split_whitespace().enumerate() {
            list.set(&index.to_string(), key);
        }
        list
    };
    Values { features: map(features), experiments: experiments.map(list) }
}

fn since(version: u32) -> String {
    format!("{EPOCH}.{version}.1")
}

const LOADED: [Event; 3] = [Event::Init, Event::Loaded, Event::LoadEnded];

fn names(events: Vec<(Event, String)>) -> Vec<Event> {
    events.into_iter().map(|(event, _)| event).collect()
}

#[test]
fn close_ends_the_stream_timers_request_and_listeners() {
    let mut page = Page::new();
    page.respond(1, "a\0on");
    page.session.close();
    let effects = page.effects();
    for end in [Effect::CloseStream, Effect::AbortLoad, Effect::RemovePageListeners] {
        assert!(effects.contains(&end), "{end:?}");
    }
    for timer in Timer::ALL {
        assert!(effects.iter().rposition(|effect| *effect == Effect::StopTimer(timer)).is_some(), "{timer:?}");
    }
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Emit(..))), "no more events");
    assert!(page.session.is_closed());
}
