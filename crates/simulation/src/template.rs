//! The database with which each history begins: an organisation with a project, two environments, four features and two webhooks.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, ensure};
use axum::Router;
use flagservice_rules::Instant;
use flagservice_server::app::seed;
use flagservice_server::clock::ManualClock;
use flagservice_server::domain::retention::Retention;
use flagservice_server::domain::role::Role;
use flagservice_server::network::SystemNetwork;
use flagservice_server::{Options, Service};
use serde_json::{Value, json};
use tokio::runtime;

use crate::clock::BEGINNING;
use crate::history::client::{Answer, Request, send};
use crate::history::destination;
use crate::randomness::SeededRandom;

/// The features. Each has the variants of [`VARIANTS`].
pub const FEATURES: [&str; 4] = ["banner", "checkout", "search", "prices"];

/// The environments; only production requires approvals.
pub const ENVIRONMENTS: [&str; 2] = ["staging", "production"];

/// The variants of each feature. The first is served while it is off.
pub const VARIANTS: [&str; 3] = ["off", "on", "blue"];

const DATABASE: &str = "template.db";
const KEY: &str = "template.key";
const FACTS: &str = "template.json";

/// What a history has to know of the database with which it begins.
#[derive(Clone, Debug)]
pub struct Template {
    /// The access tokens of two people who may change production.
    pub tokens: [String; 2],
    /// The client key of each environment.
    pub client_keys: [String; 2],
    /// The ids of the environments.
    pub environments: [String; 2],
    /// The ids of the webhooks: one of all changes, one of those in production.
    pub webhooks: [String; 2],
}

/// Makes the database in a folder.
///
/// # Errors
/// When the service cannot be started or refuses something.
pub fn create(folder: &Path) -> anyhow::Result<()> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let facts = runtime.block_on(fill(folder))?;
    fs::write(folder.join(FACTS), facts.to_string())?;
    Ok(())
}

/// Copies the database to the files of a history.
///
/// # Errors
/// When there is none, or it cannot be copied.
pub fn copy(folder: &Path, database: &Path, key: &Path) -> anyhow::Result<Template> {
    fs::copy(folder.join(DATABASE), database)?;
    fs::copy(folder.join(KEY), key)?;
    let facts: Value = serde_json::from_str(&fs::read_to_string(folder.join(FACTS))?)?;
    let texts = |name: &str| -> anyhow::Result<[String; 2]> {
        let list = facts.get(name).and_then(Value::as_array).with_context(|| format!("the template has no {name}"))?;
        let texts: Vec<_> = list.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect();
        texts.try_into().map_err(|_| anyhow::anyhow!("the template has other {name}"))
    };
    Ok(Template {
        tokens: texts("tokens")?,
        client_keys: texts("clientKeys")?,
        environments: texts("environments")?,
        webhooks: texts("webhooks")?,
    })
}

fn organisation() -> Value {
    let person = |role: &str, name: &str| json!({ "role": role, "name": name });
    let environment = |key: &str, production: bool| {
        let gate = production;
        json!({ "key": key, "name": key, "production": production, "approvalRequired": gate })
    };
    let feature = |key: &&str| {
        let targetings = json!({});
        json!({
            "key": key, "name": key, "description": "", "lifecycle": "Active", "variants": VARIANTS,
            "targetings": targetings,
        })
    };
    json!({
        "organisation": "Acme",
        "project": { "key": "shop", "name": "Shop" },
        "people": [person("administrator", "Alma Lindqvist"), person("productionEditor", "Pablo Reyes")],
        "environments": [environment("staging", false), environment("production", true)],
        "audiences": [],
        "features": FEATURES.iter().map(feature).collect::<Vec<_>>(),
    })
}

async fn fill(folder: &Path) -> anyhow::Result<Value> {
    let options = Options {
        database_url: format!("sqlite:{}", folder.join(DATABASE).display()),
        key_file: folder.join(KEY),
        clock: Arc::new(ManualClock::new(Instant(BEGINNING))),
        random: Arc::new(SeededRandom::new(0)),
        network: Arc::new(SystemNetwork),
        outbound: destination::outbound(),
        retention: Retention::default(),
    };
    let service = Service::start(options).await?;
    let description = organisation().to_string();
    let credentials = seed::fill(&service.app, &description).await?.context("the database was not empty")?;
    let token = |role| credentials.tokens.get(&role).map(|token| token.token.clone()).context("a token is missing");
    let tokens = [token(Role::Administrator)?, token(Role::ProductionEditor)?];
    let [administrator, _] = &tokens;
    let router = service.router(crate::history::node::settings());
    let listed = ask(&router, administrator, "GET", "/api/v1/projects/shop/environments", None).await?;
    let environments = ENVIRONMENTS.iter().map(|key| {
        let items = listed.get("items").and_then(Value::as_array)?;
        items.iter().find(|item| item.get("key").and_then(Value::as_str) == Some(key))?.get("id").cloned()
    });
    let environments = environments.collect::<Option<Vec<_>>>().context("an environment is missing")?;
    let mut webhooks = Vec::new();
    for (number, filter) in [json!([]), json!([environments.get(1)])].into_iter().enumerate() {
        let body = webhook(Some(&destination::url(number)), true, &filter);
        let created = ask(&router, administrator, "POST", "/api/v1/admin/integrations/outbound", Some(body)).await?;
        webhooks.push(created.get("id").cloned().context("the webhook has no id")?);
    }
    let client_keys: Vec<_> = ENVIRONMENTS.iter().filter_map(|key| credentials.client_keys.get(*key)).collect();
    let facts =
        json!({ "tokens": tokens, "clientKeys": client_keys, "environments": environments, "webhooks": webhooks });
    service.stop().await;
    Ok(facts)
}

/// The settings of a webhook in a request.
pub fn webhook(url: Option<&str>, enabled: bool, environment_ids: &Value) -> Value {
    let filter = json!({ "environmentIds": environment_ids });
    let webhook = url.map_or_else(|| json!({ "filter": filter }), |url| json!({ "url": url, "filter": filter }));
    json!({ "type": "webhook", "enabled": enabled, "configuration": { "webhook": webhook } })
}

async fn ask(router: &Router, token: &str, method: &str, path: &str, body: Option<Value>) -> anyhow::Result<Value> {
    let request = Request::new(method, path).with_token(token).with_body(body);
    let Answer { status, body, .. } = send(router.clone(), request).await;
    ensure!((200..300).contains(&status), "{method} {path}: {status} {body}");
    Ok(body)
}
