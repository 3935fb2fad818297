//! What changes while a copy is running: the permission, the time.

use flagservice_core::Key;
use flagservice_rules::CopySettings;
use flagservice_server::app::changes::idempotency::{BegunSteps, begin_steps};
use flagservice_server::app::compare::copied::CopyOutcome;
use flagservice_server::app::compare::copy::{self, CopyRequest, SeenVersions};
use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{ALL, differ, path, request, version};
use crate::fixture::{Server, at, environment, everyone, on_default_database, targeting};

/// Copies features to `development`, and does something once the first was copied. Returns the results, the request, and by how
/// much the version rose.
async fn copy_and(server: &Server, features: usize, meanwhile: impl AsyncFnOnce()) -> (Vec<Value>, Value, u64) {
    let keys: Vec<_> = (0..features).map(|number| format!("many-{number:03}")).collect();
    let of = |key: &String| (key.clone(), vec![("staging", targeting(&[everyone("off")]))]);
    server.create_features(keys.iter().map(of)).await;
    let mut whole = request(&keys.iter().map(String::as_str).collect::<Vec<_>>(), &ALL);
    whole["target"] = json!("development");
    let (caller, path, before) = (server.editor(), path(), version(server, "development").await);
    let act = async {
        while version(server, "development").await == before {
            tokio::task::yield_now().await;
        }
        meanwhile().await;
    };
    let (response, ()) = tokio::join!(caller.post_once(&path, "key", &whole), act);
    // The stored response of the same request is the same.
    assert_eq!(caller.post_once(&path, "key", &whole).await.text, response.text);
    let results = response.ok(200)["results"].as_array().unwrap().clone();
    let named: Vec<_> = results.iter().map(|result| result["featureKey"].as_str().unwrap()).collect();
    assert_eq!(named, keys);
    (results, whole, version(server, "development").await - before)
}

#[apply(on_default_database)]
async fn if_the_target_becomes_production_each_feature_still_has_its_outcome(database: Database) {
    // So many that they are not all copied before the change.
    const FEATURES: usize = 400;
    let server = Server::start(&database).await;
    let (results, whole, changes) = copy_and(&server, FEATURES, async || {
        let production = json!({ "production": true });
        server.administrator().patch(&environment("development", ""), &production).await.ok(200);
    })
    .await;
    let copied = results.iter().take_while(|result| result["outcome"] == "APPLIED").count();
    assert!((1..FEATURES).contains(&copied), "{copied} were copied: the permission was not lost meanwhile");
    // That it is production raised the version, too.
    assert_eq!(changes, 1 + u64::try_from(copied).unwrap());
    for result in &results[copied..] {
        assert_eq!((&result["outcome"], &result["reason"]["code"]), (&json!("SKIPPED"), &json!("notPermitted")));
        let detail = result["reason"]["detail"].as_str().unwrap();
        assert!(detail.starts_with("The permission was lost while the copy was running: "), "{detail}");
        assert!(detail.contains("production"), "{detail}");
    }
    // Another request is refused as a whole: it has copied nothing.
    server.editor().post(&path(), &whole).await.problem(403, "forbidden");
}

#[apply(on_default_database)]
async fn a_copy_whose_time_comes_while_it_is_running_is_scheduled_for_that_time(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    let actor = server.actor(Role::ProductionEditor).await;
    let request = CopyRequest {
        source: Key::parse("staging").unwrap(),
        target: Key::parse("production").unwrap(),
        features: vec!["reviews".to_owned()],
        settings: CopySettings { enabled: true, off_variant: true, rules: true },
        comment: None,
        scheduled_for: Some(at("2026-11-21T11:00:00Z")),
        seen: SeenVersions::default(),
    };
    let permitted = copy::permit(&server.app, &actor, "shop", &request).await.unwrap();
    server.clock.set(at("2026-11-21T11:00:01Z"));
    let BegunSteps::Open(mut steps) = begin_steps(&server.app, &actor, None).await.unwrap() else {
        panic!("a request without a key is always new");
    };
    let results = copy::copy(&server.app, &permitted, &mut steps).await.unwrap();
    assert!(matches!(results[0].outcome, CopyOutcome::Scheduled(Some(_))), "{results:?}");
}
