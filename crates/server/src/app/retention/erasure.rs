//! The erasure of a person of the organisation, or of a user whose id pages send.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::app::changes::audit::{AuditRecord, record_audit};
use crate::app::experiments::participant_keys;
use crate::app::resources::users;
use crate::app::retention::redaction::{REMOVED_ID, REMOVED_NAME, Subject};
use crate::app::{Actor, App, AppError, Operation, Result};
use crate::domain::role::Role;
use crate::store::delivery::fan_outs;
use crate::store::experiments::{participants, records};
use crate::store::resources::identities;
use crate::store::retention::erasure;
use crate::store::retention::marks::{self, MarkedRow, MarkedTable, Place};

/// The longest id of a user, in characters, as goals may have it.
const MAX_ID: usize = 1_000;

/// How many rows are read at once, and how many are written in a transaction, for which other writers wait.
const PAGE: i64 = 200;
const STEP: usize = 20;

/// The pause between two transactions, in which others write.
const PAUSE: Duration = Duration::from_millis(5);

/// What was erased.
#[derive(Debug, Default)]
pub struct Erased {
    /// How many rows were removed or changed, by kind. Kinds without any are left out.
    pub removed: BTreeMap<&'static str, u64>,
    /// The paths of targetings, audiences and pending approvals that still name the id: to change them changes what is served.
    pub rules: Vec<String>,
}

impl Erased {
    fn add(&mut self, kind: &'static str, count: u64) {
        if count > 0 {
            *self.removed.entry(kind).or_default() += count;
        }
    }
}

/// Erases all that the organisation has of a person or a user. The same again erases what is left, and finds nothing after that.
///
/// # Errors
/// [`AppError::Forbidden`] for all but administrators, [`AppError::Invalid`] for an id that nobody can have, [`AppError::InUse`] for the
/// last administrator and the caller.
pub async fn erase(app: Arc<App>, actor: Actor, id: String) -> Result<Erased> {
    actor.require(Role::Administrator)?;
    check(&actor, &id)?;
    // To the end, also when the caller does not wait for it.
    let erasing = tokio::spawn(async move { erase_all(&app, &actor, id).await });
    erasing.await.map_err(|error| AppError::Internal(anyhow::Error::new(error).context("the erasure ended")))?
}

fn check(actor: &Actor, id: &str) -> Result<()> {
    if id.is_empty() || id.chars().count() > MAX_ID || id.contains('\0') {
        return Err(AppError::invalid(
            "/userId",
            format!("The id of a person or a user has 1 to {MAX_ID} characters."),
        ));
    }
    if id == REMOVED_ID || Actor::is_nobody(id) {
        return Err(AppError::invalid("/userId", "This id stands for nobody. Send the id of a person or a user."));
    }
    if actor.user_id.as_str() == id {
        return Err(AppError::InUse("You cannot erase yourself. Ask another administrator.".to_owned()));
    }
    Ok(())
}

/// Writes an SQLite file again without copies of erased rows, and empties its log. False if others were reading all the time.
///
/// # Errors
/// When the database fails.
pub async fn compact(app: &App) -> Result<bool> {
    app.store.compact().await?;
    Ok(app.store.empty_log().await?)
}

async fn erase_all(app: &App, actor: &Actor, id: String) -> Result<Erased> {
    let mut erased = Erased::default();
    let names = names(app, actor, &id).await?;
    let subject = Subject { id, names };
    erase_account(app, actor, &subject, &mut erased).await?;
    for table in MarkedTable::ALL {
        if table == MarkedTable::Deliveries {
            // A transaction that queues deliveries from the earlier outbox ends first.
            let mut write = app.begin_bulk().await?;
            fan_outs::lock(write.connection().await?, &actor.organisation_id).await?;
            write.commit().await?;
        }
        let count = redact_table(app, actor, &subject, table).await?;
        erased.add(table.name(), count);
    }
    erased.add("goals", delete_goals(app, actor, &subject.id).await?);
    erased.add("participants", delete_participants(app, actor, &subject.id).await?);
    if !erased.removed.is_empty() {
        let mut operation = Operation::begin(app, actor).await?;
        let (resource, after) = (format!("users/{REMOVED_ID}"), Some(json!({ "removed": erased.removed })));
        record_audit(&mut operation, AuditRecord { action: "user.erase", resource, before: None, after }).await?;
        operation.commit().await?;
        if !app.store.empty_log().await? {
            tracing::warn!(
                "SQLite's log still has copies of what was erased, because others were reading; the next sweep empties it"
            );
        }
    }
    erased.rules = rules(app, actor, &subject).await?;
    Ok(erased)
}

/// The id as a string in JSON.
fn json_text(subject: &Subject) -> String {
    Value::from(subject.id.as_str()).to_string()
}

/// The paths of what has a condition with the id, each once.
async fn rules(app: &App, actor: &Actor, subject: &Subject) -> Result<Vec<String>> {
    let connection = &mut *app.store.read().await?;
    let found = erasure::rules_with(connection, &actor.organisation_id, &json_text(subject)).await?;
    let mut paths: Vec<_> =
        found.into_iter().filter(|(_, rules)| subject.is_in_conditions(rules)).map(|(path, _)| path).collect();
    paths.dedup();
    Ok(paths)
}

