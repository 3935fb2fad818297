//! Creates a large database for the campaign `start`, through the application: 100 organisations with 100,000 rules in total.
//!
//! `large-database DATABASE_URL KEY_FILE` prints an administrator's token of the first organisation.

use std::sync::Arc;

use anyhow::Context;
use flagservice_rules::{Condition, Key, Operator, Percentage, Rule, RuleAudience, Split, Targeting, Value};
use flagservice_server::app::delivery::outbound::Outbound;
use flagservice_server::app::features::{self, NewFeature};
use flagservice_server::app::resources::access_tokens::{self, Expiry, NewAccessToken};
use flagservice_server::app::resources::environments::{self, NewEnvironment};
use flagservice_server::app::resources::{projects, sdk_keys, targeting};
use flagservice_server::app::{Actor, App, Description, Edit, EnvironmentRef, Operation, TargetingRef, Write};
use flagservice_server::clock::SystemClock;
use flagservice_server::domain::feature::Lifecycle;
use flagservice_server::domain::ids::{OrganisationId, UserId};
use flagservice_server::domain::retention::Retention;
use flagservice_server::domain::role::Role;
use flagservice_server::domain::sdk_key::KeyKind;
use flagservice_server::domain::user::User;
use flagservice_server::network::SystemNetwork;
use flagservice_server::random::SystemRandom;
use flagservice_server::store::resources::{organisations, users};
use flagservice_server::{Options, Service};

const ORGANISATIONS: usize = 100;
const FEATURES: usize = 250;
const ENVIRONMENTS: [&str; 2] = ["staging", "production"];
const VARIANTS: [&str; 3] = ["control", "first", "second"];
const COUNTRIES: [&str; 12] = ["SE", "NO", "DK", "FI", "IS", "DE", "FR", "ES", "IT", "PL", "PT", "NL"];

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let database_url = arguments.next().context("the first argument must be the database URL")?;
    let key_file = arguments.next().context("the second argument must be the key file")?.into();
    let (clock, random, network) = (Arc::new(SystemClock), Arc::new(SystemRandom), Arc::new(SystemNetwork));
    let (outbound, retention) = (Outbound::default(), Retention::default());
    let options = Options { database_url, key_file, clock, random, network, outbound, retention };
    let service = Service::start(options).await?;
    for number in 0..ORGANISATIONS {
        let token = create_organisation(&service.app, number).await?;
        if number == 0 {
            println!("{token}");
        }
        eprintln!("{} of {ORGANISATIONS} organisations", number + 1);
    }
    service.stop().await;
    Ok(())
}

/// Creates an organisation with 1,000 rules and returns its administrator's token.
async fn create_organisation(app: &App, number: usize) -> anyhow::Result<String> {
    let mut write = app.begin().await?;
    let actor = create_administrator(app, &mut write, number).await?;
    let mut operation = Operation { app, actor: &actor, write };
    let name = "Campaign".to_owned().try_into()?;
    let token = NewAccessToken { name, user_id: None, expiry: Expiry::Never, scope: None };
    let (_, token) = access_tokens::create(&mut operation, token).await?;
    let project = "shop";
    projects::create(&mut operation, Key::parse(project)?, "Shop".to_owned().try_into()?).await?;
    for environment in ENVIRONMENTS {
        let new = NewEnvironment {
            key: Key::parse(environment)?,
            name: environment.to_owned().try_into()?,
            production: environment == "production",
            approval_required: false,
            allowed_origins: Vec::new(),
        };
        environments::create(&mut operation, project, new).await?;
        let address = EnvironmentRef { project, environment };
        sdk_keys::create(&mut operation, address, KeyKind::Client, "Shop".to_owned().try_into()?).await?;
    }
    for index in 0..FEATURES {
        let key = format!("feature-{index:03}");
        let new = NewFeature {
            key: Key::parse(&key)?,
            name: format!("Feature {index}").try_into()?,
            description: Description::try_from("One of many features of a large database.".to_owned())?,
            variants: Some(VARIANTS.into_iter().map(Key::parse).collect::<Result<_, _>>()?),
            value_type: None,
            tags: vec!["campaign".to_owned().try_into()?],
            owner: None,
            lifecycle: Lifecycle::Active,
            approval_required: false,
            pipeline: None,
        };
        features::create(&mut operation, project, new).await?;
        for environment in ENVIRONMENTS {
            let address = TargetingRef { project, feature: key.as_str(), environment };
            let edit = Edit { fields: create_targeting(index)?.into(), if_match: None };
            targeting::update(&mut operation, address, edit).await?;
        }
    }
    operation.commit().await?;
    Ok(token.reveal().to_owned())
}

async fn create_administrator(app: &App, write: &mut Write<'_>, number: usize) -> anyhow::Result<Actor> {
    let now = app.now();
    let organisation_id = OrganisationId::new(&*app.random, now);
    let connection = write.connection().await?;
    organisations::insert(connection, &organisation_id, &format!("Organisation {number}"), now).await?;
    let (id, role) = (UserId::new(&*app.random, now), Role::Administrator);
    let user = User { id, organisation_id, name: "Alma".to_owned(), role, identity: None, revision: 1 };
    users::insert(connection, &user, now).await?;
    Ok(Actor::new(user, None))
}

/// Two rules: one with conditions on country and email, and one that splits everybody into three variants.
fn create_targeting(index: usize) -> anyhow::Result<Targeting> {
    let countries = COUNTRIES.iter().cycle().skip(index).take(5);
    let some = vec![
        condition("country", Operator::In, countries.map(|country| Value::Text((*country).to_owned())).collect()),
        condition("email", Operator::EndsWith, vec![Value::Text(format!("{}@example.com", index % 10))]),
    ];
    Ok(Targeting {
        enabled: true,
        off_variant: Key::parse("control")?,
        rules: vec![rule("Some", some, [0, 50_000, 50_000])?, rule("Everybody", Vec::new(), [33_333, 33_333, 33_334])?],
    })
}

fn condition(attribute: &str, operator: Operator, values: Vec<Value>) -> Condition {
    Condition { attribute: attribute.to_owned(), operator, values }
}

/// A rule that splits users into the variants by these shares, in thousandths of a percent.
fn rule(name: &str, conditions: Vec<Condition>, shares: [u32; 3]) -> anyhow::Result<Rule> {
    let mut splits = Vec::new();
    for (variant, share) in VARIANTS.into_iter().zip(shares).filter(|(_, share)| *share > 0) {
        splits.push(Split { variant: Key::parse(variant)?, percentage: Percentage::from_thousandths(share)? });
    }
    Ok(Rule { name: name.to_owned(), audience: RuleAudience::Inline(conditions), splits })
}
