//! `import`: a project made of a JSON document.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use flagservice_core::Key;

use crate::app::AppError;
use crate::app::Operation;
use crate::app::transfer::document::Document;
use crate::app::transfer::import;
use crate::command::operator::Place;

/// How often progress is told.
const EVERY: Duration = Duration::from_secs(2);

/// Make a project of a JSON document.
///
/// All of it or nothing. The document is held to the rules of the REST API, and everything that is wrong with it is
/// told with its place. Users get the same variants as before. Approvals hold nothing up here, also where the document
/// requires them: you are the operator. Client keys are made afterwards.
///
/// Example: flagservice-server import shop.json --as shop-copy
#[derive(Args)]
pub(super) struct Import {
    /// The file that `export` wrote.
    file: PathBuf,
    /// Key of the new project. [default: the document's]
    #[arg(long = "as", value_name = "KEY", value_parser = key)]
    other_key: Option<Key>,
    #[command(flatten)]
    place: Place,
}

fn key(text: &str) -> Result<Key, String> {
    Key::parse(text).map_err(|error| error.to_string())
}

impl Import {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let shown = self.file.display();
        let text = std::fs::read(&self.file).with_context(|| format!("{shown} cannot be read."))?;
        let refused = || format!("{shown} was not imported; nothing has changed.");
        let document = Document::parse(&text).with_context(refused)?;
        let operator = self.place.enter().await?;
        let app = operator.app();
        let count = document.feature_count();
        let key = self.other_key.clone().unwrap_or_else(|| document.project_key().clone());
        let mut operation = Operation::begin(app, &operator.actor).await?;
        let mut told = Instant::now();
        let progress = |done| {
            if told.elapsed() >= EVERY {
                told = Instant::now();
                eprintln!("… {done} of {count} features");
            }
        };
        let made = import::project(&mut operation, (document, self.other_key), progress).await;
        if let Err(error) = made {
            let exists = matches!(error, AppError::Exists { what: "project", .. });
            let error = anyhow::Error::new(error).context(refused());
            return Err(if exists { error.context("Say --as KEY to import it under another key.") } else { error });
        }
        operation.commit().await.with_context(refused)?;
        operator.service.stop().await;
        println!("Made the project '{key}' with {count} features. It has no client keys yet.");
        Ok(())
    }
}
