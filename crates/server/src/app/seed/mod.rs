//! A realistic organisation to look at and to play with: `demo.json`, made through the same calls that people use.

mod demo;
mod evaluations;
mod experiments;
mod gates;
mod goals;

use std::collections::BTreeMap;

use anyhow::Context;
use serde::Serialize;

use crate::app::delivery::integrations::{self, NewIntegration, NewSettings};
use crate::app::features::{self, FeatureEdit, NewFeature};
use crate::app::resources::access_tokens::{Limits, Owner};
use crate::app::resources::audiences::{self, NewAudience};
use crate::app::resources::environments::{self, NewEnvironment};
use crate::app::resources::{access_tokens, projects, sdk_keys, targeting};
use crate::app::seed::demo::{Demo, DemoEnvironment, DemoFeature, DemoIntegration};
use crate::app::{Actor, App, Edit, EnvironmentRef, Operation, Result, TargetingRef, Write};
use crate::domain::feature::Lifecycle;
use crate::domain::ids::{OrganisationId, UserId};
use crate::domain::integration::Region;
use crate::domain::role::Role;
use crate::domain::sdk_key::KeyKind;
use crate::domain::user::User;
use crate::store::resources::{organisations, users};

const DEMO: &str = include_str!("demo.json");

/// The environment name that stands for all of them.
const EVERY_ENVIRONMENT: &str = "*";

/// What one needs to use the seeded organisation. It is shown once: the database keeps only hashes.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Credentials {
    /// By the key of the environment.
    pub client_keys: BTreeMap<String, String>,
    /// By the key of the environment; not every environment has one.
    pub server_keys: BTreeMap<String, String>,
    /// By role.
    pub tokens: BTreeMap<Role, PersonalToken>,
}

/// A person's access token.
#[derive(Debug, Serialize)]
pub struct PersonalToken {
    /// The person's name.
    pub name: String,
    /// The token.
    pub token: String,
}

/// Seeds the demo organisation; `None` when the database has an organisation already. Where the region US has an address, the
/// organisation has an integration with it.
///
/// # Errors
/// When the database fails.
pub async fn demo(app: &App) -> anyhow::Result<Option<Credentials>> {
    fill(app, DEMO).await
}

/// Seeds an organisation that is described as `demo.json` is; `None` when the database has one already.
///
/// # Errors
/// When the database fails, or the description is wrong.
pub async fn fill(app: &App, description: &str) -> anyhow::Result<Option<Credentials>> {
    if organisations::count(&mut *app.store.read().await?).await? > 0 {
        return Ok(None);
    }
    let demo: Demo = serde_json::from_str(description).context("the description of the data")?;
    let mut write = app.begin().await?;
    let (people, tokens) = people(app, &mut write, &demo).await?;
    let administrator = people.get(&Role::Administrator).context("the data have no administrator")?;
    let mut operation = Operation { app, actor: administrator, write };
    let project = projects::create(&mut operation, demo.project.key, demo.project.name).await?;
    let project = project.key.as_str();
    let (mut client_keys, mut server_keys) = (BTreeMap::new(), BTreeMap::new());
    let mut environment_ids = BTreeMap::new();
    for new in &demo.environments {
        let server_key = new.server_key.clone();
        let new = NewEnvironment {
            key: new.key.clone(),
            name: new.name.clone(),
            production: new.production,
            approval_required: false,
            allowed_origins: Vec::new(),
        };
        let environment = environments::create(&mut operation, project, new).await?;
        let address = EnvironmentRef { project, environment: environment.key.as_str() };
        let name = "Shop".to_owned().try_into()?;
        let (_, text) = sdk_keys::create(&mut operation, address, KeyKind::Client, name).await?;
        client_keys.insert(environment.key.to_string(), text.reveal().to_owned());
        if let Some(name) = server_key {
            let (_, text) = sdk_keys::create(&mut operation, address, KeyKind::Server, name).await?;
            server_keys.insert(environment.key.to_string(), text.reveal().to_owned());
        }
        environment_ids.insert(environment.key, environment.id);
    }
    for new in demo.audiences {
        let new =
            NewAudience { key: new.key, name: new.name, environment: new.environment_key, conditions: new.conditions };
        audiences::create(&mut operation, project, new).await?;
    }
    for feature in demo.features.clone() {
        let owner = feature.owner.and_then(|role| people.get(&role)).map(|owner| owner.user_id.to_string());
        add_feature(&mut operation, project, &demo.environments, feature, owner).await?;
    }
    gates::create(&mut operation, project, demo.pipelines, &demo.environments, &demo.features).await?;
    gates::request_changes(&mut operation, &people, project, demo.requests).await?;
    operation.actor = administrator;
    goals::record(app, &mut operation.write, &environment_ids, demo.goals).await?;
    experiments::add(&mut operation, project, demo.experiments).await?;
    evaluations::record(&mut operation.write, &environment_ids, demo.evaluations, app.now()).await?;
    if let Some(integration) = demo.integration.filter(|_| app.outbound.address(Region::Us).is_some()) {
        // Last, so that the demo data itself is not delivered.
        integrations::create(&mut operation, integration.into()).await?;
    }
    operation.commit().await?;
    Ok(Some(Credentials { client_keys, server_keys, tokens }))
}

