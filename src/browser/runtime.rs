//! Runs one session in a page: passes events to it and executes its effects.

use std::cell::{Cell, OnceCell, Ref, RefCell};

use js_sys::{Date, Math};
use wasm_bindgen::JsValue;
use web_sys::AbortController;

use super::event_stream::{self, EventStream};
use super::page::{self, PageListeners};
use super::shell::{CallbackSource, Shell};
use super::storage::Storage;
use super::timers::Timers;
use super::{random, request};
use crate::cache;
use crate::session::{Effect, Moment, Session, Timer};
use crate::user::User;
use crate::variants::Variants;

/// A client in a page.
pub struct Runtime {
    session: RefCell<Session>,
    address: String,
    storage: Storage,
    /// Name of the user's cache entry in local storage.
    entry_name: RefCell<String>,
    shell: Shell,
    timers: Timers,
    load: Cell<Option<AbortController>>,
    /// Status of the load's response while its body is being read.
    load_status: Cell<u16>,
    stream: RefCell<EventStream>,
    page: OnceCell<PageListeners>,
    running_effects: Cell<bool>,
}

impl Runtime {
    /// A client without a user yet. `address` is the service's URL for a client key.
    pub fn new(address: String, streaming: bool, defaults: Variants, shell: Shell) -> Self {
        Self {
            session: RefCell::new(Session::new(streaming, defaults, page::is_visible())),
            address,
            storage: Storage::local(),
            entry_name: RefCell::default(),
            page: OnceCell::new(),
            shell,
            timers: Timers::default(),
            load: Cell::default(),
            load_status: Cell::default(),
            stream: RefCell::default(),
            running_effects: Cell::default(),
        }
    }

    /// Handles a call of a callback that was registered for `source`.
    pub fn on_callback(&self, source: CallbackSource, detail: u32, value: &JsValue) {
        match source {
            CallbackSource::Timer => {
                if let Some(timer) = Timer::ALL.get(detail as usize) {
                    self.dispatch(&mut |session, moment| session.timer_fired(moment, *timer));
                }
            }
            CallbackSource::Page => self.dispatch(&mut |session, moment| page::dispatch(session, moment, detail)),
            CallbackSource::Stream => {
                if self.stream.borrow().is_current(detail) {
                    self.dispatch(&mut |session, moment| {
                        event_stream::dispatch(&self.shell, session, moment, detail, value);
                    });
                }
            }
            CallbackSource::LoadResponse => {
                if self.session().load_number() == detail {
                    self.load_status.set(request::status(value));
                    request::read_load_body(&self.shell, detail, value);
                }
            }
            CallbackSource::LoadBody => {
                self.loaded(detail, self.load_status.get(), &value.as_string().unwrap_or_default())
            }
            CallbackSource::LoadFailure => self.loaded(detail, 0, ""),
            CallbackSource::GoalsResponse | CallbackSource::GoalsFailure => {
                let status = request::status(value);
                self.dispatch(&mut |session, moment| session.goals_request_finished(moment, status));
            }
        }
    }

    fn loaded(&self, number: u32, status: u16, text: &str) {
        self.dispatch(&mut |session, moment| {
            session.loaded(moment, number, status, request::parse_load(&self.shell, status, text));
        });
    }

    /// The session, for reading.
    pub fn session(&self) -> Ref<'_, Session> {
        self.session.borrow()
    }

    /// `init` or `updateUser`. Effects run later, in [`Self::caller_settled`], so that the caller gets its result first.
    pub fn set_user(&self, user: User, entry: String, bootstrap: Option<Variants>, cached: Option<Variants>) {
        self.entry_name.replace(entry);
        self.session.borrow_mut().set_user(user, bootstrap, cached);
    }

    /// The caller of `init` or `updateUser` has finished and has had time to add listeners.
    pub fn caller_settled(&self) {
        self.page.get_or_init(|| PageListeners::add(&self.shell));
        self.dispatch(&mut |session, _| session.caller_settled());
    }

    /// Records a goal and sends it.
    pub fn goal(&self, key: &str) {
        let id = random::random_bytes();
        self.dispatch(&mut |session, _| session.goal(key, id));
    }

    /// Passes an event to the session, then executes the session's effects. Nothing is borrowed while JavaScript runs: a
    /// listener may call the client again, and the effects of that call join the same queue.
    pub fn dispatch(&self, handler: &mut dyn FnMut(&mut Session, Moment)) {
        let moment = Moment { now: Date::now(), random: Math::random() };
        {
            let mut session = self.session.borrow_mut();
            if session.is_closed() {
                return;
            }
            handler(&mut session, moment);
        }
        self.run_effects();
    }

    fn run_effects(&self) {
        if self.running_effects.replace(true) {
            return;
        }
        while let Some(effect) = self.next_effect() {
            self.run_effect(effect);
        }
        self.running_effects.set(false);
    }

    fn next_effect(&self) -> Option<Effect> {
        self.session.borrow_mut().next_effect()
    }

    fn run_effect(&self, effect: Effect) {
        match effect {
            Effect::Emit(event, text) => self.shell.emit(event as u32, &text),
            Effect::Load => {
                self.abort_load();
                let (number, body) = (self.session().load_number(), self.session().load_body());
                self.load.set(request::send_load(&self.shell, &self.url("load"), number, &body));
            }
            Effect::AbortLoad => self.abort_load(),
            Effect::OpenStream => {
                let url = [&self.url("stream"), &*self.session().stream_query()].concat();
                self.stream.borrow_mut().open(&self.shell, &url);
            }
            Effect::CloseStream => self.stream.borrow_mut().close(),
            Effect::StartTimer(timer, ms) => self.timers.start(&self.shell, timer, ms),
            Effect::StopTimer(timer) => self.timers.stop(timer),
            Effect::WriteCache => {
                let text = cache::entry(Date::now(), self.session().features().current());
                self.storage.set_entry(&self.entry_name.borrow(), &text);
            }
            Effect::SendGoals(body) => request::send_goals(&self.shell, &self.url("goals"), &body),
            Effect::SendFinalGoals(body) => request::send_final_goals(&self.url("goals"), &body),
            Effect::RemovePageListeners => self.page.get().into_iter().for_each(PageListeners::remove),
        }
    }

    fn abort_load(&self) {
        if let Some(controller) = self.load.take() {
            controller.abort();
        }
    }

    fn url(&self, path: &str) -> String {
        [&self.address, path].concat()
    }
}
