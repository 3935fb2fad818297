//! The life of a client, told by what happens to it and what it then wants done.

mod crowd;
mod goals;
mod loading;
mod presence;
mod streaming;

use super::{Answer, Effect, Event, Moment, Session, Timer};
use crate::user::User;
use crate::variants::Variants;

const EPOCH: &str = "00000000000000aa";

/// A client and its clock, which only the test moves. The jitter is half of what it may be.
struct Page {
    session: Session,
    now: f64,
}

impl Page {
    fn of(streaming: bool) -> Self {
        let mut session = Session::new(streaming, map("known\0default"), true);
        session.enter(user("alice"), None, None);
        Self { session, now: 0.0 }
    }

    fn live() -> Self {
        Self::of(true)
    }

    /// A client whose stream is open.
    fn streaming() -> Self {
        let mut page = Self::live();
        page.answer(1, "a\0on\0b\0on");
        page.session.stream_lives(page.moment());
        page.effects();
        page
    }

    fn moment(&self) -> Moment {
        Moment { now: self.now, random: 0.5 }
    }

    fn after(&mut self, ms: f64) -> Moment {
        self.now += ms;
        self.moment()
    }

    fn answer(&mut self, version: u32, features: &str) {
        let answer = Answer { features: map(features), since: since(version), token: format!("token-{version}") };
        self.session.loaded(self.moment(), self.session.load_number(), 200, Ok(answer));
    }

    fn fail(&mut self, status: u16) {
        self.session.loaded(self.moment(), self.session.load_number(), status, Err("Because.".into()));
    }

    fn elapse(&mut self, timer: Timer, ms: f64) {
        let moment = self.after(ms);
        self.session.elapsed(moment, timer);
    }

    fn effects(&mut self) -> Vec<Effect> {
        std::iter::from_fn(|| self.session.next_effect()).collect()
    }

    fn events(&mut self) -> Vec<(Event, String)> {
        let event = |effect| if let Effect::Emit(event, text) = effect { Some((event, text)) } else { None };
        self.effects().into_iter().filter_map(event).collect()
    }

    /// The wait that has begun for a timer, in milliseconds.
    fn wait(&mut self, timer: Timer) -> Option<u32> {
        let wait = |effect| if let Effect::Start(begun, ms) = effect { (begun == timer).then_some(ms) } else { None };
        self.effects().into_iter().filter_map(wait).next_back()
    }

    fn in_force(&self) -> String {
        self.session.features().in_force().flat()
    }
}

fn user(id: &str) -> User {
    User::new(id.to_owned(), None)
}

fn map(flat: &str) -> Variants {
    Variants::parse(flat)
}

fn since(version: u32) -> String {
    format!("{EPOCH}.{version}.1")
}

const LOADED: [Event; 3] = [Event::Init, Event::Loaded, Event::LoadEnded];

fn names(events: Vec<(Event, String)>) -> Vec<Event> {
    events.into_iter().map(|(event, _)| event).collect()
}

#[test]
fn close_ends_stream_timers_request_and_listeners() {
    let mut page = Page::live();
    page.answer(1, "a\0on");
    page.session.close();
    let effects = page.effects();
    for end in [Effect::CloseStream, Effect::AbortLoad, Effect::LeavePage] {
        assert!(effects.contains(&end), "{end:?}");
    }
    for timer in Timer::ALL {
        assert!(effects.iter().rposition(|effect| *effect == Effect::Stop(timer)).is_some(), "{timer:?}");
    }
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Emit(..))), "no event fires any more");
    assert!(page.session.is_closed());
}