impl From<DemoIntegration> for NewIntegration {
    fn from(DemoIntegration { api_key, secret_key }: DemoIntegration) -> Self {
        Self {
            enabled: true,
            settings: NewSettings::Analytics {
                api_key: Some(api_key),
                secret_key: Some(secret_key),
                region: Region::Us,
            },
            environment_ids: Vec::new(),
        }
    }
}

async fn people(
    app: &App,
    write: &mut Write<'_>,
    demo: &Demo,
) -> anyhow::Result<(BTreeMap<Role, Actor>, BTreeMap<Role, PersonalToken>)> {
    let now = app.now();
    let organisation_id = OrganisationId::new(&*app.random, now);
    organisations::insert(write.connection().await?, &organisation_id, &demo.organisation, now).await?;
    let (mut actors, mut tokens) = (BTreeMap::new(), BTreeMap::new());
    for person in &demo.people {
        let user = User {
            id: UserId::new(&*app.random, now),
            organisation_id: organisation_id.clone(),
            name: person.name.clone(),
            role: person.role,
            identity: None,
            revision: 1,
        };
        users::insert(write.connection().await?, &user, now).await?;
        // A demo may run for years.
        let limits = Limits { expires_at: None, scope: None };
        let name = "Demo".to_owned().try_into()?;
        let (issued, token) = access_tokens::issue(app, write, Owner::own(&user.id), name, limits).await?;
        tokens.insert(user.role, PersonalToken { name: user.name.clone(), token: token.reveal().to_owned() });
        actors.insert(user.role, Actor::new(user, Some(issued.into())));
    }
    Ok((actors, tokens))
}

async fn add_feature(
    operation: &mut Operation<'_>,
    project: &str,
    environments: &[DemoEnvironment],
    feature: DemoFeature,
    owner: Option<String>,
) -> Result<()> {
    let new = NewFeature {
        key: feature.key,
        name: feature.name,
        description: feature.description,
        variants: feature.variants,
        value_type: None,
        // A new feature is not archived yet.
        lifecycle: if feature.lifecycle == Lifecycle::Archived { Lifecycle::Active } else { feature.lifecycle },
        tags: feature.tags,
        owner,
        approval_required: false,
        pipeline: None,
    };
    let key = features::create(operation, project, new).await?.feature.key;
    for environment in environments {
        let own = feature.targetings.get(environment.key.as_str());
        if let Some(targeting) = own.or_else(|| feature.targetings.get(EVERY_ENVIRONMENT)) {
            let address = TargetingRef { project, feature: key.as_str(), environment: environment.key.as_str() };
            let fields = targeting.clone().into();
            targeting::update(operation, address, Edit { fields, if_match: None }).await?;
        }
    }
    let fields = FeatureEdit { lifecycle: Some(feature.lifecycle), ..FeatureEdit::default() };
    features::update(operation, project, key.as_str(), Edit { fields, if_match: None }).await?;
    Ok(())
}
