//! Runs one session in a page: tells it what happens, and carries out what it wants done.

use std::cell::{Cell, OnceCell, Ref, RefCell};

use js_sys::{Date, Math};
use wasm_bindgen::JsValue;
use web_sys::AbortController;

use super::event_stream::{self, EventStream};
use super::page::{self, Watch};
use super::shell::{Shell, Source};
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
    /// Name of the user's entry in the storage.
    entry: RefCell<String>,
    shell: Shell,
    timers: Timers,
    load: Cell<Option<AbortController>>,
    /// Status of the answer to the load under way, when its body is still to come.
    load_status: Cell<u16>,
    stream: RefCell<EventStream>,
    page: OnceCell<Watch>,
    carrying_out: Cell<bool>,
}

impl Runtime {
    /// A client of the service at an address, which waits for its first user.
    pub fn new(address: String, streaming: bool, defaults: Variants, shell: Shell) -> Self {
        Self {
            session: RefCell::new(Session::new(streaming, defaults, page::is_visible())),
            address,
            storage: Storage::of_page(),
            entry: RefCell::default(),
            page: OnceCell::new(),
            shell,
            timers: Timers::default(),
            load: Cell::default(),
            load_status: Cell::default(),
            stream: RefCell::default(),
            carrying_out: Cell::default(),
        }
    }

    /// Something has come that the client waits for.
    pub fn heard(&self, source: Source, detail: u32, value: &JsValue) {
        match source {
            Source::Timer => {
                if let Some(timer) = Timer::ALL.get(detail as usize) {
                    self.happened(&mut |session, moment| session.elapsed(moment, *timer));
                }
            }
            Source::Page => self.happened(&mut |session, moment| page::happened(session, moment, detail)),
            Source::Stream => {
                if self.stream.borrow().is_current(detail) {
                    self.happened(&mut |session, moment| {
                        event_stream::happened(&self.shell, session, moment, detail, value);
                    });
                }
            }
            Source::LoadAnswer => {
                if self.session().load_number() == detail {
                    self.load_status.set(request::status(value));
                    request::read(&self.shell, detail, value);
                }
            }
            Source::LoadBody => self.loaded(detail, self.load_status.get(), &value.as_string().unwrap_or_default()),
            Source::LoadFailure => self.loaded(detail, 0, ""),
            Source::GoalsAnswer | Source::GoalsFailure => {
                let status = request::status(value);
                self.happened(&mut |session, moment| session.goals_ended(moment, status));
            }
        }
    }

    fn loaded(&self, number: u32, status: u16, text: &str) {
        self.happened(&mut |session, moment| {
            session.loaded(moment, number, status, request::answer(&self.shell, status, text));
        });
    }

    /// The session, to be asked.
    pub fn session(&self) -> Ref<'_, Session> {
        self.session.borrow()
    }

    /// `init` or `updateUser`. What takes time waits until the caller is done: first comes his answer.
    pub fn enter(&self, user: User, entry: String, bootstrap: Option<Variants>, cached: Option<Variants>) {
        self.entry.replace(entry);
        self.session.borrow_mut().enter(user, bootstrap, cached);
    }

    /// The caller of `init` or `updateUser` is done, and has had the time to listen.
    pub fn returned(&self) {
        self.page.get_or_init(|| Watch::begin(&self.shell));
        self.happened(&mut |session, _| session.returned());
    }

    /// Takes up a goal.
    pub fn goal(&self, key: &str) {
        let id = random::random_bytes();
        self.happened(&mut |session, _| session.goal(key, id));
    }

    /// Tells the session what happens, and carries out what it then wants. No borrow is held while JavaScript runs: a
    /// listener may call the client again, and what that leads to waits in the same queue.
    pub fn happened(&self, tell: &mut dyn FnMut(&mut Session, Moment)) {
        let moment = Moment { now: Date::now(), random: Math::random() };
        {
            let mut session = self.session.borrow_mut();
            if session.is_closed() {
                return;
            }
            tell(&mut session, moment);
        }
        self.carry_out();
    }

    fn carry_out(&self) {
        if self.carrying_out.replace(true) {
            return;
        }
        while let Some(effect) = self.next_effect() {
            self.carry_out_one(effect);
        }
        self.carrying_out.set(false);
    }

    fn next_effect(&self) -> Option<Effect> {
        self.session.borrow_mut().next_effect()
    }

    fn carry_out_one(&self, effect: Effect) {
        match effect {
            Effect::Emit(event, text) => self.shell.emit(event as u32, &text),
            Effect::Load => {
                self.abort_load();
                let (number, body) = (self.session().load_number(), self.session().load_body());
                self.load.set(request::load(&self.shell, &self.url("load"), number, &body));
            }
            Effect::AbortLoad => self.abort_load(),
            Effect::OpenStream => {
                let url = [&self.url("stream"), &*self.session().stream_query()].concat();
                self.stream.borrow_mut().open(&self.shell, &url);
            }
            Effect::CloseStream => self.stream.borrow_mut().close(),
            Effect::Start(timer, ms) => self.timers.start(&self.shell, timer, ms),
            Effect::Stop(timer) => self.timers.stop(timer),
            Effect::Store => {
                let text = cache::entry(Date::now(), self.session().features().in_force());
                self.storage.set_entry(&self.entry.borrow(), &text);
            }
            Effect::SendGoals(body) => request::send_goals(&self.shell, &self.url("goals"), &body),
            Effect::SendLastGoals(body) => request::send_last_goals(&self.url("goals"), &body),
            Effect::LeavePage => self.page.get().into_iter().for_each(Watch::end),
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
