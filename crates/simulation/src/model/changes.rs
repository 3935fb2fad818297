//! Nothing acknowledged is lost: each change of a targeting continues from the one before it, every acknowledged one is among them once,
//! and no refused one. The same for descriptions and new features.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::history::operations::{Kind, Operation, Outcome};
use crate::model::stored::{Audited, Stored};

/// A change of a targeting in the audit log.
#[derive(Clone, Debug)]
pub struct Change {
    /// The targeting before, in the normal form.
    pub before: Value,
    /// The targeting after, in the normal form.
    pub after: Value,
    /// The approval that was granted.
    pub approval: Option<String>,
    /// Why it was switched off without one.
    pub reason: Option<String>,
    /// The comment of its author.
    pub comment: Option<String>,
}

/// The changes of each targeting, by keys of feature and environment, in the order of commits.
pub type Changes = BTreeMap<(String, String), Vec<Change>>;

/// A targeting in one form, whatever was left out where it was written.
pub fn normal(targeting: &Value) -> Value {
    let field = |name: &str| targeting.get(name).cloned().unwrap_or_default();
    let rule = |rule: &Value| {
        let field = |name: &str| rule.get(name).cloned().unwrap_or_default();
        let conditions = if field("conditions").is_null() { json!([]) } else { field("conditions") };
        json!([field("name"), conditions, field("splits")])
    };
    let rules: Vec<_> = targeting.get("rules").and_then(Value::as_array).into_iter().flatten().map(rule).collect();
    json!([field("enabled"), field("offVariantKey"), rules])
}

fn feature_of(entry: &Audited) -> Option<&str> {
    entry.resource.strip_prefix("projects/shop/features/").filter(|key| !key.contains('/'))
}

/// All changes of targetings.
pub fn changes(stored: &Stored) -> Changes {
    let mut changes = Changes::new();
    for entry in &stored.audit {
        let Some(feature) = feature_of(entry) else { continue };
        let targetings = |state: &Value| -> BTreeMap<String, Value> {
            let list = state.get("targetings").and_then(Value::as_array).into_iter().flatten();
            let one =
                |item: &Value| Some((item.get("environmentKey")?.as_str()?.to_owned(), normal(item.get("targeting")?)));
            list.filter_map(one).collect()
        };
        let text = |name: &str| entry.after.get(name).and_then(Value::as_str).map(str::to_owned);
        let before = targetings(&entry.before);
        for (environment, after) in targetings(&entry.after) {
            // A new feature has no targeting before, and a record that changes keeps its own.
            let Some(before) = before.get(&environment).filter(|before| **before != after) else { continue };
            changes.entry((feature.to_owned(), environment)).or_default().push(Change {
                before: before.clone(),
                after,
                approval: text("approvalId"),
                reason: text("reason"),
                comment: text("comment"),
            });
        }
    }
    changes
}

/// What does not hold.
pub fn violations(stored: &Stored, operations: &[Operation]) -> Vec<String> {
    let changes = changes(stored);
    let mut found = broken_chains(stored, &changes);
    found.extend(missing_entries(stored));
    for operation in operations {
        found.extend(wrong_outcome(stored, &changes, operation));
        found.extend(wrong_version(stored, operation));
    }
    found.extend(wrong_order(&changes, operations));
    found
}

/// Each change begins with what the one before it has left, and the last one is what is stored.
fn broken_chains(stored: &Stored, changes: &Changes) -> Vec<String> {
    let mut found = Vec::new();
    for ((feature, environment), list) in changes {
        for (earlier, later) in list.iter().zip(list.iter().skip(1)) {
            if earlier.after != later.before {
                found.push(format!(
                    "a change of {feature} in {environment} was overwritten: {} was stored, and the next change began with {}",
                    earlier.after, later.before
                ));
            }
        }
        let last = list.last().map(|change| &change.after);
        let now =
            stored.targetings.get(&(feature.clone(), environment.clone())).map(|(targeting, _)| normal(targeting));
        if last != now.as_ref() {
            found.push(format!("{feature} in {environment} is {now:?}, and its last change was {last:?}"));
        }
    }
    found
}

