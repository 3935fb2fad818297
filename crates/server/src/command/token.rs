//! `token`: personal access tokens.

use clap::{Args, Subcommand};
use flagservice_core::Key;
use flagservice_rules::Instant;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::app::resources::access_tokens::{self, Expiry, NewAccessToken};
use crate::app::resources::token_scopes::{NewScope, ScopedEnvironment};
use crate::app::{InvalidText, Name, Operation, Page};
use crate::command::operator::{Operator, OperatorArgs};
use crate::command::output;
use crate::command::retention::TokenLifetime;
use crate::command::table;
use crate::domain::access_token::AccessToken;
use crate::domain::access_token::scope::Access;

#[derive(Subcommand)]
pub(super) enum Token {
    Create(Create),
    List(List),
    Revoke(Revoke),
}

/// Create a token for a person.
///
/// Only the token is written to standard output. It is shown once: the database stores only a hash.
///
/// Example: flagservice-server token create --user "Alma Lindqvist" --name "release script" --expires 2027-06-30 --project shop
#[derive(Args)]
pub(super) struct Create {
    /// Id or name of the person. The token has their rights, or less with a scope.
    #[arg(long)]
    user: String,
    /// Name of the token.
    #[arg(long, default_value = "Command line", value_parser = name)]
    name: Name,
    /// Expiry, e.g. 2027-06-30 (start of the day, UTC), 2027-06-30T18:00:00+02:00 or `never`. [default: see --token-lifetime-days]
    #[arg(long, value_parser = expiry)]
    expires: Option<Expiry>,
    #[command(flatten)]
    lifetime: TokenLifetime,
    /// Key of a project that the token is limited to. Can be repeated. [default: all projects]
    #[arg(long, value_parser = key)]
    project: Vec<Key>,
    /// Environment that the token is limited to: the key of its project, a slash and its key. Can be repeated.
    #[arg(long, value_name = "PROJECT/ENVIRONMENT", value_parser = environment)]
    environment: Vec<(Key, Key)>,
    /// Limit the token to reading.
    #[arg(long)]
    read_only: bool,
    #[command(flatten)]
    operator: OperatorArgs,
}

/// List the tokens that are not revoked, oldest first.
///
/// Example: flagservice-server token list --user "Alma Lindqvist"
#[derive(Args)]
pub(super) struct List {
    /// Id or name of a person. [default: everybody]
    #[arg(long)]
    user: Option<String>,
    #[command(flatten)]
    operator: OperatorArgs,
}

/// Revoke a token. It stops working at once.
///
/// Example: flagservice-server token revoke 0193d3f0-7c1e-7a52-9a1c-0d6c1f9be0c4
#[derive(Args)]
pub(super) struct Revoke {
    /// Id of the token, as shown by `token list`.
    id: String,
    #[command(flatten)]
    operator: OperatorArgs,
}

fn name(text: &str) -> Result<Name, InvalidText> {
    Name::try_from(text.to_owned())
}

fn time(text: &str) -> Result<Instant, String> {
    let midnight = |date: Date| date.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp());
    let timestamp: Option<Timestamp> = text.parse().ok();
    let timestamp = timestamp.or_else(|| text.parse().ok().and_then(midnight));
    let timestamp = timestamp.ok_or("expected a time such as 2027-06-30 or 2027-06-30T18:00:00Z")?;
    Ok(Instant(timestamp.as_millisecond()))
}

fn expiry(text: &str) -> Result<Expiry, String> {
    if text == "never" { Ok(Expiry::Never) } else { time(text).map(Expiry::At) }
}

fn environment(text: &str) -> Result<(Key, Key), String> {
    let keys =
        text.split_once('/').ok_or("expected the key of a project and of an environment, such as shop/staging")?;
    Ok((key(keys.0)?, key(keys.1)?))
}

fn key(text: &str) -> Result<Key, String> {
    Key::parse(text).map_err(|error| error.to_string())
}

