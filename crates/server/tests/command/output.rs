//! Outputs that are closed or full: a command succeeds if nobody reads its result, and fails if it cannot be written.

use std::fs::OpenOptions;
use std::io::pipe;
use std::process::Stdio;

use macro_rules_attribute::apply;
use tokio::process::Command;

use super::run::{CommandOutput, run_with_command_and_output};
use crate::fixture::{Database, ServerProcess, on_sqlite};

async fn run_to(database: &Database, out: Stdio, err: Stdio, arguments: &[&str]) -> CommandOutput {
    run_with_command_and_output(Command::new(ServerProcess::PROGRAM), database, arguments, (out, err)).await
}

/// A pipe whose reader has ended.
fn closed() -> Stdio {
    let (_, writer) = pipe().unwrap();
    writer.into()
}

#[apply(on_sqlite)]
async fn a_command_whose_reader_has_ended_succeeds(database: Database) {
    let file = database.folder().join("backup.db");
    for command in [
        &["backup", file.to_str().unwrap()][..],
        &["check"],
        &["user", "list"],
        &["user", "add", "Nils Holm", "--role", "editor"],
        &["export", "shop"],
        &["key", "rotate"],
        &["renew-epochs"],
        &["restore", file.to_str().unwrap(), "--replace"],
    ] {
        run_to(&database, closed(), closed(), command).await.ok();
    }
}

#[apply(on_sqlite)]
async fn a_result_that_cannot_be_written_is_an_error(database: Database) {
    for command in [&["user", "list"][..], &["export", "shop"]] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        run_to(&database, full.into(), Stdio::piped(), command)
            .await
            .expect_error(&["cannot be written to standard output", "No space left"]);
    }
}