/// The outbox of an environment has each of its versions.
fn missing_entries(stored: &Stored) -> Vec<String> {
    let mut found = Vec::new();
    for environment in &stored.environments {
        let versions: Vec<_> = stored
            .outbox
            .iter()
            .filter(|entry| entry.environment == environment.id)
            .map(|entry| entry.version)
            .collect();
        // The last one in the template: those of the history follow.
        let first = versions.first().copied().unwrap_or(environment.version);
        if versions != (first..=environment.version).collect::<Vec<_>>() {
            let (key, version) = (&environment.key, environment.version);
            found.push(format!("the outbox of {key}, which has version {version}, has the versions {versions:?}"));
        }
    }
    found
}

/// How often an operation is among the changes.
fn count(stored: &Stored, changes: &Changes, kind: &Kind) -> Option<usize> {
    let of = |feature: &String, environment: &str| changes.get(&(feature.clone(), environment.to_owned()));
    let number =
        |list: Option<&Vec<Change>>, is_it: &dyn Fn(&&Change) -> bool| list.into_iter().flatten().filter(is_it).count();
    Some(match kind {
        Kind::Edit { feature, environment, targeting } => {
            let targeting = normal(targeting);
            number(of(feature, environment), &|change| change.after == targeting)
        }
        Kind::SwitchOff { feature, environment, reason } => {
            number(of(feature, environment), &|change| change.reason.as_ref() == Some(reason))
        }
        Kind::Copy { feature, comment } => {
            number(of(feature, "production"), &|change| change.comment.as_ref() == Some(comment))
        }
        Kind::Describe { feature, description } => {
            let is_it = |entry: &&Audited| {
                let is_description =
                    |state: &Value| state.get("description").and_then(Value::as_str) == Some(description);
                feature_of(entry) == Some(feature) && is_description(&entry.after) && !is_description(&entry.before)
            };
            stored.audit.iter().filter(is_it).count()
        }
        Kind::Create { feature } => usize::from(stored.features.contains_key(feature)),
        Kind::Decide { .. } | Kind::Switch { .. } => return None,
    })
}

fn wrong_outcome(stored: &Stored, changes: &Changes, operation: &Operation) -> Option<String> {
    let count = count(stored, changes, &operation.kind)?;
    // Whether a copy, or a switch-off of what is off, changes anything depends on what is there.
    let may_be_nothing = matches!(operation.kind, Kind::SwitchOff { .. } | Kind::Copy { .. });
    let wrong = match operation.outcome() {
        Outcome::Done if may_be_nothing => count > 1,
        Outcome::Done => count != 1,
        Outcome::Rejected => count != 0,
        Outcome::Pending | Outcome::Unknown => count > 1,
    };
    wrong.then(|| format!("it is stored {count} times: {operation:?}"))
}

/// The version that a change was answered is that of its entry in the outbox.
fn wrong_version(stored: &Stored, operation: &Operation) -> Option<String> {
    let Kind::Edit { feature, environment, .. } = &operation.kind else { return None };
    let (_, answer) = operation.answered.as_ref().filter(|_| operation.outcome() == Outcome::Done)?;
    let version = i64::try_from(answer.version?).ok()?;
    let environment = stored.environments.iter().find(|stored| stored.key == *environment)?;
    let mut entries = stored.outbox.iter().filter(|entry| entry.environment == environment.id);
    let found = entries.any(|entry| entry.version == version && entry.feature == *feature);
    (!found).then(|| format!("the outbox has no entry with version {version}: {operation:?}"))
}

/// A change that was acknowledged before another one was asked for comes before it.
fn wrong_order(changes: &Changes, operations: &[Operation]) -> Vec<String> {
    let mut found = Vec::new();
    let done = operations.iter().filter(|operation| operation.outcome() == Outcome::Done);
    let placed = done.filter_map(|operation| {
        let Kind::Edit { feature, environment, targeting } = &operation.kind else { return None };
        let targeting = normal(targeting);
        let key = (feature.clone(), environment.clone());
        let place = changes.get(&key)?.iter().position(|change| change.after == targeting)?;
        let (answered_at, _) = operation.answered.as_ref()?;
        Some((key, place, operation.asked_at, *answered_at))
    });
    let placed: Vec<_> = placed.collect();
    for (key, place, _, answered_at) in &placed {
        for (other, other_place, asked_at, _) in &placed {
            if key == other && answered_at < asked_at && place > other_place {
                found.push(format!("two changes of {key:?} are in another order than they were acknowledged in"));
            }
        }
    }
    found
}