/// A time in UTC, or `never`.
pub(super) fn format_time(instant: Option<Instant>) -> String {
    let text = |instant: Instant| Timestamp::from_second(instant.0.div_euclid(1000)).ok().map(|time| time.to_string());
    instant.and_then(text).unwrap_or_else(|| "never".to_owned())
}

fn format_scope(token: &AccessToken) -> String {
    token.scope.as_ref().map_or_else(|| "none".to_owned(), ToString::to_string)
}

impl Token {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::List(list) => list.run().await,
            Self::Revoke(revoke) => revoke.run().await,
        }
    }
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let (app, user) = (operator.app(), operator.person(&self.user).await?);
        let new = NewAccessToken {
            user_id: Some(user.id.to_string()),
            expiry: self.expires.unwrap_or_else(|| self.lifetime.expiry(app)),
            scope: scope(self.read_only, self.project, self.environment),
            name: self.name,
        };
        let mut operation = Operation::begin(app, &operator.actor).await?;
        let (token, text) = access_tokens::create(&mut operation, new).await?;
        operation.commit().await?;
        operator.service.stop().await;
        output::note(format_args!(
            "Created a token for '{}' ({}). Expires: {}. Scope: {}. Id: {}. The token is shown only once:",
            user.name,
            user.role,
            format_time(token.expires_at),
            format_scope(&token),
            token.id
        ));
        output::line(format_args!("{}", text.reveal()))?;
        Ok(())
    }
}

/// What the arguments limit a token to.
fn scope(read_only: bool, projects: Vec<Key>, environments: Vec<(Key, Key)>) -> Option<NewScope> {
    let access = if read_only { Access::ReadOnly } else { Access::ReadWrite };
    let environments =
        environments.into_iter().map(|(project, environment)| ScopedEnvironment { project, environment });
    let (projects, environments) = (Some(projects), Some(environments.collect()));
    let projects = projects.filter(|keys: &Vec<_>| !keys.is_empty());
    let environments = environments.filter(|keys: &Vec<_>| !keys.is_empty());
    let limits = read_only || projects.is_some() || environments.is_some();
    limits.then_some(NewScope { access, projects, environments })
}

impl List {
    async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let mut tokens = list_all(&operator).await?;
        if let Some(user) = &self.user {
            let user = operator.person(user).await?;
            tokens.retain(|token| token.user_id == user.id);
        }
        let people = operator.people().await?;
        operator.service.stop().await;
        let owner =
            |token: &AccessToken| people.iter().find(|user| user.id == token.user_id).map(|user| user.name.clone());
        let row = |token: AccessToken| {
            let owner = owner(&token).unwrap_or_default();
            let hint = format!("…{}", token.hint);
            [
                token.id.to_string(),
                hint,
                format_time(token.expires_at),
                format_time(token.last_used_at),
                format_scope(&token),
                owner,
                token.name,
            ]
        };
        let titles = ["ID", "ENDS IN", "EXPIRES", "LAST USED", "SCOPE", "USER", "NAME"];
        table::print(titles, tokens.into_iter().map(row).collect())?;
        Ok(())
    }
}

async fn list_all(operator: &Operator) -> anyhow::Result<Vec<AccessToken>> {
    let mut tokens = Vec::new();
    let mut page = Page::parse(None, Some("200"))?;
    loop {
        let found = access_tokens::list(operator.app(), &operator.actor, &page).await?;
        tokens.extend(found.items);
        match found.next_cursor {
            Some(cursor) => page = Page::parse(Some(&cursor), Some("200"))?,
            None => return Ok(tokens),
        }
    }
}

impl Revoke {
    async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let app = operator.app();
        let mut operation = Operation::begin(app, &operator.actor).await?;
        access_tokens::revoke(&mut operation, &self.id).await?;
        operation.commit().await?;
        operator.service.stop().await;
        output::line(format_args!("Revoked the token {}.", self.id))?;
        Ok(())
    }
}
