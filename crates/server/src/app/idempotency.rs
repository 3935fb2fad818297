//! Requests with an `Idempotency-Key`: done once, however often they are sent.
//!
//! The answer is kept in the transaction of its effect, so that a crash leaves both or neither.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use flagservice_rules::Instant;

use super::{Actor, App, AppError, Result};
use crate::store::Write;
use crate::store::idempotency::{self, Record};

/// How long an answer is kept, in milliseconds: 24 h.
const LIFETIME: i64 = 24 * 60 * 60 * 1000;

/// Longest key.
pub const MAX_KEY: usize = 200;

/// The requests that run on this node.
#[derive(Default)]
pub struct Running(Mutex<HashSet<String>>);

/// A request that is to be done once.
pub struct Request {
    key: String,
    hash: String,
}

/// What is to be done about a request.
pub enum Begun<'a> {
    /// It is new: do it in this transaction.
    New(Write<'a>, Claim<'a>),
    /// It was done: this was the answer.
    Done(Record),
}

/// Whether a request that takes long is to be done.
pub enum Asked<'a> {
    /// It is new.
    New(Claim<'a>),
    /// It was done: this was the answer.
    Done(Record),
}

/// A key that is taken for as long as its request runs.
pub struct Claim<'a> {
    running: &'a Running,
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
}

/// Begins a write, or finds that it was done before.
///
/// # Errors
/// [`AppError::Invalid`] when the key came with another request before, [`AppError::StillRunning`] when that one is under way.
pub async fn begin<'a>(app: &'a App, actor: &Actor, request: Option<Request>) -> Result<Begun<'a>> {
    let Some(request) = request else {
        return Ok(Begun::New(app.store.write().await?, Claim { running: &app.running, name: None, request: None }));
    };
    let name = format!("{}:{}", actor.user_id, request.key);
    if !app.running.lock().insert(name.clone()) {
        return Err(AppError::StillRunning);
    }
    let claim = Claim { running: &app.running, name: Some(name), request: None };
    let mut write = app.store.write().await?;
    let now = app.now();
    idempotency::forget(write.connection().await?, Instant(now.0 - LIFETIME)).await?;
    if idempotency::claim(write.connection().await?, &actor.user_id, &request.key, &request.hash, now).await? {
        let mut claim = claim;
        claim.request = Some(request);
        return Ok(Begun::New(write, claim));
    }
    let record = idempotency::find(write.connection().await?, &actor.user_id, &request.key).await?;
    match record {
        Some(record) if record.request_hash == request.hash => Ok(Begun::Done(record)),
        Some(_) => Err(AppError::invalid(
            "/Idempotency-Key",
            "This Idempotency-Key came with another request before. Take a new key for a new request.",
        )),
        None => Err(AppError::StillRunning),
    }
}

/// Finds out whether a request was done before, without a transaction in which to do it: for one that takes long.
///
/// # Errors
/// Those of [`begin`].
pub async fn ask<'a>(app: &'a App, actor: &Actor, request: Option<Request>) -> Result<Asked<'a>> {
    Ok(match begin(app, actor, request).await? {
        Begun::New(_, claim) => Asked::New(claim),
        Begun::Done(record) => Asked::Done(record),
    })
}

/// Begins the write of a request that was found to be new. Another node may have done it meanwhile.
///
/// # Errors
/// Those of [`begin`].
pub async fn resume<'a>(app: &'a App, actor: &Actor, mut claim: Claim<'a>) -> Result<Begun<'a>> {
    let request = claim.request.take();
    // Between these two the same request may get in, and then this one is told that it is still running.
    drop(claim);
    begin(app, actor, request).await
}

/// Keeps the answer (status, body, the version of what it shows) with its effect, and makes both durable.
///
/// # Errors
/// When the database fails; then nothing has changed.
pub async fn finish(
    app: &App,
    actor: &Actor,
    mut write: Write<'_>,
    claim: Claim<'_>,
    answer: (u16, &str, Option<u64>),
) -> Result<()> {
    if let Some(request) = &claim.request {
        idempotency::keep(write.connection().await?, &actor.user_id, &request.key, answer).await?;
    }
    app.commit(write).await
}

/// Makes durable what is left of a request that is refused, and keeps no answer: sent again, it is asked anew.
///
/// # Errors
/// When the database fails; then nothing has changed.
pub async fn refuse(app: &App, actor: &Actor, mut write: Write<'_>, claim: Claim<'_>) -> Result<()> {
    if let Some(request) = &claim.request {
        idempotency::release(write.connection().await?, &actor.user_id, &request.key).await?;
    }
    app.commit(write).await
}

impl Running {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if let Some(name) = self.name.take() {
            self.running.lock().remove(&name);
        }
    }
}
