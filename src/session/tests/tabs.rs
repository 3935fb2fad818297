//! Tabs that share one stream: whatever happens to them, each ends with the server's values and tells exactly its own changes.

use std::collections::{BTreeMap, VecDeque};

use super::thundering_herd::Random;
use super::*;

const KEYS: [&str; 3] = ["a", "b", "c"];
const HEARTBEAT_MS: f64 = 20_000.0;

/// What happens to a tab from outside.
enum TabEvent {
    Message(String),
    Granted,
    Taken,
    Opened,
    Put(u32, BTreeMap<String, String>),
    Patch(u32, BTreeMap<String, String>),
    Heartbeat,
    Loaded,
}

struct Tab {
    session: Session,
    /// Events that it has not handled yet.
    inbox: VecDeque<TabEvent>,
    timers: BTreeMap<usize, f64>,
    joined: bool,
    streams: bool,
    visible: bool,
    /// Its page does nothing, and does not know it.
    hangs: bool,
    closed: bool,
    /// What its listeners know: the features of INIT, changed by each UPDATED_FEATURE.
    told: BTreeMap<String, String>,
}

/// The tabs of one browser, and the service.
struct Browser {
    tabs: Vec<Tab>,
    /// The tab that has the lock comes first, then those that wait for it.
    lock: VecDeque<usize>,
    version: u32,
    features: BTreeMap<String, String>,
    now: f64,
    random: Random,
}

impl Browser {
    fn with_tabs(count: usize, seed: u64) -> Self {
        let features = KEYS.map(|key| (key.to_owned(), "v1".to_owned())).into();
        let mut browser =
            Self { tabs: Vec::new(), lock: VecDeque::new(), version: 1, features, now: 0.0, random: Random(seed) };
        for _ in 0..count {
            browser.open_tab();
        }
        browser
    }

    /// `with_tabs`, after everything has been handled.
    fn settled_with_tabs(count: usize) -> Self {
        let mut browser = Self::with_tabs(count, 1);
        browser.settle();
        browser
    }

