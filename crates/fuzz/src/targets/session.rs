//! The browser client's session: the input is a history of what a browser can report, with payloads of streams and other tabs.
//!
//! - Within an epoch the known version never becomes lower.
//! - After all values are received, exactly these are the current ones; a patch changes exactly the features that it names.
//! - UPDATED_FEATURE names each feature whose value has changed, with the value that the client then serves.
//! - The bodies of requests and the messages to other tabs are JSON, and a request with goals has at most [`MAX_REQUEST`] bytes.
//! - Each report causes at most [`MAX_EFFECTS`] effects.

use std::collections::BTreeMap;

use arbitrary::{Result, Unstructured};
use flagservice_client::session::{Effect, Event, LoadResponse, Moment, Session, Timer, Values};
use flagservice_client::user::User;
use flagservice_client::variants::Variants;
use flagservice_core::wire::Since;
use serde_json::Value;

const MAX_EFFECTS: usize = 40;
const MAX_REQUEST: usize = 60_000;
const KEYS: [&str; 6] = ["a", "b", "known", "é\"\\", "\n", "__proto__"];
const VARIANTS: [&str; 4] = ["on", "off", "red", "\u{1}\u{2028}\""];
const DEFAULT: (&str, &str) = ("known", "default");
const STATUSES: [u16; 8] = [0, 200, 204, 301, 400, 408, 429, 503];
const MAX_REPORTS: usize = 64;

/// Panics if an invariant does not hold.
pub fn check(data: &[u8]) {
    let mut page = Page::new();
    let mut input = Unstructured::new(data);
    for _ in 0..MAX_REPORTS {
        if input.is_empty() || page.report(&mut input).is_err() {
            break;
        }
    }
    page.session.close();
    while let Some((effect, _)) = page.session.next_effect() {
        assert!(!matches!(effect, Effect::Emit(_)), "{effect:?} after the client is closed");
    }
}

/// A client whose browser does what the input says.
struct Page {
    session: Session,
    now: f64,
}

impl Page {
    fn new() -> Self {
        let mut defaults = Variants::default();
        defaults.set(DEFAULT.0, DEFAULT.1);
        Self { session: Session::new(true, true, true, defaults, true), now: 0.0 }
    }

    /// One thing that a browser reports.
    fn report(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        self.now += f64::from(input.arbitrary::<u16>()?);
        let moment = Moment { now: self.now, random: f64::from(input.arbitrary::<u8>()?) / 256.0 };
        match input.int_in_range(0..=13)? {
            0 => {
                let user = User::new((*input.choose(&KEYS)?).to_owned(), String::new());
                let [bootstrap, cached] = [optional(input)?, optional(input)?];
                self.session.set_user(user, bootstrap, cached);
            }
            1 => self.loaded(moment, input)?,
            2 => self.receive(input)?,
            3 => self.session.stream_alive(moment),
            4 => self.session.stream_changed(moment),
            5 => self.session.stream_reload(moment, input.arbitrary()?),
            6 => self.session.stream_failed(moment),
            7 => self.session.timer_fired(moment, *input.choose(&Timer::ALL)?),
            8 => {
                let values = if input.arbitrary()? { Some(response(input)?) } else { None };
                self.session.tabs_message(moment, values);
            }
            9 if input.arbitrary()? => self.session.stream_granted(moment),
            9 => self.session.stream_taken(moment),
            10 => self.session.goal(input.choose(&KEYS)?, "0123456789abcdef0123456789abcdef"),
            11 => self.session.goals_request_finished(moment, *input.choose(&STATUSES)?),
            12 if input.arbitrary()? => self.session.page_leaving(),
            12 => self.session.online(moment),
            _ => self.session.visibility_changed(moment, input.arbitrary()?),
        }
        self.run();
        Ok(())
    }

    fn loaded(&mut self, moment: Moment, input: &mut Unstructured<'_>) -> Result<()> {
        let number = self.session.load_number();
        let result = if input.arbitrary()? { Ok(response(input)?) } else { Err("Because.".to_owned()) };
        self.session.loaded(moment, number, *input.choose(&STATUSES)?, result);
        Ok(())
    }

