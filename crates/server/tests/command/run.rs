//! Runs commands of the program.

use std::process::Stdio;

use flagservice_server::app::seed::Credentials;
use tokio::process::Command;

use crate::fixture::{Database, ServerProcess};

/// The result of a command.
#[derive(Debug)]
pub struct CommandOutput {
    code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs a command on the database.
pub async fn run(database: &Database, arguments: &[&str]) -> CommandOutput {
    run_with_command(Command::new(ServerProcess::PROGRAM), database, arguments).await
}

/// The same, with a command that runs the program with the given arguments.
pub async fn run_with_command(command: Command, database: &Database, arguments: &[&str]) -> CommandOutput {
    run_with_command_and_output(command, database, arguments, (Stdio::piped(), Stdio::piped())).await
}

/// The same, with other destinations of standard output and standard error.
pub async fn run_with_command_and_output(
    mut command: Command,
    database: &Database,
    arguments: &[&str],
    (out, err): (Stdio, Stdio),
) -> CommandOutput {
    command.stdout(out).stderr(err);
    command.args(arguments).args(["--database-url", database.url(), "--key-file"]).arg(database.key_file());
    let running = command.env("RUST_LOG", "error").kill_on_drop(true).spawn().unwrap();
    let output = running.wait_with_output().await.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    CommandOutput { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

impl CommandOutput {
    /// The standard output of a command that must succeed.
    pub fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// The standard error of a command whose arguments are invalid, with all of these words.
    pub fn expect_usage_error(self, words: &[&str]) -> String {
        self.expect_code(2, words)
    }

    /// The standard error of a command that must fail, with all of these words.
    pub fn expect_error(self, words: &[&str]) -> String {
        self.expect_code(1, words)
    }

    fn expect_code(self, code: i32, words: &[&str]) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(self.out.is_empty(), "{self:?}");
        for word in words {
            assert!(self.err.contains(word), "{word} in {}", self.err);
        }
        self.err
    }
}

/// All tokens of the demo.
pub fn tokens(credentials: &Credentials) -> Vec<&str> {
    credentials.tokens.values().map(|person| person.token.as_str()).collect()
}
