//! Each change is annotated at least once by each integration that matches, in order. The most attempts of a run are counted where they
//! are made (`history/deliveries.rs`).

use std::collections::BTreeMap;

use flagservice_server::secret;
use serde_json::Value;

use crate::history::deliveries;
use crate::model::commits::Commits;
use crate::model::stored::{Entry, Stored, StoredDelivery};

/// The id of a delivery's requests, as the documentation of webhooks has it: made of the integration and the change.
fn message_id(delivery: &StoredDelivery) -> String {
    format!("msg_{}", secret::hash(&format!("{} {}", delivery.integration, delivery.entry)))
}

/// The name of the change of an entry, if it is announced: a change of a targeting or an approval. A new feature is none.
fn announced(entry: &Entry) -> Option<String> {
    let aspects = entry.change.get("aspects").and_then(Value::as_array);
    let changes_something =
        aspects.is_some_and(|aspects| aspects.iter().any(|aspect| aspect.as_str() != Some("created")));
    let is_announced = changes_something || entry.change.get("approval").is_some();
    is_announced.then(|| format!("{}:{}", entry.change_id, entry.environment))
}

/// The changes of which an integration is notified, in the order of commits: those during which it was on.
fn expected<'a>(
    stored: &'a Stored,
    commits: &'a Commits,
    webhooks: &'a [String; 2],
) -> impl Iterator<Item = (&'a String, String)> {
    let production = stored.environments.iter().find(|environment| environment.key == "production");
    let [all, _] = webhooks;
    webhooks.iter().flat_map(move |webhook| {
        let matching = stored.outbox.iter().filter(move |entry| {
            webhook == all || production.is_some_and(|production| production.id == entry.environment)
        });
        let on = matching.filter(move |entry| commits.was_on(webhook, entry.place) == Some(true));
        on.filter_map(move |entry| Some((webhook, announced(entry)?)))
    })
}

/// Why not all changes have been annotated yet.
pub fn missing(stored: &Stored, commits: &Commits, webhooks: &[String; 2]) -> Option<String> {
    if let Some(waiting) = stored.deliveries.iter().find(|delivery| delivery.state == "waiting") {
        return Some(format!("a delivery waits: {waiting:?}"));
    }
    let is_queued = |webhook: &String, name: &String| {
        stored.deliveries.iter().any(|delivery| delivery.integration == *webhook && delivery.entry == *name)
    };
    let (webhook, name) = expected(stored, commits, webhooks).find(|(webhook, name)| !is_queued(webhook, name))?;
    Some(format!("the change {name} was not sent to the webhook {webhook}"))
}

/// What does not hold.
pub fn violations(stored: &Stored, commits: &Commits, webhooks: &[String; 2]) -> Vec<String> {
    let mut found: Vec<_> = missing(stored, commits, webhooks).into_iter().collect();
    let log = deliveries::log();
    found.extend(log.violations.iter().cloned());
    found.extend(commits.violations.iter().cloned());
    for delivery in &stored.deliveries {
        let message = message_id(delivery);
        let was_accepted = log.attempts.iter().any(|attempt| attempt.message == message && attempt.accepted);
        let attempts = delivery.attempts.as_array().map_or(0, Vec::len);
        if delivery.state == "delivered" && !was_accepted {
            found.push(format!("it counts as delivered, and no destination has accepted it: {delivery:?}"));
        }
        if delivery.state == "failed" && attempts < 2 {
            found.push(format!("it has failed after {attempts} attempts: {delivery:?}"));
        }
    }
    found.extend(wrong_positions(stored, commits, webhooks));
    found.extend(wrong_attempts(stored, &log.attempts));
    found
}

/// Deliveries are queued in the order of commits.
fn wrong_positions(stored: &Stored, commits: &Commits, webhooks: &[String; 2]) -> Option<String> {
    let position = |webhook: &String, name: &String| {
        let of_change = |delivery: &&StoredDelivery| delivery.integration == *webhook && delivery.entry == *name;
        stored.deliveries.iter().find(of_change).map(|delivery| delivery.position)
    };
    let mut last: BTreeMap<&String, i64> = BTreeMap::new();
    for (webhook, name) in expected(stored, commits, webhooks) {
        let Some(position) = position(webhook, &name) else { continue };
        if last.insert(webhook, position).is_some_and(|before| before >= position) {
            return Some(format!("the change {name} was queued out of order for the webhook {webhook}"));
        }
    }
    None
}

/// No run sends a delivery that began after a later one had arrived.
fn wrong_attempts(stored: &Stored, attempts: &[deliveries::Attempt]) -> Option<String> {
    let positions: BTreeMap<_, _> =
        stored.deliveries.iter().map(|delivery| (message_id(delivery), delivery.position)).collect();
    let of_message = |attempt: &deliveries::Attempt| positions.get(&attempt.message).copied();
    for attempt in attempts {
        let Some(position) = of_message(attempt) else {
            return Some(format!("a destination received something that no delivery is: {attempt:?}"));
        };
        let overtaken = attempts.iter().find(|earlier| {
            let is_later_delivery = of_message(earlier).is_some_and(|other| other > position);
            earlier.integration == attempt.integration && earlier.arrived < attempt.run_began && is_later_delivery
        });
        if let Some(overtaken) = overtaken {
            return Some(format!("{attempt:?} was sent again after {overtaken:?}, which is a later change"));
        }
    }
    None
}
