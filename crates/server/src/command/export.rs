//! `export`: a project as one JSON document.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use crate::app::transfer::export;
use crate::command::backup::{new_file, sync_folder};
use crate::command::operator::Place;

/// Write a project to a JSON document.
///
/// The document has the project, its environments, audiences, pipelines, and features with their targeting, by keys. It
/// has no people, tokens, client keys, approvals that wait, goals or history. The same project gives the same bytes. An
/// existing file is not overwritten.
///
/// Example: flagservice-server export shop --out shop.json
#[derive(Args)]
pub(super) struct Export {
    /// Key of the project.
    project: String,
    /// File to write. [default: the standard output]
    #[arg(long)]
    out: Option<PathBuf>,
    #[command(flatten)]
    place: Place,
}

impl Export {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let operator = self.place.enter().await?;
        let document = export::project(operator.app(), &operator.actor, &self.project).await?;
        operator.service.stop().await;
        let text = document.to_text()?;
        let Some(file) = &self.out else {
            std::io::stdout().write_all(text.as_bytes())?;
            return Ok(());
        };
        let mut opened = new_file(file)?;
        opened.write_all(text.as_bytes())?;
        opened.sync_all()?;
        sync_folder(file)?;
        println!("{} holds '{}' with {} features.", file.display(), self.project, document.feature_count());
        Ok(())
    }
}
