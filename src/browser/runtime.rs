//! Runs one session in a page: gives it what happens, and carries out what it wants done.

use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

use gloo_events::EventListener;
use js_sys::{Date, Function, Math};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;

use super::event_stream::EventStream;
use super::storage::Storage;
use super::timers::Timers;
use super::{anonymous_id, answer, page, random, request};
use crate::cache;
use crate::features::Features;
use crate::session::{Effect, Event, Heard, Input, Mode, Moment, Session};
use crate::user::User;
use crate::variants::Variants;

/// What the page said to `init`.
#[derive(Debug)]
pub struct Settings {
    /// What the client may do.
    pub mode: Mode,
    /// Whether the anonymous id may be in a cookie.
    pub use_cookies: bool,
    /// The client key.
    pub api_key: String,
    /// Address of the service for this client key: `https://host/client/v1/<client key>/`.
    pub address: String,
    /// Features that the page has evaluated already.
    pub bootstrap: Option<Variants>,
    /// The page's own values.
    pub defaults: Variants,
}

/// A client in a page.
pub struct Runtime {
    session: RefCell<Session>,
    use_cookies: bool,
    address: String,
    storage: Storage,
    cache_prefix: String,
    /// Called with the number of an event and its text.
    emit: Function,
    timers: Timers,
    load: Cell<Option<AbortController>>,
    stream: Cell<Option<EventStream>>,
    page: Cell<Vec<EventListener>>,
    carrying_out: Cell<bool>,
}

impl Runtime {
    /// A client for a user of this id and these attributes (JSON text), without an id for the anonymous user.
    pub fn start(settings: Settings, id: Option<String>, attributes: Option<&str>, emit: Function) -> Rc<Self> {
        let Settings { mode, use_cookies, api_key, address, bootstrap, defaults } = settings;
        let still = mode == Mode::Still;
        let use_cookies = use_cookies && !still;
        let storage = if still { Storage::in_memory() } else { Storage::of_page() };
        let cache_prefix = cache::prefix(&api_key);
        let user = user(&storage, use_cookies, id, attributes);
        let cached = if bootstrap.is_some() { None } else { cached(&storage, &cache_prefix, &user) };
        let visible = still || page::is_visible();
        let session = Session::new(mode, user, Features::new(bootstrap, cached, defaults), visible);
        let runtime = Rc::new(Self {
            session: RefCell::new(session),
            use_cookies,
            address,
            storage,
            cache_prefix,
            emit,
            timers: Timers::default(),
            load: Cell::default(),
            stream: Cell::default(),
            page: Cell::default(),
            carrying_out: Cell::default(),
        });
        if !still {
            runtime.page.set(page::watch(&runtime));
        }
        runtime.carry_out();
        runtime
    }

    /// The session, to be asked.
    pub fn session(&self) -> Ref<'_, Session> {
        self.session.borrow()
    }

    /// Replaces the user.
    pub fn update_user(self: &Rc<Self>, id: Option<String>, attributes: Option<&str>) {
        let user = user(&self.storage, self.use_cookies, id, attributes);
        let cached = cached(&self.storage, &self.cache_prefix, &user);
        self.input(Input::User(user, cached));
    }

    /// Takes up a goal.
    pub fn goal(self: &Rc<Self>, key: String) {
        self.input(Input::Goal(key, random::random_bytes()));
    }

    /// The stored anonymous id.
    pub fn anonymous_id(&self) -> String {
        anonymous_id::stored(&self.storage, self.use_cookies)
    }

    /// A new anonymous id. The user stays who he is until `updateUser`.
    pub fn reset_anonymous_id(&self) -> String {
        let in_use = self.session().user().id() == self.anonymous_id();
        let id = anonymous_id::reset(&self.storage);
        if in_use && self.use_cookies {
            anonymous_id::link(&id);
        }
        id
    }

    /// Gives the session an input and carries out what it wants. No borrow is held while JavaScript runs: a listener
    /// may call the client again, and then its effects wait in the same queue.
    pub fn input(self: &Rc<Self>, input: Input) {
        let moment = Moment { now: Date::now(), random: Math::random() };
        self.session.borrow_mut().handle(moment, input);
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
            Effect::Emit(_, event) => self.emit(&event),
            Effect::AfterReturn => {
                let runtime = Rc::clone(self);
                spawn_local(async move { runtime.input(Input::Returned) });
            }
            Effect::Load(number, body) => {
                self.abort_load();
                self.load.set(request::load(self, &self.url("load"), number, &body));
            }
            Effect::AbortLoad => self.abort_load(),
            Effect::OpenStream(token, since) => {
                let url = [&self.url("stream?token="), &token, "&since=", &since].concat();
                drop(self.stream.take());
                match EventStream::open(self, &url) {
                    Some(stream) => self.stream.set(Some(stream)),
                    None => self.input(Input::Stream(Heard::Failed)),
                }
            }
            Effect::CloseStream => drop(self.stream.take()),
            Effect::Start(timer, ms) => self.timers.start(self, timer, ms),
            Effect::Stop(timer) => self.timers.stop(timer),
            Effect::Store(entry) => {
                let key = cache::key(&self.cache_prefix, self.session().user());
                self.storage.set_entry(&self.cache_prefix, &key, &entry);
            }
            Effect::SendGoals(body) => request::send_goals(self, &self.url("goals"), &body),
            Effect::SendLastGoals(body) => request::send_last_goals(&self.url("goals"), &body),
            Effect::LeavePage => drop(self.page.take()),
        }
    }

    fn emit(&self, event: &Event) {
        let (number, text) = match event {
            Event::LoadedFromCache => (0, String::new()),
            Event::Init => (1, String::new()),
            Event::Loaded => (2, String::new()),
            Event::UpdatedFeature(updated) => (3, updated.flat()),
            Event::Error(message) => (4, message.clone()),
            Event::LoadEnded => (5, String::new()),
        };
        // Listeners are the page's, and the shell has caught what they throw.
        let _ = self.emit.call2(&JsValue::UNDEFINED, &number.into(), &text.into());
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

fn cached(storage: &Storage, prefix: &str, user: &User) -> Option<Variants> {
    answer::read_variants(&storage.get(&cache::key(prefix, user))?)
}

fn user(storage: &Storage, use_cookies: bool, id: Option<String>, attributes: Option<&str>) -> User {
    let id = id.unwrap_or_else(|| {
        let id = anonymous_id::stored(storage, use_cookies);
        if use_cookies {
            anonymous_id::link(&id);
        }
        id
    });
    User::new(id, attributes)
}