    /// A `put` or `patch` of the stream.
    fn receive(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        self.run();
        let (known, before) = (self.since(), values(&self.session));
        // A stream is open only after a load.
        if known.is_empty() {
            return Ok(());
        }
        let (version, all) = (version(input)?, input.arbitrary::<bool>()?);
        let received = Values { features: variants(input, !all)?, experiments: None };
        let sent: BTreeMap<_, _> =
            received.features.iter().map(|(key, variant)| (key.to_owned(), variant.to_owned())).collect();
        let current: Vec<_> = self.session.features().current().iter().map(|(key, _)| key.to_owned()).collect();
        let accepted = self.session.receive(version.clone(), received, all) && self.since() == version;
        if let (Some(known), Some(now)) = (Since::parse(&known), Since::parse(&self.since())) {
            assert!(now.may_replace(&known), "{known} became {now}");
        }
        if !accepted {
            return Ok(());
        }
        for (key, variant) in &sent {
            let expected = match variant.as_str() {
                "" if current.contains(key) => default(key),
                "" => before.get(key).map_or("off", String::as_str),
                variant => variant,
            };
            assert_eq!(self.session.features().value(key), expected, "{key} after {sent:?} at {version}");
        }
        if !all {
            let untouched = before.iter().filter(|(key, _)| !sent.contains_key(*key));
            untouched.for_each(|(key, value)| assert_eq!(self.session.features().value(key), value, "{key}"));
        }
        self.check_update(&before);
        Ok(())
    }

    /// The changed features are those that UPDATED_FEATURE names.
    fn check_update(&mut self, before: &BTreeMap<String, String>) {
        let mut told = BTreeMap::new();
        for (effect, text) in self.run() {
            if effect == Effect::Emit(Event::UpdatedFeature) {
                told.extend(serde_json::from_str::<BTreeMap<String, String>>(&text).unwrap_or_default());
            }
        }
        for (key, value) in &told {
            assert_eq!(self.session.features().value(key), value, "{key} as UPDATED_FEATURE says");
        }
        let after = values(&self.session);
        for key in before.keys().chain(after.keys()) {
            let (was, is) = (before.get(key).map_or("off", String::as_str), self.session.features().value(key));
            assert!(
                was == is || told.contains_key(key),
                "{key} changed from {was} to {is}, and nobody was told: {told:?}"
            );
        }
    }

    /// Takes all effects, and checks their texts.
    fn run(&mut self) -> Vec<(Effect, String)> {
        let effects: Vec<_> = std::iter::from_fn(|| self.session.next_effect()).take(MAX_EFFECTS + 1).collect();
        assert!(effects.len() <= MAX_EFFECTS, "{effects:?}");
        for (effect, text) in &effects {
            let is_request = matches!(effect, Effect::SendGoals | Effect::SendBeacon);
            let is_message = *effect == Effect::TellTabs && !text.is_empty();
            if is_request || is_message || *effect == Effect::Emit(Event::UpdatedFeature) {
                assert!(serde_json::from_str::<Value>(text).is_ok(), "{effect:?}: {text}");
            }
            assert!(!is_request || text.len() <= MAX_REQUEST, "{} bytes: {text}", text.len());
            if *effect == Effect::Load {
                let body = self.session.load_body();
                assert!(serde_json::from_str::<Value>(&body).is_ok(), "{body}");
            }
        }
        effects
    }

    fn since(&self) -> String {
        let query = self.session.stream_query();
        query.rsplit_once("&since=").map(|(_, since)| since.to_owned()).unwrap_or_default()
    }
}

fn values(session: &Session) -> BTreeMap<String, String> {
    session.features().all().iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

fn default(key: &str) -> &str {
    if key == DEFAULT.0 { DEFAULT.1 } else { "off" }
}

fn response(input: &mut Unstructured<'_>) -> Result<LoadResponse> {
    let values = Values { features: variants(input, false)?, experiments: None };
    Ok(LoadResponse { values, since: version(input)?, token: "token".to_owned(), insights: input.arbitrary()? })
}

fn optional(input: &mut Unstructured<'_>) -> Result<Option<Variants>> {
    Ok(if input.arbitrary()? { Some(variants(input, false)?) } else { None })
}

/// Some features; an empty variant, which only a patch has, removes a feature.
fn variants(input: &mut Unstructured<'_>, may_remove: bool) -> Result<Variants> {
    let mut variants = Variants::default();
    for _ in 0..input.int_in_range(0..=4)? {
        let variant = if may_remove && input.ratio(1, 4)? { "" } else { *input.choose(&VARIANTS)? };
        variants.set(input.choose(&KEYS)?, variant);
    }
    Ok(variants)
}

/// Mostly a version as the service writes it, in one of two epochs.
fn version(input: &mut Unstructured<'_>) -> Result<String> {
    if input.ratio(1, 16)? {
        return Ok(input.arbitrary::<&str>()?.replace('&', ""));
    }
    let (epoch, digest) = (input.int_in_range(1..=2)?, input.int_in_range(0..=1)?);
    Ok(Since { epoch, version: input.int_in_range(0..=1_100)?, digest }.to_string())
}
