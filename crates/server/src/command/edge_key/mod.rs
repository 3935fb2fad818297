//! `edge-key`: the keys with which edges identify themselves.

mod environments;
mod list;

use clap::{Args, Subcommand};
use flagservice_core::Key;

use crate::app::resources::edge_keys::{self, NewEdgeKey};
use crate::app::{InvalidText, Name, Operation};
use crate::command::edge_key::environments::format_environments;
use crate::command::operator::OperatorArgs;
use crate::command::output;
use crate::domain::edge_key::EdgeKey;
use crate::secret::Secret;

#[derive(Subcommand)]
pub(super) enum EdgeKeys {
    Create(Create),
    List(list::List),
    Rotate(Rotate),
    Revoke(Revoke),
}

/// Create an edge key of a project.
///
/// Only the key is written to standard output. It is shown once: the database stores only a hash.
///
/// Example: flagservice-server edge-key create shop Stockholm --environment production
#[derive(Args)]
pub(super) struct Create {
    /// Key of the project.
    project: String,
    /// Name of the key, such as where the edge runs.
    #[arg(value_parser = name)]
    name: Name,
    /// Key of an environment that the edge key is limited to. Can be repeated. [default: the whole project, also environments that
    /// are added later]
    #[arg(long, value_name = "KEY", value_parser = key)]
    environment: Vec<Key>,
    #[command(flatten)]
    operator: OperatorArgs,
}

/// Create another edge key with the same name and environments.
///
/// Only the key is written to standard output. The old key stays valid until you revoke it, so that you can give edges the new one
/// without an outage.
///
/// Example: flagservice-server edge-key rotate shop 0193d3f0-7c1e-7a52-9a1c-0d6c1f9be0c4
#[derive(Args)]
pub(super) struct Rotate {
    /// Key of the project.
    project: String,
    /// Id of the edge key, as shown by `edge-key list`.
    id: String,
    #[command(flatten)]
    operator: OperatorArgs,
}

/// Revoke an edge key. Edges that use it serve nothing from then on.
///
/// A connected edge stops serving at once, others when they connect again, and each deletes what it has stored. To replace a key
/// without an outage, use `edge-key rotate` first, and revoke the old key when all edges use the new one.
///
/// Example: flagservice-server edge-key revoke shop 0193d3f0-7c1e-7a52-9a1c-0d6c1f9be0c4
#[derive(Args)]
pub(super) struct Revoke {
    /// Key of the project.
    project: String,
    /// Id of the edge key, as shown by `edge-key list`.
    id: String,
    #[command(flatten)]
    operator: OperatorArgs,
}

fn name(text: &str) -> Result<Name, InvalidText> {
    Name::try_from(text.to_owned())
}

fn key(text: &str) -> Result<Key, String> {
    Key::parse(text).map_err(|error| error.to_string())
}

impl EdgeKeys {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::List(list) => list.run().await,
            Self::Rotate(rotate) => rotate.run().await,
            Self::Revoke(revoke) => revoke.run().await,
        }
    }
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let environments = Some(self.environment).filter(|keys| !keys.is_empty());
        let new = NewEdgeKey { name: self.name, environments };
        let mut operation = Operation::begin(operator.app(), &operator.actor).await?;
        let (key, text) = edge_keys::create(&mut operation, &self.project, new).await?;
        operation.commit().await?;
        operator.service.stop().await;
        show(&key, &text)
    }
}

impl Rotate {
    async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let mut operation = Operation::begin(operator.app(), &operator.actor).await?;
        let (key, text) = edge_keys::rotate(&mut operation, &self.project, &self.id).await?;
        operation.commit().await?;
        operator.service.stop().await;
        output::note(format_args!(
            "The old key stays valid. When no edge uses it, revoke it: flagservice-server edge-key revoke {} {}",
            self.project, self.id
        ));
        show(&key, &text)
    }
}

impl Revoke {
    async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let mut operation = Operation::begin(operator.app(), &operator.actor).await?;
        edge_keys::revoke(&mut operation, &self.project, &self.id).await?;
        operation.commit().await?;
        operator.service.stop().await;
        output::line(format_args!("Revoked the edge key {}.", self.id))?;
        Ok(())
    }
}

/// Shows a new key.
fn show(key: &EdgeKey, text: &Secret) -> anyhow::Result<()> {
    output::note(format_args!(
        "Created the edge key '{}'. Environments: {}. Id: {}. The key is shown only once:",
        key.name,
        format_environments(key),
        key.id
    ));
    output::line(format_args!("{}", text.reveal()))
}
