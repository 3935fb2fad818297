//! Requests with an `Idempotency-Key`: done once, however often they are sent.
//!
//! The answer is kept in the transaction of its effect, so that a crash leaves both or neither.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::app::changes::running_requests::RunningRequests;
use crate::app::{Actor, App, AppError, Operation, Result, Write};
use crate::domain::changes::idempotency::{Answer, Record};
use crate::domain::retention::ago;
use crate::store::changes::idempotency;

/// Longest key.
pub const MAX_KEY: usize = 200;

/// A request that is to be done once.
pub struct Request {
    key: String,
    hash: String,
}

/// What is to be done about a request.
pub enum Begun<'a> {
    /// It is new: do it in this operation.
    New(Operation<'a>),
    /// It was done: this was the answer.
    Done(Record),
}

/// A request that is done in several transactions, each of which keeps what was done so far.
pub struct Steps<'a> {
    claim: Claim<'a>,
    /// What was kept last.
    kept: String,
}

/// What is to be done about a request of several transactions.
pub enum BegunSteps<'a> {
    /// It is new, or was interrupted: do what is not done yet.
    Open(Steps<'a>),
    /// It was done: this was the answer.
    Done(Record),
}

/// A key that is taken for as long as its request runs.
pub struct Claim<'a> {
    running: &'a RunningRequests,
    name: Option<String>,
    request: Option<Request>,
}

impl Request {
    /// A request with that key; `hash` is of its route and body.
    ///
    /// # Errors
    /// [`AppError::Invalid`] for a key that is empty or too long.
    pub fn new(key: &str, hash: String) -> Result<Self> {
        if key.is_empty() || key.len() > MAX_KEY {
            return Err(AppError::invalid(
                "/Idempotency-Key",
                format!("An Idempotency-Key has 1 to {MAX_KEY} characters."),
            ));
        }
        Ok(Self { key: key.to_owned(), hash })
    }

    /// The hash that is stored: a token gets no answer of a token with another scope.
    fn hash_for(&self, actor: &Actor) -> Cow<'_, str> {
        match &actor.scope {
            None => Cow::Borrowed(&self.hash),
            Some(scope) => Cow::Owned(format!("{} {scope}", self.hash)),
        }
    }
}

/// Begins the write of a request, or finds that it was done before, perhaps by another node. Dropping the operation leaves
/// the key free.
///
/// # Errors
/// [`AppError::Invalid`] when the key came with another request before, [`AppError::StillRunning`] while that one is running.
pub async fn begin<'a>(app: &'a App, actor: &'a Actor, claim: &mut Claim<'a>) -> Result<Begun<'a>> {
    let mut operation = Operation::begin(app, actor).await?;
    Ok(match claim.take(app, actor, &mut operation.write).await? {
        None => Begun::New(operation),
        Some(record) => Begun::Done(record),
    })
}

/// What the request was answered when it was done before.
///
/// # Errors
/// When the database fails.
pub async fn done(app: &App, actor: &Actor, request: &Request) -> Result<Option<Record>> {
    let record = idempotency::find(&mut *app.store.read_control().await?, &actor.user_id, &request.key).await?;
    let oldest = ago(app.now(), app.retention.idempotency);
    let is_same = |record: &Record| record.request_hash == request.hash_for(actor).as_ref();
    Ok(record.filter(|record| is_same(record) && !record.is_unfinished() && record.at >= oldest))
}

/// Begins a request of several transactions, continues one that a crash has interrupted, or finds that it was done.
///
/// # Errors
/// As for [`begin`].
pub async fn begin_steps<'a>(app: &'a App, actor: &Actor, request: Option<Request>) -> Result<BegunSteps<'a>> {
    let mut claim = Claim::new(app, actor, request)?;
    if claim.request.is_none() {
        return Ok(BegunSteps::Open(Steps { claim, kept: String::new() }));
    }
    let mut write = app.begin().await?;
    Ok(match claim.take(app, actor, &mut write).await? {
        None => {
            app.commit(write).await?;
            BegunSteps::Open(Steps { claim, kept: String::new() })
        }
        Some(record) if record.is_unfinished() => BegunSteps::Open(Steps { claim, kept: record.body }),
        Some(record) => BegunSteps::Done(record),
    })
}

