//! Runs one session in a page: passes events to it and executes its effects.

use std::cell::{Cell, Ref, RefCell, RefMut};

use js_sys::Array;
use wasm_bindgen::JsValue;
use web_sys::AbortController;

use super::event_stream::{self, EventStream};
use super::integration::{Exposure, Integration};
use super::listeners::{self, Listeners};
use super::shell::{CallbackSource, Shell};
use super::text::text;
use super::{features, load_response, storage};
use crate::cache;
use crate::concat::concat;
use crate::json::object;
use crate::session::{Effect, Event, Moment, Session, Timer};
use crate::user::User;
use crate::variants::Variants;

/// The names of the page's events, in the order of [`Runtime::on_page_event`].
const PAGE_EVENTS: &str = "visibilitychange pageshow resume online pagehide freeze";

/// The longest delay that browsers accept, in milliseconds.
const MAX_TIMER_MS: u32 = i32::MAX as u32;

/// What a client is made with.
pub struct Settings {
    /// It makes requests: it is in a page and not offline.
    pub live: bool,
    /// It opens a stream for updates.
    pub streaming: bool,
    /// It sends summaries of evaluations.
    pub insights: bool,
    /// The page's `defaultFeatures`.
    pub defaults: Variants,
    /// Where exposures are sent.
    pub integrations: Array,
}

/// What `init` or `updateUser` switches to.
pub struct UserUpdate {
    /// The user.
    pub user: User,
    /// Name of the user's cache entry in local storage.
    pub entry: String,
    /// The features that the page gave.
    pub bootstrap: Option<Variants>,
    /// The features in the cache entry.
    pub cached: Option<Variants>,
    /// A function that gets the features when the load has ended; other values are ignored.
    pub callback: JsValue,
}

/// What the shell tells the client of. The meaning of `number`, `index` and the values depends on the source.
pub struct Callback<'a> {
    /// What has happened.
    pub source: CallbackSource,
    /// See [`CallbackSource`].
    pub number: u32,
    /// See [`CallbackSource`].
    pub index: u32,
    /// See [`CallbackSource`].
    pub one: &'a JsValue,
    /// See [`CallbackSource`].
    pub other: &'a JsValue,
    /// When it has happened.
    pub moment: Moment,
}

/// A client in a page.
pub struct Runtime {
    session: RefCell<Session>,
    live: bool,
    listeners: Listeners,
    integrations: Array,
    /// Name of the user's cache entry in local storage.
    entry_name: RefCell<String>,
    shell: Shell,
    load: Cell<Option<AbortController>>,
    stream: EventStream,
    watches: Cell<bool>,
    running_effects: Cell<bool>,
    /// The time of the last callback, in milliseconds since 1970.
    now: Cell<f64>,
}

impl Runtime {
    /// A client without a user yet.
    pub fn new(settings: Settings, shell: Shell) -> Self {
        let Settings { live, streaming, insights, defaults, integrations } = settings;
        Self {
            session: RefCell::new(Session::new(live, streaming, insights, defaults, shell.is_visible())),
            live,
            listeners: Listeners::default(),
            integrations,
            entry_name: RefCell::default(),
            shell,
            load: Cell::default(),
            stream: EventStream::default(),
            watches: Cell::default(),
            running_effects: Cell::default(),
            now: Cell::default(),
        }
    }

    /// Handles what the shell passes on. The meaning of `number`, `index` and the values depends on the source.
    pub fn on_callback(&self, callback: Callback<'_>) {
        let Callback { source, number, index, one, other, moment } = callback;
        let Some(mut session) = self.open() else { return };
        self.now.set(moment.now);
        let session_mut = &mut *session;
        match source {
            CallbackSource::Timer => {
                if let Some(timer) = Timer::ALL.get(index as usize) {
                    session_mut.timer_fired(moment, *timer);
                }
            }
            CallbackSource::Page => self.on_page_event(session_mut, moment, index),
            CallbackSource::Stream => {
                if self.stream.number() == number {
                    event_stream::dispatch(&self.shell, session_mut, moment, index, one, other);
                }
            }
            CallbackSource::Tabs => self.on_tabs_event(session_mut, moment, index, one),
            CallbackSource::Load => {
                let response = load_response::parse(&self.shell, index, one);
                session_mut.loaded(moment, number, index as u16, response);
            }
            CallbackSource::Goals => session_mut.goals_request_finished(moment, index as u16),
        }
        drop(session);
        self.run_effects();
    }

