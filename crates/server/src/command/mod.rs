//! The command line: what can be asked of the binary. One file for each command.

mod backup;
mod check;
mod config;
mod database;
mod export;
mod import;
mod key;
mod operator;
mod organisation;
mod progress;
mod renew_epochs;
mod restore;
mod seed;
mod serve;
mod table;
mod token;
mod user;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::app::AppError;

/// The companion server of Flag Service.
///
/// The database is the file flagservice.db in the current folder, and its key stands beside it, unless --database-url
/// and --key-file (or FLAGSERVICE_DATABASE_URL and FLAGSERVICE_KEY_FILE) name others. A flag counts before its
/// environment variable, that before the file of --config, and that before the default. Every command may be used while
/// the server runs, but for restore. What is asked for goes to the standard output, the log and errors to the other.
#[derive(Parser)]
#[command(version)]
pub struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Serve(serve::Serve),
    Seed(seed::Seed),
    /// Make an organisation with its first administrator, and list organisations.
    #[command(subcommand)]
    Organisation(organisation::Organisation),
    /// Add, list, change and remove the people of an organisation.
    #[command(subcommand)]
    User(user::User),
    /// Make, list and revoke personal access tokens.
    #[command(subcommand)]
    Token(token::Token),
    Backup(backup::Backup),
    Restore(restore::Restore),
    Check(check::Check),
    RenewEpochs(renew_epochs::RenewEpochs),
    Export(export::Export),
    Import(import::Import),
    /// Make a new data key, or take another master key.
    #[command(subcommand)]
    Key(key::Key),
}

impl Command {
    /// What was typed, with what the environment and the file of settings say. Ends the process when it cannot be
    /// understood or asks for help.
    ///
    /// # Errors
    /// Names what is wrong in the file of settings, and the remedy.
    pub fn read() -> anyhow::Result<Self> {
        let typed = Self::command().get_matches();
        let matches = match config::path(&typed) {
            Some(path) => config::read(Self::command(), &typed, &path)?,
            None => typed,
        };
        Ok(Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()))
    }

    /// Does what is asked.
    ///
    /// # Errors
    /// Names what is wrong, and the remedy.
    pub async fn run(self) -> anyhow::Result<()> {
        match self.action {
            Action::Serve(serve) => serve.run().await,
            Action::Seed(seed) => seed.run().await,
            Action::Organisation(organisation) => organisation.run().await,
            Action::User(user) => user.run().await,
            Action::Token(token) => token.run().await,
            Action::Backup(backup) => backup.run().await,
            Action::Restore(restore) => restore.run().await,
            Action::Check(check) => check.run().await,
            Action::RenewEpochs(renew) => renew.run().await,
            Action::Export(export) => export.run().await,
            Action::Import(import) => import.run().await,
            Action::Key(key) => key.run().await,
        }
    }
}

/// An error for a person: what it led to, why, and every place of a document that is wrong.
pub fn explain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let flaws = match cause.downcast_ref::<AppError>() {
            Some(AppError::Invalid(flaws)) if !text.is_empty() => flaws.as_slice(),
            Some(_) | None => &[],
        };
        for flaw in flaws {
            let place = if flaw.pointer.is_empty() { String::new() } else { format!("{}: ", flaw.pointer) };
            text.push_str(&format!("\n  {place}{}", flaw.detail));
        }
        let cause = cause.to_string();
        // Some errors repeat their cause.
        if !flaws.is_empty() || text.ends_with(&cause) {
            continue;
        }
        if !text.is_empty() {
            text.push_str(if text.ends_with('.') { " " } else { ": " });
        }
        text.push_str(&cause);
    }
    text
}
