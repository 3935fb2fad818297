//! `experiment`: what experiments show, and stopping one, without the pages.

mod address;
mod list;
mod results;

use clap::{Args, Subcommand};
use flagservice_core::Key;

use crate::app::experiments::lifecycle::{self, NewDecision};
use crate::app::{Comment, InvalidText, Operation};
use crate::command::experiment::address::Address;
use crate::command::operator::OperatorArgs;
use crate::command::output;

#[derive(Subcommand)]
pub(super) enum Experiments {
    List(list::List),
    Results(results::ShowResults),
    Stop(Stop),
}

/// Stop a running experiment. Targeting stays as it is.
///
/// Example: flagservice-server experiment stop shop production banner-color --decision plum --note "Plum sells more."
#[derive(Args)]
pub(super) struct Stop {
    #[command(flatten)]
    address: Address,
    /// Key of the variant to keep. [default: none, the experiment shows nothing]
    #[arg(long, value_name = "VARIANT", value_parser = key)]
    decision: Option<Key>,
    /// Why.
    #[arg(long, value_parser = comment)]
    note: Option<Comment>,
    #[command(flatten)]
    operator: OperatorArgs,
}

fn key(text: &str) -> Result<Key, String> {
    Key::parse(text).map_err(|error| error.to_string())
}

fn comment(text: &str) -> Result<Comment, InvalidText> {
    Comment::try_from(text.to_owned())
}

impl Experiments {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::List(list) => list.run().await,
            Self::Results(results) => results.run().await,
            Self::Stop(stop) => stop.run().await,
        }
    }
}

impl Stop {
    async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let decision = NewDecision { variant: self.decision, note: self.note };
        let mut operation = Operation::begin(operator.app(), &operator.actor).await?;
        lifecycle::stop(&mut operation, self.address.reference(), decision).await?;
        operation.commit().await?;
        operator.service.stop().await;
        output::line(format_args!("Stopped the experiment {}.", self.address.experiment))?;
        Ok(())
    }
}
