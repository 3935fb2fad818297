//! Adjacent releases can share a database: fields that a later one adds to stored JSON are ignored.

use macro_rules_attribute::apply;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Column as _, Row as _};

use super::integrations::{create, integration, path, settled, start};
use crate::fixture::{Server, features, on_each_database, project, targeting_of};

/// The tables with JSON that is read again. Goals have objects too, by the names of features, not with fixed fields.
const TABLES: [&str; 8] =
    ["targetings", "features", "audiences", "environments", "pipelines", "approvals", "outbox", "deliveries"];

/// Adds a field to each object, and returns how many there are.
fn extend(value: &mut Value) -> usize {
    match value {
        Value::Object(object) => {
            let inside: usize = object.values_mut().map(extend).sum();
            object.insert("addedLater".to_owned(), json!({ "more": [1, null, "x"] }));
            inside + 1
        }
        Value::Array(list) => list.iter_mut().map(extend).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Adds a field to each object of all stored JSON. Returns the columns that have some.
async fn extend_all(server: &Server) -> Vec<String> {
    let mut write = server.app.store.write().await.unwrap();
    let connection = write.connection().await.unwrap();
    let mut extended = Vec::new();
    for table in TABLES {
        let rows =
            sqlx::query(AssertSqlSafe(format!("SELECT * FROM {table}"))).fetch_all(&mut *connection).await.unwrap();
        for row in &rows {
            for column in row.columns() {
                let name = column.name();
                let Ok(Some(text)) = row.try_get::<Option<String>, _>(name) else { continue };
                let Ok(mut value) = serde_json::from_str::<Value>(&text) else { continue };
                if extend(&mut value) > 0 {
                    let update = format!("UPDATE {table} SET {name} = $1 WHERE {name} = $2");
                    let update = sqlx::query(AssertSqlSafe(update)).bind(value.to_string()).bind(&text);
                    update.execute(&mut *connection).await.unwrap();
                    extended.push(format!("{table}.{name}"));
                }
            }
        }
    }
    write.commit().await.unwrap();
    extended.sort();
    extended.dedup();
    extended
}

/// What people and clients get.
async fn responses(server: &Server, integration: &str) -> Vec<Value> {
    let administrator = server.administrator();
    let mut all = Vec::new();
    for list in ["/features?environments=true", "/audiences", "/environments", "/pipelines", "/approvals"] {
        all.push(json!(administrator.get(&project(list)).await.ok(200)));
    }
    all.push(administrator.get(&path(&format!("/{integration}/deliveries"))).await.ok(200));
    for environment in ["development", "staging", "production"] {
        for user in ["alice", "tester-1"] {
            all.push(json!(server.browser(environment).load_id(user).await.features));
        }
        all.push(administrator.get(&targeting_of("express-delivery", environment)).await.ok(200));
    }
    all
}

#[apply(on_each_database)]
async fn fields_that_a_later_release_added_to_stored_json_are_ignored(database: Database) {
    let (server, receiver) = start(&database).await;
    let administrator = server.administrator();
    let id = create(&server, &integration("US")).await;
    let phases = json!([{ "name": "Try", "environmentKey": "staging" }]);
    administrator
        .post(&project("/pipelines"), &json!({ "key": "weekly", "name": "Weekly", "phases": phases }))
        .await
        .ok(201);
    administrator.patch(&features("/reviews"), &json!({ "approvalRequired": true })).await.ok(200);
    let pending =
        server.editor().patch(&targeting_of("reviews", "staging"), &json!({ "enabled": false })).await.ok(202);
    server.switch_search_suggestions("production", false).await;
    settled(&server, &id, 1).await;
    let before = responses(&server, &id).await;

    let extended = extend_all(&server).await;
    for column in [
        "approvals.after_targeting",
        "approvals.reasons",
        "audiences.conditions",
        "deliveries.attempts",
        "deliveries.change",
        "outbox.change",
        "pipelines.phases",
        "targetings.targeting",
    ] {
        assert!(extended.iter().any(|found| found == column), "{column} of {extended:?}");
    }
    server.stop().await;
    let server =
        Server::start_with_destinations(&database, crate::fixture::outbound(receiver.address(), receiver.address()))
            .await;
    assert_eq!(responses(&server, &id).await, before);
    assert_eq!(server.anonymous().get("/health/ready").await.ok(200), json!({ "status": "ready" }));

    // Writes work on what was read.
    let approve = project(&format!("/approvals/{}/approve", pending["id"].as_str().unwrap()));
    server.administrator().post(&approve, &json!({})).await.ok(200);
    server.switch_search_suggestions("production", true).await;
    settled(&server, &id, 3).await;
}
