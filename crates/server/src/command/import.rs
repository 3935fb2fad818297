//! `import`: creates a project from a JSON document.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use flagservice_core::Key;

use crate::app::AppError;
use crate::app::Operation;
use crate::app::transfer::document::Document;
use crate::app::transfer::{import, patterns};
use crate::command::operator::OperatorArgs;
use crate::command::output;

/// How often progress is reported.
const REPORT_INTERVAL: Duration = Duration::from_secs(2);

/// Create a project from a JSON document.
///
/// Either the whole project is imported or nothing. The document is validated like requests to the REST API, and every
/// error is reported with its location. Users keep their variants. An import needs no approval, even where the document
/// requires approvals. Create client keys afterwards.
///
/// Example: flagservice-server import shop.json --as shop-copy
#[derive(Args)]
pub(super) struct Import {
    /// File written by `export`.
    file: PathBuf,
    /// Key of the new project. [default: the key in the document]
    #[arg(long = "as", value_name = "KEY", value_parser = key)]
    new_key: Option<Key>,
    #[command(flatten)]
    operator: OperatorArgs,
}

fn key(text: &str) -> Result<Key, String> {
    Key::parse(text).map_err(|error| error.to_string())
}

impl Import {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let file = self.file.display();
        let text = std::fs::read(&self.file).with_context(|| format!("Cannot read {file}."))?;
        let not_imported = || format!("{file} was not imported; nothing has changed.");
        let document = Document::parse(&text).with_context(not_imported)?;
        let operator = self.operator.start().await?;
        let app = operator.app();
        let count = document.feature_count();
        let key = self.new_key.clone().unwrap_or_else(|| document.project_key().clone());
        let _patterns = patterns::compile(&document).with_context(not_imported)?;
        let mut operation = Operation::begin(app, &operator.actor).await?;
        let mut last_report = Instant::now();
        let progress = |done| {
            if last_report.elapsed() >= REPORT_INTERVAL {
                last_report = Instant::now();
                output::note(format_args!("… {done} of {count} features"));
            }
        };
        let result = import::project(&mut operation, document, self.new_key, progress).await;
        if let Err(error) = result {
            let exists = matches!(error, AppError::Exists { what: "project", .. });
            let error = anyhow::Error::new(error).context(not_imported());
            return Err(if exists { error.context("Use --as KEY to import it under another key.") } else { error });
        }
        operation.commit().await.with_context(not_imported)?;
        operator.service.stop().await;
        output::line(format_args!("Created the project '{key}' with {count} features. It has no client keys yet."))?;
        Ok(())
    }
}