    fn on_page_event(&self, session: &mut Session, moment: Moment, index: u32) {
        match index {
            0..3 => session.visibility_changed(moment, self.shell.is_visible()),
            3 => session.online(moment),
            _ => session.page_leaving(),
        }
    }

    fn on_tabs_event(&self, session: &mut Session, moment: Moment, index: u32, message: &JsValue) {
        match index {
            // A message with values looks like a successful response to a load.
            0 => session.tabs_message(moment, load_response::parse(&self.shell, 200, message).ok()),
            1 => session.stream_granted(moment),
            _ => session.stream_taken(moment),
        }
    }

    /// The session, for reading.
    pub fn session(&self) -> Ref<'_, Session> {
        self.session.borrow()
    }

    /// The session, for an event that happens now; `None` if it is closed. [`Self::run_effects`] has to follow. Nothing is borrowed
    /// while the page's code runs: a listener may call the client again, and the effects of that call join the same queue.
    fn open(&self) -> Option<RefMut<'_, Session>> {
        let session = self.session.borrow_mut();
        (!session.is_closed()).then_some(session)
    }

    /// `init` or `updateUser`. Effects run later, in [`Self::caller_settled`], so that the caller gets its result first.
    pub fn update_user(&self, update: UserUpdate) {
        let UserUpdate { user, entry, bootstrap, cached, callback } = update;
        self.entry_name.replace(entry);
        if callback.is_function() {
            self.listeners.add(&listeners::name(Event::LoadEnded).into(), &callback, &JsValue::UNDEFINED);
        }
        self.session.borrow_mut().set_user(user, bootstrap, cached);
    }

    /// The caller of `init` or `updateUser` has finished and has had time to add listeners.
    pub fn caller_settled(&self) {
        if let Some(mut session) = self.open() {
            if self.live && !self.watches.replace(true) {
                self.shell.watch(PAGE_EVENTS);
            }
            session.caller_settled();
        }
        self.run_effects();
    }

    /// Records a goal and sends it. `id` is 32 random hexadecimal digits.
    pub fn goal(&self, key: &JsValue, id: &JsValue) {
        if let Some(mut session) = self.open() {
            session.goal(&text(key), &text(id));
        }
        self.run_effects();
    }

    /// Evaluates a feature: reports a participation that is due, tells the listeners of EVALUATION, and sends the exposures that are due.
    /// `again`: code that this calls evaluates a feature again, which only returns the value. It would call that code without end.
    pub fn evaluate(&self, key_value: &JsValue, again: bool) -> JsValue {
        let key = text(key_value);
        let mut session = self.session.borrow_mut();
        let variant = session.features().value(&key).to_owned();
        // What the page's code does meanwhile, such as replacing the user, does not count for this evaluation.
        let user = session.user().clone();
        let has_effects = session.evaluated(&key, &variant);
        drop(session);
        if has_effects {
            self.run_effects();
        }
        if again {
            return variant.into();
        }
        let json = object(&[("key", &key), ("variant", &variant), ("value", &variant)], "user", &user.json());
        if self.emit(Event::Evaluation, &json) {
            self.shell.changed(&JsValue::UNDEFINED);
        }
        let exposure = Exposure { user_id: user.id(), key: &key, variant: &variant, key_value };
        for index in 0..self.integrations.length() {
            exposure.send(&self.shell, &Integration::read(&self.integrations.get(index)));
        }
        variant.into()
    }

    /// The current evaluated features, or with `all` every feature known from any source.
    pub fn features(&self, all: bool) -> JsValue {
        let session = self.session();
        let features = session.features();
        if all {
            features::object(&self.shell, &features.all())
        } else {
            features::object(&self.shell, features.current())
        }
    }

    /// Adds a listener.
    pub fn on(&self, event: &JsValue, callback: &JsValue, context: &JsValue) {
        self.listeners.add(event, callback, context);
    }

    /// Removes a listener, or without a callback all listeners of the event.
    pub fn off(&self, event: &JsValue, callback: &JsValue) {
        self.listeners.remove(event, callback);
    }

    /// Closes the stream, cancels requests and timers, and removes all listeners.
    pub fn close(&self) {
        if let Some(mut session) = self.open() {
            session.close();
        }
        self.run_effects();
    }

    /// Tells the listeners of an event, each with a new argument. Returns whether there are any.
    fn emit(&self, event: Event, text: &str) -> bool {
        let name = listeners::name(event);
        let (caller, name) = (concat(&["A listener of ", name]), JsValue::from_str(name));
        let listeners = self.listeners.of(&name);
        if event == Event::LoadEnded {
            // These callbacks are called once.
            self.listeners.remove(&name, &JsValue::UNDEFINED);
        }
        for index in (0..listeners.length()).step_by(2) {
            if self.session().is_closed() {
                break;
            }
            let argument = match event {
                Event::Error => text.into(),
                Event::UpdatedFeature | Event::Evaluation => self.shell.parse(text),
                Event::LoadedFromCache | Event::Init | Event::Loaded | Event::LoadEnded => self.features(false),
            };
            let none = &JsValue::UNDEFINED;
            self.shell.call(&caller, &listeners.get(index), &listeners.get(index + 1), &argument, none);
        }
        listeners.length() > 0
    }

    fn run_effects(&self) {
        if self.running_effects.replace(true) {
            return;
        }
        while let Some((effect, text)) = self.next_effect() {
            self.run_effect(effect, &text);
        }
        self.running_effects.set(false);
    }

    fn next_effect(&self) -> Option<(Effect, String)> {
        self.session.borrow_mut().next_effect()
    }

    fn run_effect(&self, effect: Effect, text: &str) {
        let shell = &self.shell;
        match effect {
            Effect::Emit(event) => {
                // Only these two events come with new values.
                if matches!(event, Event::Init | Event::UpdatedFeature) {
                    shell.changed(&self.features(false));
                }
                self.emit(event, text);
            }
            Effect::Load => {
                self.abort_load();
                let session = self.session();
                let (number, body) = (session.load_number(), session.load_body());
                drop(session);
                let controller = shell.post("load", &body, false, CallbackSource::Load as u32, number);
                self.load.set(Some(controller));
            }
            Effect::AbortLoad => self.abort_load(),
            Effect::OpenStream => {
                let path = concat(&["stream", &*self.session().stream_query()]);
                self.stream.open(shell, &path);
            }
            Effect::CloseStream => self.stream.close(),
            Effect::JoinTabs(take) => shell.join_tabs(&self.entry_name.borrow(), take),
            Effect::TellTabs => shell.tell_tabs(text),
            Effect::LeaveTabs => shell.join_tabs("", false),
            Effect::StartTimer(timer, ms) => shell.start_timer(timer as u32, ms.min(MAX_TIMER_MS) as i32),
            Effect::StopTimer(timer) => shell.start_timer(timer as u32, -1),
            Effect::WriteCache => {
                let text = cache::entry(self.now.get(), self.session().features().current());
                storage::set_entry(shell, &self.entry_name.borrow(), &text);
            }
            Effect::SendGoals => {
                shell.post("goals", text, true, CallbackSource::Goals as u32, 0);
            }
            // If the browser refuses one this large, goals stay queued for a page that is restored.
            Effect::SendBeacon => shell.beacon("goals", text),
            Effect::RemovePageListeners => shell.watch(""),
        }
    }

    fn abort_load(&self) {
        if let Some(controller) = self.load.take() {
            controller.abort();
        }
    }
}