/// The names that the person has or had.
async fn names(app: &App, actor: &Actor, id: &str) -> Result<BTreeSet<String>> {
    let connection = &mut *app.store.read().await?;
    let mut names: BTreeSet<_> = erasure::names(connection, &actor.organisation_id, id).await?.into_iter().collect();
    for state in erasure::states(connection, &actor.organisation_id, id).await? {
        let state: Value = serde_json::from_str(&state).unwrap_or_default();
        names.extend(state.get("name").and_then(Value::as_str).map(str::to_owned));
    }
    names.remove(REMOVED_NAME);
    names.remove("");
    Ok(names)
}

/// Removes the person's record with all that belongs to it, in one transaction.
async fn erase_account(app: &App, actor: &Actor, subject: &Subject, erased: &mut Erased) -> Result<()> {
    let mut operation = Operation::begin(app, actor).await?;
    let connection = operation.connection().await?;
    let mut account = Erased::default();
    let person = match users::find(connection, actor, &subject.id).await {
        Ok(person) => Some(person),
        Err(AppError::NotFound { .. }) => None,
        Err(error) => return Err(error),
    };
    if person.is_some() {
        for (kind, statement) in erasure::ACCOUNT {
            account.add(kind, erasure::count(connection, statement, &subject.id).await?);
        }
    }
    // An identity outlives the person, to refuse who was removed.
    let identities = identities::delete(connection, &actor.organisation_id, &subject.id).await?;
    account.add("identities", identities);
    let mut answers = 0;
    // Else it is a user's id, which may be any text, also the id of a person of another organisation.
    if !subject.names.is_empty() {
        erasure::forget_creator(connection, &subject.id, REMOVED_ID).await?;
        // Before the person is gone, by whom answers are found.
        answers = erasure::delete_own_answers(connection, &subject.id).await?;
    }
    for answer in erasure::answers(connection, &actor.organisation_id, &json_text(subject)).await? {
        // The id of a person is no other word.
        if !subject.names.is_empty() || subject.is_in_conditions(&answer.body) {
            erasure::delete_answer(connection, &answer).await?;
            answers += 1;
        }
    }
    account.add("idempotencyAnswers", answers);
    if person.is_some() {
        users::remove(&mut operation, &subject.id).await?;
    }
    operation.commit().await?;
    *erased = account;
    Ok(())
}

async fn redact_table(app: &App, actor: &Actor, subject: &Subject, table: MarkedTable) -> Result<u64> {
    let (mut count, mut place): (u64, Place) = (0, (String::new(), 0));
    loop {
        let mut connection = app.store.read().await?;
        let rows = marks::page(&mut connection, table, &actor.organisation_id, &place, PAGE).await?;
        drop(connection);
        let Some(last) = rows.last() else { return Ok(count) };
        place = last.place.clone();
        let redacted = |row: MarkedRow| subject.redact(table, &row.columns).map(|new| (row, new));
        let changed: Vec<_> = rows.into_iter().filter_map(redacted).collect();
        for step in changed.chunks(STEP) {
            let mut write = app.begin_bulk().await?;
            let connection = write.connection().await?;
            for (row, new) in step {
                marks::rewrite(connection, table, row, new).await?;
                count += 1;
            }
            write.commit().await?;
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Removes a user from the participants of experiments. What was counted stays.
async fn delete_participants(app: &App, actor: &Actor, user: &str) -> Result<u64> {
    let mut connection = app.store.read().await?;
    let experiments = records::with_participants(&mut connection, Some(&actor.organisation_id)).await?;
    let mut numbers = Vec::with_capacity(experiments.len());
    for one in experiments {
        let key = participant_keys::open(app, &mut connection, &one.environment, &one.id, &one.participant_key).await?;
        numbers.extend(key.map(|key| (one.number, key.number(user))));
    }
    drop(connection);
    let mut count = 0;
    for (experiment, participant) in numbers {
        let mut write = app.begin_bulk().await?;
        count += participants::remove(write.connection().await?, experiment, participant).await?;
        write.commit().await?;
        tokio::time::sleep(PAUSE).await;
    }
    Ok(count)
}

async fn delete_goals(app: &App, actor: &Actor, user: &str) -> Result<u64> {
    let (mut count, mut place) = (0, (String::new(), String::new()));
    loop {
        let mut connection = app.store.read().await?;
        let goals = erasure::goals(&mut connection, &actor.organisation_id, user, &place, PAGE).await?;
        drop(connection);
        let Some(last) = goals.last() else { return Ok(count) };
        place = last.clone();
        for step in goals.chunks(STEP) {
            let mut write = app.begin_bulk().await?;
            let connection = write.connection().await?;
            for (environment, id) in step {
                erasure::delete_goal(connection, environment, id).await?;
                count += 1;
            }
            write.commit().await?;
            tokio::time::sleep(PAUSE).await;
        }
    }
}
