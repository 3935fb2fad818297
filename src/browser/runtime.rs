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
use super::{anonymous_id, cookie, json, random, request};
use crate::cache;
use crate::session::{Effect, Mode, Moment, Session, Timer};
use crate::user::User;
use crate::variants::Variants;

/// A client in a page.
pub struct Runtime {
    session: RefCell<Session>,
    /// Features that the page has evaluated already, for the first user.
    bootstrap: Cell<Option<Variants>>,
    place: Place,
    /// The user has no id of his own, and the cookie is still to link to the anonymous one.
    is_anonymous: Cell<bool>,
    shell: Shell,
    timers: Timers,
    load: Cell<Option<AbortController>>,
    /// Status of the answer to the load under way, when its body is still to come.
    load_status: Cell<u16>,
    stream: RefCell<EventStream>,
    page: OnceCell<Watch>,
    carrying_out: Cell<bool>,
}

/// Where a client finds its service and keeps what it knows.
#[derive(Debug)]
pub struct Place {
    /// Address of the service for the client key: `https://host/client/v1/<client key>/`.
    pub address: String,
    /// What the storage keys of the client key's users begin with.
    pub cache_prefix: String,
    /// Where that is kept.
    pub storage: Storage,
    /// Whether the anonymous id may be in a cookie.
    pub use_cookies: bool,
}

impl Place {
    fn anonymous_id(&self) -> String {
        anonymous_id::stored(&self.storage, self.use_cookies)
    }

    fn link(&self, id: &str) {
        if self.use_cookies {
            cookie::write(id);
        }
    }

    fn cached(&self, shell: &Shell, user: &User) -> Option<Variants> {
        let entry = self.storage.get(&cache::key(&self.cache_prefix, user))?;
        json::variants(shell, &json::parse(&entry), false)
    }
}

impl Runtime {
    /// A client, which waits for its first user.
    pub fn new(mode: Mode, place: Place, bootstrap: Option<Variants>, defaults: Variants, shell: Shell) -> Self {
        let live = mode != Mode::Still;
        Self {
            session: RefCell::new(Session::new(mode, defaults, !live || page::is_visible())),
            bootstrap: Cell::new(bootstrap),
            place,
            is_anonymous: Cell::default(),
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

    /// `init` or `updateUser`, with an id unless the user is anonymous, and the JSON text of the attributes. What takes
    /// time waits until the caller is done: first comes his answer.
    pub fn enter(&self, id: Option<String>, attributes: Option<String>) {
        self.is_anonymous.set(id.is_none());
        let user = User::new(id.unwrap_or_else(|| self.anonymous_id()), attributes);
        let bootstrap = self.bootstrap.take();
        let cached = if bootstrap.is_some() { None } else { self.place.cached(&self.shell, &user) };
        self.session.borrow_mut().enter(user, bootstrap, cached);
    }

    /// The caller of `init` or `updateUser` is done, and has had the time to listen.
    pub fn returned(&self) {
        if self.is_anonymous.take() {
            self.place.link(self.session().user().id());
        }
        if self.session().mode() != Mode::Still {
            self.page.get_or_init(|| Watch::begin(&self.shell));
        }
        self.happened(&mut |session, _| session.returned());
    }

    /// Takes up a goal.
    pub fn goal(&self, key: &str) {
        let id = random::random_bytes();
        self.happened(&mut |session, _| session.goal(key, id));
    }

    /// The stored anonymous id.
    pub fn anonymous_id(&self) -> String {
        self.place.anonymous_id()
    }

    /// A new anonymous id. The user stays who he is until `updateUser`.
    pub fn reset_anonymous_id(&self) -> String {
        let in_use = self.session().user().id() == self.anonymous_id();
        let id = anonymous_id::reset(&self.place.storage);
        if in_use {
            self.place.link(&id);
        }
        id
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
                let key = cache::key(&self.place.cache_prefix, self.session().user());
                let entry = cache::entry(Date::now(), self.session().features().in_force());
                self.place.storage.set_entry(&self.place.cache_prefix, &key, &entry);
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
        [&self.place.address, path].concat()
    }
}