    fn open_tab(&mut self) {
        let mut session = Session::new(true, true, true, Variants::default(), true);
        session.set_user(user("alice"), None, None);
        self.tabs.push(Tab {
            session,
            inbox: VecDeque::new(),
            timers: BTreeMap::new(),
            joined: false,
            streams: false,
            visible: true,
            hangs: false,
            closed: false,
            told: BTreeMap::new(),
        });
        self.run_effects(self.tabs.len() - 1);
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.random.next() * limit as f64) as usize
    }

    fn moment(&mut self) -> Moment {
        Moment { now: self.now, random: self.random.next() }
    }

    /// A feature changes at the service, which tells every open stream.
    fn change(&mut self) {
        self.version += 1;
        let key = KEYS[self.below(KEYS.len())].to_owned();
        let value = format!("v{}", self.version);
        self.features.insert(key.clone(), value.clone());
        let (version, patch) = (self.version, BTreeMap::from([(key, value)]));
        for tab in self.tabs.iter_mut().filter(|tab| tab.streams) {
            tab.inbox.push_back(TabEvent::Patch(version, patch.clone()));
        }
    }

    fn show(&mut self, number: usize, visible: bool) {
        if !self.tabs[number].closed {
            self.tabs[number].visible = visible;
            let moment = self.moment();
            self.tabs[number].session.visibility_changed(moment, visible);
            self.run_effects(number);
        }
    }

    /// The tab's process ends.
    fn kill(&mut self, number: usize) {
        let tab = &mut self.tabs[number];
        (tab.closed, tab.joined, tab.streams) = (true, false, false);
        tab.inbox.clear();
        tab.timers.clear();
        self.release(number);
    }

    fn release(&mut self, number: usize) {
        let held = self.lock.front() == Some(&number);
        self.lock.retain(|waiting| *waiting != number);
        if held && let Some(next) = self.lock.front() {
            self.tabs[*next].inbox.push_back(TabEvent::Granted);
        }
    }

    /// Handles the next event of a tab. False if there is none.
    fn step(&mut self, number: usize) -> bool {
        if self.tabs[number].hangs {
            return false;
        }
        let Some(event) = self.tabs[number].inbox.pop_front() else { return false };
        let (version, features) = (self.version, text_of(&self.features));
        let moment = self.moment();
        let session = &mut self.tabs[number].session;
        match event {
            TabEvent::Message(message) => session.tabs_message(moment, read(&message)),
            TabEvent::Granted => session.stream_granted(moment),
            TabEvent::Taken => session.stream_taken(moment),
            TabEvent::Opened | TabEvent::Heartbeat => session.stream_alive(moment),
            TabEvent::Put(version, features) => {
                session.stream_alive(moment);
                session.receive(since(version), values(&text_of(&features), None), true);
            }
            TabEvent::Patch(version, patch) => {
                session.stream_alive(moment);
                session.receive(since(version), values(&text_of(&patch), None), false);
            }
            TabEvent::Loaded => {
                let response = LoadResponse {
                    values: values(&features, None),
                    since: since(version),
                    token: "t".into(),
                    insights: false,
                };
                session.loaded(moment, session.load_number(), 200, Ok(response));
            }
        }
        self.run_effects(number);
        true
    }

    fn run_effects(&mut self, number: usize) {
        while let Some((effect, text)) = self.tabs[number].session.next_effect() {
            self.run_effect(number, effect, text);
        }
    }

    fn run_effect(&mut self, number: usize, effect: Effect, text: String) {
        let tab = &mut self.tabs[number];
        match effect {
            Effect::Load => tab.inbox.push_back(TabEvent::Loaded),
            Effect::OpenStream => {
                tab.streams = true;
                tab.inbox.push_back(TabEvent::Opened);
                if tab.session.stream_query() != format!("?token=t&since={}", since(self.version)) {
                    tab.inbox.push_back(TabEvent::Put(self.version, self.features.clone()));
                }
            }
            Effect::CloseStream => {
                tab.streams = false;
                tab.inbox.retain(|event| {
                    !matches!(event, TabEvent::Opened | TabEvent::Put(..) | TabEvent::Patch(..) | TabEvent::Heartbeat)
                });
            }
            Effect::JoinTabs(take) => self.join(number, take),
            Effect::TellTabs => {
                for (other, tab) in self.tabs.iter_mut().enumerate() {
                    if tab.joined && other != number {
                        tab.inbox.push_back(TabEvent::Message(text.clone()));
                    }
                }
            }
            Effect::LeaveTabs => self.leave(number),
            Effect::StartTimer(timer, ms) => {
                tab.timers.insert(timer as usize, self.now + f64::from(ms));
            }
            Effect::StopTimer(timer) => {
                tab.timers.remove(&(timer as usize));
            }
            Effect::Emit(Event::Init) => tab.told = current(&tab.session),
            Effect::Emit(Event::UpdatedFeature) => {
                let changed: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
                tab.told.extend(changed);
            }
            Effect::Emit(_)
            | Effect::AbortLoad
            | Effect::WriteCache
            | Effect::SendGoals
            | Effect::SendBeacon
            | Effect::RemovePageListeners => {}
        }
    }

    fn leave(&mut self, number: usize) {
        let tab = &mut self.tabs[number];
        tab.joined = false;
        tab.inbox.retain(|event| !matches!(event, TabEvent::Message(_) | TabEvent::Granted | TabEvent::Taken));
        self.release(number);
    }

    fn join(&mut self, number: usize, take: bool) {
        self.leave(number);
        self.tabs[number].joined = true;
        if take && let Some(holder) = self.lock.pop_front() {
            self.tabs[holder].inbox.retain(|event| !matches!(event, TabEvent::Granted));
            self.tabs[holder].inbox.push_back(TabEvent::Taken);
            self.lock.push_front(number);
            self.lock.push_back(holder);
        } else {
            self.lock.push_back(number);
        }
        if self.lock.front() == Some(&number) {
            self.tabs[number].inbox.push_back(TabEvent::Granted);
        }
    }

    /// Handles every event that is there, and those that follow from them.
    fn handle_all(&mut self) {
        loop {
            let handled = (0..self.tabs.len()).filter(|number| self.step(*number)).count();
            if handled == 0 {
                break;
            }
        }
    }

    /// Lets time pass: timers fire, and open streams have heartbeats.
    fn pass(&mut self, ms: f64) {
        let end = self.now + ms;
        while self.now < end {
            self.now += 1_000.0;
            for number in 0..self.tabs.len() {
                let tab = &mut self.tabs[number];
                if tab.streams && self.now % HEARTBEAT_MS == 0.0 {
                    tab.inbox.push_back(TabEvent::Heartbeat);
                }
                self.fire_timers(number);
            }
            self.handle_all();
        }
    }

    fn fire_timers(&mut self, number: usize) {
        for (index, timer) in Timer::ALL.into_iter().enumerate() {
            let tab = &self.tabs[number];
            if !tab.hangs && tab.timers.get(&index).is_some_and(|due| *due <= self.now) {
                let moment = self.moment();
                self.tabs[number].timers.remove(&index);
                self.tabs[number].session.timer_fired(moment, timer);
                self.run_effects(number);
            }
        }
    }

    /// Until no timer but those of silence and heartbeats is left.
    fn settle(&mut self) {
        self.handle_all();
        self.pass(300_000.0);
    }

    /// The numbers of the tabs that have an open stream.
    fn streaming(&self) -> Vec<usize> {
        (0..self.tabs.len()).filter(|number| self.tabs[*number].streams).collect()
    }

    fn assert_all_have_the_values(&self, context: &str) {
        for (number, tab) in self.tabs.iter().enumerate() {
            if !tab.closed && tab.visible {
                assert_eq!(current(&tab.session), self.features, "{context}: tab {number}");
                assert_eq!(tab.told, self.features, "{context}: what tab {number} told");
            }
        }
    }
}

