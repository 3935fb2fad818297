//! `export`: writes a project to a JSON document.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use crate::app::transfer::export;
use crate::command::backup::{new_file, sync_folder};
use crate::command::operator::OperatorArgs;
use crate::command::output;

/// Export a project to a JSON document.
///
/// The document contains the project, its environments, saved audiences, pipelines, and features with their targeting.
/// It does not contain people, tokens, client keys, pending approvals, goals or history. The same project always gives
/// the same bytes. An existing file is not overwritten.
///
/// Example: flagservice-server export shop --out shop.json
#[derive(Args)]
pub(super) struct Export {
    /// Key of the project.
    project: String,
    /// File to write. [default: standard output]
    #[arg(long)]
    out: Option<PathBuf>,
    #[command(flatten)]
    operator: OperatorArgs,
}

impl Export {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let document = export::project(operator.app(), &operator.actor, &self.project).await?;
        operator.service.stop().await;
        let text = document.to_text()?;
        let Some(file) = &self.out else {
            return output::bytes(text.as_bytes());
        };
        write(file, &text)?;
        output::line(format_args!(
            "Exported '{}' with {} features to {}.",
            self.project,
            document.feature_count(),
            file.display()
        ))?;
        Ok(())
    }
}

/// Writes a new file. If that fails, it leaves none: it would stop the next attempt.
fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    let mut opened = new_file(file)?;
    let written = opened.write_all(text.as_bytes()).and_then(|()| opened.sync_all()).map_err(anyhow::Error::new);
    written.and_then(|()| sync_folder(file)).with_context(|| {
        // The original error is the one to report.
        let _ = std::fs::remove_file(file);
        format!("Cannot write {}.", file.display())
    })
}