impl<'a> Claim<'a> {
    /// Takes the key on this node, if the request has one.
    ///
    /// # Errors
    /// [`AppError::StillRunning`] while a request with this key is running.
    pub fn new(app: &'a App, actor: &Actor, request: Option<Request>) -> Result<Self> {
        let running = &app.running_requests;
        let Some(request) = request else { return Ok(Self { running, name: None, request: None }) };
        let name = format!("{}:{}", actor.user_id, request.key);
        if !running.lock().insert(name.clone()) {
            return Err(AppError::StillRunning);
        }
        Ok(Self { running, name: Some(name), request: Some(request) })
    }

    /// Takes the key in the database, or finds the record of the request that used it.
    async fn take(&mut self, app: &App, actor: &Actor, write: &mut Write<'_>) -> Result<Option<Record>> {
        let Some(request) = &self.request else { return Ok(None) };
        let now = app.now();
        let connection = write.connection().await?;
        let oldest = ago(now, app.retention.idempotency);
        idempotency::forget(connection, &actor.user_id, &request.key, oldest).await?;
        let hash = request.hash_for(actor);
        if idempotency::claim(connection, &actor.user_id, &request.key, &hash, now).await? {
            return Ok(None);
        }
        match idempotency::find(connection, &actor.user_id, &request.key).await? {
            Some(record) if record.request_hash == hash.as_ref() => Ok(Some(record)),
            Some(_) => Err(AppError::invalid(
                "/Idempotency-Key",
                "This Idempotency-Key came with another request or with a token of another scope before. Take a new key for a new request.",
            )),
            None => Err(AppError::StillRunning),
        }
    }
}

impl Steps<'_> {
    /// What was done before an interruption; nothing of a new request.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn done<T: DeserializeOwned + Default>(&self) -> Result<T> {
        if self.kept.is_empty() {
            return Ok(T::default());
        }
        Ok(serde_json::from_str(&self.kept).map_err(anyhow::Error::new)?)
    }

    /// Keeps what is done now with the effect of a step, in its transaction.
    ///
    /// # Errors
    /// [`AppError::StillRunning`] when the same request is running elsewhere; then nothing may be committed.
    pub async fn keep(&mut self, operation: &mut Operation<'_>, done: &impl Serialize) -> Result<()> {
        let Some(request) = &self.claim.request else { return Ok(()) };
        let text = serde_json::to_string(done).map_err(anyhow::Error::new)?;
        let (user, key) = (&operation.actor.user_id, &request.key);
        if !idempotency::advance(operation.write.connection().await?, user, key, &self.kept, &text).await? {
            return Err(AppError::StillRunning);
        }
        self.kept = text;
        Ok(())
    }

    /// Keeps the answer of the whole.
    ///
    /// # Errors
    /// When the database fails; then a repeat finds every step done, and answers the same.
    pub async fn finish(self, app: &App, actor: &Actor, answer: Answer<'_>) -> Result<()> {
        if self.claim.request.is_none() {
            return Ok(());
        }
        finish(Operation::begin(app, actor).await?, self.claim, answer).await
    }
}

/// Keeps the answer with its effect, and makes both durable.
///
/// # Errors
/// When the database fails; then nothing has changed.
pub async fn finish(mut operation: Operation<'_>, claim: Claim<'_>, answer: Answer<'_>) -> Result<()> {
    if let Some(request) = &claim.request {
        let user = &operation.actor.user_id;
        idempotency::keep(operation.write.connection().await?, user, &request.key, answer).await?;
    }
    operation.commit().await
}

/// Commits the effects of a refused request and stores no answer: a repeat is processed again.
///
/// # Errors
/// When the database fails; then nothing has changed.
pub async fn release(mut operation: Operation<'_>, claim: Claim<'_>) -> Result<()> {
    if let Some(request) = &claim.request {
        let user = &operation.actor.user_id;
        idempotency::release(operation.write.connection().await?, user, &request.key).await?;
    }
    operation.commit().await
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if let Some(name) = self.name.take() {
            self.running.lock().remove(&name);
        }
    }
}