fn text_of(features: &BTreeMap<String, String>) -> String {
    features.iter().map(|(key, value)| format!("{key}\0{value}")).collect::<Vec<_>>().join("\0")
}

fn current(session: &Session) -> BTreeMap<String, String> {
    session.features().current().iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// What the page's parser makes of a message.
fn read(message: &str) -> Option<LoadResponse> {
    let json: serde_json::Value = serde_json::from_str(message).ok()?;
    let read = |name| serde_json::from_value::<BTreeMap<String, String>>(json.get(name)?.clone()).ok();
    let text = |name| Some(json.get(name)?.as_str()?.to_owned());
    let map = |name| read(name).map(|read| map(&text_of(&read)));
    let values = Values { features: map("features")?, experiments: map("experiments") };
    Some(LoadResponse { values, since: text("since")?, token: text("token")?, insights: false })
}

#[test]
fn ten_tabs_have_one_stream_and_each_gets_every_change() {
    let mut browser = Browser::settled_with_tabs(10);
    assert_eq!(browser.streaming(), [0]);
    for _ in 0..3 {
        browser.change();
        browser.handle_all();
        browser.assert_all_have_the_values("changed");
    }
    assert_eq!(browser.streaming(), [0]);
}

#[test]
fn the_next_tab_holds_the_stream_when_the_holder_is_killed_or_leaves() {
    let mut browser = Browser::settled_with_tabs(3);
    browser.kill(0);
    browser.change();
    browser.handle_all();
    assert_eq!(browser.streaming(), [1]);
    browser.assert_all_have_the_values("killed");
    browser.tabs[1].session.page_leaving();
    browser.run_effects(1);
    browser.tabs[1].visible = false;
    browser.change();
    browser.handle_all();
    assert_eq!(browser.streaming(), [2]);
    browser.assert_all_have_the_values("left");
}

#[test]
fn a_tab_that_is_visible_again_gets_what_it_missed_from_the_holder() {
    let mut browser = Browser::settled_with_tabs(2);
    browser.show(1, false);
    browser.pass(20_000.0);
    browser.change();
    browser.handle_all();
    browser.show(1, true);
    browser.handle_all();
    browser.assert_all_have_the_values("visible again");
    browser.pass(60_000.0);
    assert_eq!(browser.streaming(), [0], "the holder has answered");
}

#[test]
fn a_holder_that_does_not_respond_loses_the_stream() {
    for (what, joins) in [("a follower notices it after 100 s", false), ("a new tab notices it after 5 s", true)] {
        let mut browser = Browser::settled_with_tabs(2);
        browser.tabs[0].hangs = true;
        if joins {
            browser.open_tab();
        }
        browser.change();
        browser.handle_all();
        browser.pass(if joins { 10_000.0 } else { 130_000.0 });
        browser.tabs[0].visible = false;
        browser.assert_all_have_the_values(what);
        (browser.tabs[0].hangs, browser.tabs[0].visible) = (false, true);
        browser.change();
        browser.settle();
        browser.assert_all_have_the_values("it responds again");
        assert_eq!(browser.streaming().len(), 1, "{what}");
    }
}

#[test]
fn a_holder_without_network_keeps_the_stream_while_it_reconnects() {
    let mut browser = Browser::settled_with_tabs(3);
    for _ in 0..3 {
        let moment = browser.moment();
        browser.tabs[0].session.stream_failed(moment);
        browser.run_effects(0);
        assert_eq!(browser.streaming(), [] as [usize; 0]);
        browser.change();
        browser.pass(10_000.0);
        assert_eq!(browser.streaming(), [0]);
        browser.assert_all_have_the_values("reconnected");
    }
}

#[test]
fn each_tab_reports_what_it_evaluates_while_the_holder_says_that_an_experiment_runs() {
    let mut browser = Browser::settled_with_tabs(2);
    for tab in &mut browser.tabs {
        tab.session.evaluated("a", "v1");
    }
    let patch = |browser: &mut Browser, experiments| {
        browser.version += 1;
        let version = since(browser.version);
        browser.tabs[0].session.receive(version, values("", Some(experiments)), false);
        browser.run_effects(0);
        browser.handle_all();
    };
    patch(&mut browser, "a");
    for tab in &mut browser.tabs {
        tab.session.page_leaving();
        let sent = std::iter::from_fn(|| tab.session.next_effect()).find(|(effect, _)| *effect == Effect::SendBeacon);
        let body = r#"{"participations":[{"feature":"a","variant":"v1","userId":"alice"}]}"#;
        assert_eq!(sent.map(|(_, body)| body).as_deref(), Some(body));
    }
    patch(&mut browser, "");
    for tab in &mut browser.tabs {
        tab.session.evaluated("b", "v1");
        assert!(!std::iter::from_fn(|| tab.session.next_effect()).any(|(effect, _)| effect == Effect::SendBeacon));
    }
}

#[test]
fn another_user_in_the_same_tab_leaves_the_stream_to_the_others() {
    let mut browser = Browser::settled_with_tabs(2);
    browser.tabs[0].session.set_user(user("bob"), None, None);
    let effects: Vec<Effect> =
        std::iter::from_fn(|| browser.tabs[0].session.next_effect()).map(|(effect, _)| effect).collect();
    assert!(effects.contains(&Effect::CloseStream) && effects.contains(&Effect::LeaveTabs), "{effects:?}");
}

/// Tabs open, hide, hang, die and return while features change, and every message takes a random time.
#[test]
fn after_any_sequence_of_events_every_visible_tab_has_the_values_of_the_server() {
    for seed in 0..200 {
        let mut browser = Browser::with_tabs(2, seed);
        for _ in 0..150 {
            let number = browser.below(browser.tabs.len());
            match browser.below(16) {
                0 | 1 => browser.change(),
                2 if browser.tabs.len() < 8 => browser.open_tab(),
                3 => browser.show(number, false),
                4 => browser.show(number, true),
                5 if browser.below(3) == 0 => browser.kill(number),
                6 => browser.tabs[number].hangs = !browser.tabs[number].hangs && browser.below(4) == 0,
                7 if browser.below(3) == 0 => browser.pass(30_000.0),
                _ => {
                    browser.step(number);
                }
            }
        }
        for tab in &mut browser.tabs {
            tab.hangs = false;
        }
        browser.settle();
        browser.assert_all_have_the_values(&format!("seed {seed}"));
        let visible = browser.tabs.iter().filter(|tab| !tab.closed && tab.visible).count();
        assert_eq!(browser.streaming().len(), visible.min(1), "seed {seed}: {:?}", browser.streaming());
    }
}
