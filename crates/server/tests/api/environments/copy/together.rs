//! Fifty who copy and edit one feature at once: no update is lost, none is half made, and each result explains itself.

use flagservice_server::ids::EnvironmentId;
use flagservice_server::store::outbox;
use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{ALL, path, settings, targeted, version};
use crate::fixture::{Caller, Server, at, on_each_database, on_postgres, project, targeting_of};

const WRITERS: usize = 50;
const FEATURE: &str = "banner-color";

/// A targeting that shows in each of its settings whose it is.
fn marked(name: &str, enabled: bool, variant: &str, percent: u32) -> Value {
    let splits =
        json!([{ "variantKey": "teal", "percentage": percent }, { "variantKey": "plum", "percentage": 100 - percent }]);
    json!({ "enabled": enabled, "offVariantKey": variant, "rules": [{ "name": name, "conditions": [], "splits": splits }] })
}

/// What one of them wants.
enum Wish {
    /// A targeting of its own, in production.
    Edit(Value),
    /// These settings of an environment; with whatever version production is seen at, when it looks first.
    Copy { source: &'static str, selected: &'static [&'static str], looks: bool },
}

fn wish(number: usize) -> Wish {
    let percent = u32::try_from(number).unwrap();
    match number % 5 {
        0 => Wish::Copy { source: "staging", selected: &ALL, looks: false },
        1 => Wish::Copy { source: "development", selected: &ALL, looks: false },
        2 => Wish::Copy { source: "staging", selected: &["rules"], looks: true },
        3 => Wish::Copy { source: "development", selected: &["enabled", "offVariantKey"], looks: true },
        _ => Wish::Edit(marked(&format!("by hand {number}"), number.is_multiple_of(2), "plum", percent)),
    }
}

/// What became of a wish.
enum Fate {
    /// Production is at this version with it.
    Made(u64),
    /// It was left alone, for this reason; the version that was seen, if one was.
    Skipped(Value, Option<u64>),
}

async fn carry_out(caller: &Caller, wish: &Wish) -> Fate {
    let there = targeting_of(FEATURE, "production");
    match wish {
        Wish::Edit(targeting) => Fate::Made(caller.put(&there, targeting).await.ok(200)["version"].as_u64().unwrap()),
        Wish::Copy { source, selected, looks } => {
            let mut request = json!({ "source": source, "target": "production", "featureKeys": [FEATURE],
                "settings": settings(selected) });
            let mut seen = None;
            if *looks {
                seen = caller.get(&there).await.ok(200)["version"].as_u64();
                request["targetVersions"] = json!({ FEATURE: seen });
            }
            let result = caller.post(&path(), &request).await.ok(200)["results"][0].clone();
            match result["outcome"].as_str().unwrap() {
                "APPLIED" => Fate::Made(result["version"].as_u64().unwrap()),
                "SKIPPED" => Fate::Skipped(result["reason"].clone(), seen),
                other => panic!("{other}: {result}"),
            }
        }
    }
}

/// The versions after this one that production's outbox has an entry for.
async fn published(server: &Server, after: u64) -> Vec<u64> {
    let list = server.read_only().get(&project("/environments")).await.items();
    let production = list.iter().find(|item| item["key"] == "production").unwrap();
    let id = EnvironmentId::from(production["id"].as_str().unwrap().to_owned());
    let mut connection = server.app.store.read().await.unwrap();
    let entries = outbox::after(&mut connection, &id, after).await.unwrap();
    entries.iter().map(|entry| entry.version).collect()
}

/// Before and after, of each change of production that the audit log has, in no order that counts.
async fn traced(server: &Server) -> Vec<[String; 2]> {
    let log =
        format!("/api/v1/audit-log?resource=projects/shop/features/{FEATURE}&from=2026-11-21T11:00:00Z&limit=200");
    let side = |entry: &Value, side: &str| entry[side]["targetings"][0]["targeting"].to_string();
    let entries = server.read_only().get(&log).await.items();
    let mut pairs: Vec<_> = entries.iter().map(|entry| [side(entry, "before"), side(entry, "after")]).collect();
    pairs.sort();
    pairs
}

/// All wishes at once, each at the next of the servers, which share a database.
async fn all_at_once(servers: &[Server]) {
    let first = &servers[0];
    let callers: Vec<_> = servers.iter().map(Server::production_editor).collect();
    for (environment, targeting) in [
        ("development", marked("development", false, "amber", 98)),
        ("staging", marked("staging", true, "teal", 99)),
        ("production", marked("production", true, "off", 97)),
    ] {
        callers[0].put(&targeting_of(FEATURE, environment), &targeting).await.ok(200);
    }
    for server in servers {
        server.clock.set(at("2026-11-21T11:00:00Z"));
    }
    let begin = version(first, "production").await;
    let mut state = targeted(first, FEATURE, "production").await;
    let sources = [
        ("staging", targeted(first, FEATURE, "staging").await),
        ("development", targeted(first, FEATURE, "development").await),
    ];
    let source_of = |key: &str| &sources.iter().find(|(source, _)| *source == key).unwrap().1;
    let wishes: Vec<_> = (0..WRITERS).map(wish).collect();
    let tried = wishes.iter().enumerate().map(|(number, wish)| carry_out(&callers[number % callers.len()], wish));
    let fates = join_all(tried).await;

    // Told one after the other by their versions, those that were made come to what is there.
    let mut made: Vec<_> = fates
        .iter()
        .zip(&wishes)
        .filter_map(|(fate, wish)| match fate {
            Fate::Made(version) => Some((*version, wish)),
            Fate::Skipped(..) => None,
        })
        .collect();
    made.sort_by_key(|(version, _)| *version);
    let versions: Vec<_> = made.iter().map(|(version, _)| *version).collect();
    let end = begin + u64::try_from(made.len()).unwrap();
    assert_eq!(versions, (begin + 1..=end).collect::<Vec<_>>());
    assert_eq!(published(first, begin).await, versions);
    assert_eq!(version(first, "production").await, end);
    let mut states = vec![state.clone()];
    for (_, wish) in &made {
        match wish {
            Wish::Edit(targeting) => state.clone_from(targeting),
            Wish::Copy { source, selected, .. } => {
                for setting in *selected {
                    state[*setting] = source_of(source)[*setting].clone();
                }
            }
        }
        states.push(state.clone());
    }
    assert_eq!(targeted(first, FEATURE, "production").await, state);
    // And each of them found what the one before had left.
    let text = |state: &Value| serde_json::from_value::<flagservice_rules::Targeting>(state.clone()).unwrap();
    let text = |state: &Value| serde_json::to_value(text(state)).unwrap().to_string();
    let mut expected: Vec<_> = states.windows(2).map(|pair| [text(&pair[0]), text(&pair[1])]).collect();
    expected.sort();
    assert_eq!(traced(first).await, expected);

    for (fate, wish) in fates.iter().zip(&wishes) {
        let (Fate::Skipped(reason, seen), Wish::Copy { source, selected, .. }) = (fate, wish) else { continue };
        let same = |state: &&Value| selected.iter().all(|setting| source_of(source)[*setting] == state[*setting]);
        match reason["code"].as_str().unwrap() {
            "identical" => assert!(states.iter().any(|state| same(&state)), "{reason}"),
            "targetChanged" => {
                let later = (seen.unwrap() + 1..=end).map(|version| format!("at version {version} now"));
                let detail = reason["detail"].as_str().unwrap();
                assert!(later.into_iter().any(|version| detail.contains(&version)), "{seen:?}: {detail}");
            }
            other => panic!("{other}: {reason}"),
        }
    }
    assert!(made.len() >= WRITERS / 5, "every edit by hand is made");
}

#[apply(on_each_database)]
async fn fifty_concurrent_copies_and_edits_of_one_feature_lose_no_update_and_leave_none_incomplete(database: Database) {
    all_at_once(&[Server::start(&database).await]).await;
}

#[apply(on_postgres)]
async fn fifty_concurrent_writes_on_two_nodes_lose_no_update_and_leave_none_incomplete(database: Database) {
    all_at_once(&[Server::start(&database).await, Server::start(&database).await]).await;
}

#[apply(on_each_database)]
async fn a_copy_reads_a_consistent_snapshot_of_a_source_that_is_being_edited(database: Database) {
    const ROUNDS: u32 = 25;
    let server = Server::start(&database).await;
    let caller = server.production_editor();
    let states = [marked("first", true, "teal", 10), marked("second", false, "amber", 90)];
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
