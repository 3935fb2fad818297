//! Runs one session in a page: tells it what happens, and carries out what it wants done.

use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

use gloo_events::EventListener;
use js_sys::{Date, Math};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::AbortController;

use super::event_stream::EventStream;
use super::storage::Storage;
use super::timers::Timers;
use super::{anonymous_id, cookie, json, page, random, request};
use crate::cache;
use crate::session::{Effect, Mode, Moment, Session};
use crate::user::User;
use crate::variants::Variants;

#[wasm_bindgen]
extern "C" {
    /// A function of the shell, which never throws: it has caught what listeners throw.
    pub type Emit;

    #[wasm_bindgen(method)]
    fn call(this: &Emit, this_of_it: &JsValue, event: u32, text: &str);
}

/// A client in a page.
pub struct Runtime {
    session: RefCell<Session>,
    /// Features that the page has evaluated already, for the first user.
    bootstrap: Cell<Option<Variants>>,
    place: Place,
    /// Called with the number of an event and its text.
    emit: Emit,
    timers: Timers,
    load: Cell<Option<AbortController>>,
    stream: Cell<Option<EventStream>>,
    page: Cell<Vec<EventListener>>,
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
    /// A user of this id and these attributes (JSON text); without an id the anonymous one, to whom the cookie links.
    fn user(&self, id: Option<String>, attributes: Option<String>) -> User {
        let id = id.unwrap_or_else(|| {
            let id = self.anonymous_id();
            self.link(&id);
            id
        });
        User::new(id, attributes)
    }

    fn anonymous_id(&self) -> String {
        anonymous_id::stored(&self.storage, self.use_cookies)
    }

    fn link(&self, id: &str) {
        if self.use_cookies {
            cookie::write(id);
        }
    }

    fn cached(&self, user: &User) -> Option<Variants> {
        let entry = self.storage.get(&cache::key(&self.cache_prefix, user))?;
        json::variants(&json::parse(&entry), false)
    }
}

impl Runtime {
    /// A client, which waits for its first user.
    pub fn new(mode: Mode, place: Place, bootstrap: Option<Variants>, defaults: Variants, emit: Emit) -> Rc<Self> {
        let live = mode != Mode::Still;
        let runtime = Rc::new(Self {
            session: RefCell::new(Session::new(mode, defaults, !live || page::is_visible())),
            bootstrap: Cell::new(bootstrap),
            place,
            emit,
            timers: Timers::default(),
            load: Cell::default(),
            stream: Cell::default(),
            page: Cell::default(),
            carrying_out: Cell::default(),
        });
        if live {
            runtime.page.set(page::watch(&runtime));
        }
        runtime
    }

    /// The session, to be asked.
    pub fn session(&self) -> Ref<'_, Session> {
        self.session.borrow()
    }

    /// `init` or `updateUser`, with an id unless the user is anonymous, and the JSON text of the attributes.
    pub fn enter(self: &Rc<Self>, id: Option<String>, attributes: Option<String>) {
        let user = self.place.user(id, attributes);
        let mut bootstrap = self.bootstrap.take();
        let mut cached = if bootstrap.is_some() { None } else { self.place.cached(&user) };
        self.happened(&mut |session, _| session.enter(user.clone(), bootstrap.take(), cached.take()));
    }

    /// Takes up a goal.
    pub fn goal(self: &Rc<Self>, key: &str) {
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
    pub fn happened(self: &Rc<Self>, tell: &mut dyn FnMut(&mut Session, Moment)) {
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

    fn carry_out(self: &Rc<Self>) {
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

    fn carry_out_one(self: &Rc<Self>, effect: Effect) {
        match effect {
            Effect::Emit(event, text) => self.emit.call(&JsValue::UNDEFINED, event as u32, &text),
            Effect::Load => {
                self.abort_load();
                let (number, body) = (self.session().load_number(), self.session().load_body());
                self.load.set(request::load(self, &self.url("load"), number, &body));
            }
            Effect::AbortLoad => self.abort_load(),
            Effect::OpenStream => {
                let url = [&self.url("stream"), &*self.session().stream_query()].concat();
                drop(self.stream.take());
                self.stream.set(EventStream::open(self, &url));
            }
            Effect::CloseStream => drop(self.stream.take()),
            Effect::Start(timer, ms) => self.timers.start(self, timer, ms),
            Effect::Stop(timer) => self.timers.stop(timer),
            Effect::Store => {
                let key = cache::key(&self.place.cache_prefix, self.session().user());
                let entry = cache::entry(Date::now(), self.session().features().in_force());
                self.place.storage.set_entry(&self.place.cache_prefix, &key, &entry);
            }
            Effect::SendGoals(body) => request::send_goals(self, &self.url("goals"), &body),
            Effect::SendLastGoals(body) => request::send_last_goals(&self.url("goals"), &body),
            Effect::LeavePage => drop(self.page.take()),
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
