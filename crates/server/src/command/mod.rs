//! The command line. One file for each command.

mod backup;
mod check;
mod config;
mod database;
mod edge_key;
mod experiment;
mod export;
mod import;
mod key;
mod licences;
mod operator;
mod organisation;
mod output;
mod progress;
mod renew_epochs;
mod restore;
mod retention;
mod seed;
mod serve;
mod table;
mod token;
mod user;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::app::AppError;

/// The Flag Service server.
///
/// The database is flagservice.db in the current folder, with its key file beside it. Set --database-url and --key-file,
/// or FLAGSERVICE_DATABASE_URL and FLAGSERVICE_KEY_FILE, to use others. A flag overrides its environment variable, which
/// overrides the --config file, which overrides the default. You can run every command except `restore` while the
/// server runs. Results are written to standard output, logs and errors to standard error.
#[derive(Parser)]
#[command(version)]
pub struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Serve(Box<serve::Serve>),
    Edge(Box<serve::edge::Edge>),
    Seed(seed::Seed),
    /// Create an organisation with its first administrator, or list organisations.
    #[command(subcommand)]
    Organisation(organisation::Organisation),
    /// Add, list, change or remove the people of an organisation.
    #[command(subcommand)]
    User(user::User),
    /// Create, list or revoke personal access tokens.
    #[command(subcommand)]
    Token(token::Token),
    /// Create, list, rotate or revoke edge keys.
    #[command(subcommand)]
    EdgeKey(edge_key::EdgeKeys),
    /// List experiments, show their results, or stop one.
    #[command(subcommand)]
    Experiment(experiment::Experiments),
    Backup(backup::Backup),
    Restore(restore::Restore),
    Check(check::Check),
    RenewEpochs(renew_epochs::RenewEpochs),
    Export(export::Export),
    Import(import::Import),
    /// Create a new data key, or change the master key.
    #[command(subcommand)]
    Key(key::Key),
    Licences(licences::Licences),
}

impl Command {
    /// Reads the command line, the environment and the configuration file. Exits the process for `--help` and for
    /// invalid arguments.
    ///
    /// # Errors
    /// Names the problem in the configuration file and the remedy.
    pub fn read() -> anyhow::Result<Self> {
        let arguments = Self::command().get_matches();
        let matches = match config::path(&arguments) {
            Some(path) => config::read(Self::command(), &arguments, &path)?,
            None => arguments,
        };
        Ok(Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()))
    }

    /// Runs the command.
    ///
    /// # Errors
    /// Names the problem and the remedy.
    pub async fn run(self) -> anyhow::Result<()> {
        match self.action {
            Action::Serve(serve) => serve.run().await,
            Action::Edge(edge) => edge.run().await,
            Action::Seed(seed) => seed.run().await,
            Action::Organisation(organisation) => organisation.run().await,
            Action::User(user) => user.run().await,
            Action::Token(token) => token.run().await,
            Action::EdgeKey(key) => key.run().await,
            Action::Experiment(experiment) => experiment.run().await,
            Action::Backup(backup) => backup.run().await,
            Action::Restore(restore) => restore.run().await,
            Action::Check(check) => check.run().await,
            Action::RenewEpochs(renew) => renew.run().await,
            Action::Export(export) => export.run().await,
            Action::Import(import) => import.run().await,
            Action::Key(key) => key.run().await,
            Action::Licences(_) => licences::Licences::run(),
        }
    }
}

/// An error message for people: what failed, why, and all violations in a document.
pub fn explain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let violations = match cause.downcast_ref::<AppError>() {
            Some(AppError::Invalid(violations)) if !text.is_empty() => violations.as_slice(),
            Some(_) | None => &[],
        };
        for violation in violations {
            let pointer = &violation.pointer;
            let place = if pointer.is_empty() { String::new() } else { format!("{pointer}: ") };
            text.push_str(&format!("\n  {place}{}", violation.detail));
        }
        let cause = cause.to_string();
        // Some errors already include their cause.
        if !violations.is_empty() || text.ends_with(&cause) {
            continue;
        }
        if !text.is_empty() {
            text.push_str(if text.ends_with('.') { " " } else { ": " });
        }
        text.push_str(&cause);
    }
    text
}
