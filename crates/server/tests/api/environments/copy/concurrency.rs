//! Fifty concurrent copies and edits of one feature: no update is lost or incomplete, and every result is plausible.

use flagservice_server::domain::ids::EnvironmentId;
use flagservice_server::store::changes::outbox;
use futures_util::{StreamExt as _, stream};
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{ALL, path, settings, targeted, version};
use crate::fixture::{Caller, Server, at, on_each_database, on_postgres, project, targeting_of};

const WRITERS: usize = 50;

/// How many write at once: on a slow machine a longer line takes longer than a write may wait.
const AT_ONCE: usize = 12;

const FEATURE: &str = "banner-color";

/// A targeting that can be recognised by each of its settings.
fn distinct_targeting(name: &str, enabled: bool, variant: &str, percent: u32) -> Value {
    let splits =
        json!([{ "variantKey": "teal", "percentage": percent }, { "variantKey": "plum", "percentage": 100 - percent }]);
    json!({ "enabled": enabled, "offVariantKey": variant, "rules": [{ "name": name, "conditions": [], "splits": splits }] })
}

/// What one caller wants to write.
enum PlannedWrite {
    /// Its own targeting in production.
    Edit(Value),
    /// These settings of another environment, with the version of production if it reads that first.
    Copy { source: &'static str, selected: &'static [&'static str], reads_version: bool },
}

fn nth_write(number: usize) -> PlannedWrite {
    let percent = u32::try_from(number).unwrap();
    match number % 5 {
        0 => PlannedWrite::Copy { source: "staging", selected: &ALL, reads_version: false },
        1 => PlannedWrite::Copy { source: "development", selected: &ALL, reads_version: false },
        2 => PlannedWrite::Copy { source: "staging", selected: &["rules"], reads_version: true },
        3 => PlannedWrite::Copy { source: "development", selected: &["enabled", "offVariantKey"], reads_version: true },
        _ => PlannedWrite::Edit(distinct_targeting(
            &format!("by hand {number}"),
            number.is_multiple_of(2),
            "plum",
            percent,
        )),
    }
}

/// The result of a write.
enum WriteResult {
    /// It was applied with this version.
    Applied(u64),
    /// It was skipped for this reason. The number is the version that was read before, if any.
    Skipped(Value, Option<u64>),
}

async fn send_write(caller: &Caller, write: &PlannedWrite) -> WriteResult {
    let there = targeting_of(FEATURE, "production");
    match write {
        PlannedWrite::Edit(targeting) => {
            WriteResult::Applied(caller.put(&there, targeting).await.ok(200)["version"].as_u64().unwrap())
        }
        PlannedWrite::Copy { source, selected, reads_version } => {
            let mut request = json!({ "source": source, "target": "production", "featureKeys": [FEATURE],
                "settings": settings(selected) });
            let mut seen = None;
            if *reads_version {
                seen = caller.get(&there).await.ok(200)["version"].as_u64();
                request["targetVersions"] = json!({ FEATURE: seen });
            }
            let result = caller.post(&path(), &request).await.ok(200)["results"][0].clone();
            match result["outcome"].as_str().unwrap() {
                "APPLIED" => WriteResult::Applied(result["version"].as_u64().unwrap()),
                "SKIPPED" => WriteResult::Skipped(result["reason"].clone(), seen),
                other => panic!("{other}: {result}"),
            }
        }
    }
}

/// The later versions in the outbox of production.
async fn outbox_versions(server: &Server, after: u64) -> Vec<u64> {
    let list = server.read_only().get(&project("/environments")).await.items();
    let production = list.iter().find(|item| item["key"] == "production").unwrap();
    let id = EnvironmentId::from(production["id"].as_str().unwrap().to_owned());
    let mut connection = server.app.store.read().await.unwrap();
    let entries = outbox::after(&mut connection, &id, after).await.unwrap();
    entries.iter().map(|entry| entry.version).collect()
}

/// The targeting before and after each change of production in the audit log, sorted.
async fn audited_changes(server: &Server) -> Vec<[String; 2]> {
    let log =
        format!("/api/v1/audit-log?resource=projects/shop/features/{FEATURE}&from=2026-11-21T11:00:00Z&limit=200");
    let side = |entry: &Value, side: &str| entry[side]["targetings"][0]["targeting"].to_string();
    let entries = server.read_only().get(&log).await.items();
    let mut pairs: Vec<_> = entries.iter().map(|entry| [side(entry, "before"), side(entry, "after")]).collect();
    pairs.sort();
    pairs
}

/// Sends the writes concurrently, distributed over servers that share a database, and checks the results.
async fn run_concurrently(servers: &[Server]) {
    let first = &servers[0];
    let callers: Vec<_> = servers.iter().map(Server::production_editor).collect();
    for (environment, targeting) in [
        ("development", distinct_targeting("development", false, "amber", 98)),
        ("staging", distinct_targeting("staging", true, "teal", 99)),
        ("production", distinct_targeting("production", true, "off", 97)),
    ] {
        callers[0].put(&targeting_of(FEATURE, environment), &targeting).await.ok(200);
    }
    for server in servers {
        server.clock.set(at("2026-11-21T11:00:00Z"));
    }
    let begin = version(first, "production").await;
    let initial = targeted(first, FEATURE, "production").await;
    let sources = Sources {
        staging: targeted(first, FEATURE, "staging").await,
        development: targeted(first, FEATURE, "development").await,
    };
    let writes: Vec<_> = (0..WRITERS).map(nth_write).collect();
    let sent = writes.iter().enumerate().map(|(number, write)| send_write(&callers[number % callers.len()], write));
    let results: Vec<_> = stream::iter(sent).buffered(AT_ONCE).collect().await;

    // Replaying the applied writes in order of their versions must give the stored state.
    let mut applied: Vec<_> = results
        .iter()
        .zip(&writes)
        .filter_map(|(result, write)| match result {
            WriteResult::Applied(version) => Some((*version, write)),
            WriteResult::Skipped(..) => None,
        })
        .collect();
    assert!(applied.len() >= WRITERS / 5, "every edit is applied");
    applied.sort_by_key(|(version, _)| *version);
    let versions: Vec<_> = applied.iter().map(|(version, _)| *version).collect();
    let end = begin + u64::try_from(applied.len()).unwrap();
    assert_eq!(versions, (begin + 1..=end).collect::<Vec<_>>());
    assert_eq!(outbox_versions(first, begin).await, versions);
    assert_eq!(version(first, "production").await, end);
    let states = replay(initial, applied.into_iter().map(|(_, write)| write), &sources);
    assert_eq!(targeted(first, FEATURE, "production").await, *states.last().unwrap());
    // Each write must have started from the result of the previous one.
    let parse = |state: &Value| serde_json::from_value::<flagservice_rules::Targeting>(state.clone()).unwrap();
    let json_text = |state: &Value| serde_json::to_value(parse(state)).unwrap().to_string();
    let mut expected: Vec<_> = states.windows(2).map(|pair| [json_text(&pair[0]), json_text(&pair[1])]).collect();
    expected.sort();
    assert_eq!(audited_changes(first).await, expected);
    for (result, write) in results.iter().zip(&writes) {
        assert_skipped_for_a_reason(result, write, &states, &sources, end);
    }
}

/// The targeting of the source environments.
struct Sources {
    staging: Value,
    development: Value,
}

impl Sources {
    fn get(&self, environment: &str) -> &Value {
        if environment == "staging" { &self.staging } else { &self.development }
    }
}

/// The initial targeting in production, and that after each write.
fn replay<'a>(initial: Value, writes: impl Iterator<Item = &'a PlannedWrite>, sources: &Sources) -> Vec<Value> {
    let mut states = vec![initial.clone()];
    let mut state = initial;
    for write in writes {
        match write {
            PlannedWrite::Edit(targeting) => state.clone_from(targeting),
            PlannedWrite::Copy { source, selected, .. } => {
                for setting in *selected {
                    state[*setting] = sources.get(source)[*setting].clone();
                }
            }
        }
        states.push(state.clone());
    }
    states
}

/// Asserts that the reason of a skipped copy was true at some time.
fn assert_skipped_for_a_reason(
    result: &WriteResult,
    write: &PlannedWrite,
    states: &[Value],
    sources: &Sources,
    end: u64,
) {
    let (WriteResult::Skipped(reason, seen), PlannedWrite::Copy { source, selected, .. }) = (result, write) else {
        return;
    };
    let same = |state: &Value| selected.iter().all(|setting| sources.get(source)[*setting] == state[*setting]);
    match reason["code"].as_str().unwrap() {
        "identical" => assert!(states.iter().any(same), "{reason}"),
        "targetChanged" => {
            let mut later = (seen.unwrap() + 1..=end).map(|version| format!("at version {version} now"));
            let detail = reason["detail"].as_str().unwrap();
            assert!(later.any(|version| detail.contains(&version)), "{seen:?}: {detail}");
        }
        other => panic!("{other}: {reason}"),
    }
}

#[apply(on_each_database)]
async fn fifty_concurrent_copies_and_edits_of_one_feature_lose_no_update_and_leave_none_incomplete(database: Database) {
    run_concurrently(&[Server::start(&database).await]).await;
}

#[apply(on_postgres)]
async fn fifty_concurrent_writes_on_two_nodes_lose_no_update_and_leave_none_incomplete(database: Database) {
    run_concurrently(&[Server::start(&database).await, Server::start(&database).await]).await;
}

#[apply(on_each_database)]
async fn a_copy_reads_a_consistent_snapshot_of_a_source_that_is_being_edited(database: Database) {
    const ROUNDS: u32 = 25;
    let server = Server::start(&database).await;
    let caller = server.production_editor();
    let states = [distinct_targeting("first", true, "teal", 10), distinct_targeting("second", false, "amber", 90)];
    for environment in ["staging", "production"] {
        caller.put(&targeting_of(FEATURE, environment), &states[0]).await.ok(200);
    }
    server.clock.set(at("2026-11-21T11:00:00Z"));
    let edit = async {
        for round in 1..=ROUNDS {
            caller.put(&targeting_of(FEATURE, "staging"), &states[usize::try_from(round % 2).unwrap()]).await.ok(200);
        }
    };
    let request =
        json!({ "source": "staging", "target": "production", "featureKeys": [FEATURE], "settings": settings(&ALL) });
    let copy = async {
        for _ in 0..ROUNDS {
            caller.post(&path(), &request).await.ok(200);
        }
    };
    tokio::join!(edit, copy);
    let log =
        format!("/api/v1/audit-log?resource=projects/shop/features/{FEATURE}&from=2026-11-21T11:00:00Z&limit=200");
    let entries = server.read_only().get(&log).await.items();
    let copies: Vec<_> = entries.iter().filter(|entry| entry["after"]["copiedFrom"] == "staging").collect();
    assert!(!copies.is_empty(), "nothing was copied");
    for entry in copies {
        let after = &entry["after"]["targetings"][0];
        assert_eq!(after["environmentKey"], "production");
        assert!(states.contains(&after["targeting"]), "{after}");
    }
}
