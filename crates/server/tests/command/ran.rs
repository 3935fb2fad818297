//! The program, run to its end.

use flagservice_server::app::seed::Credentials;
use tokio::process::Command;

use crate::fixture::{Binary, Database};

/// What a run left.
#[derive(Debug)]
pub struct Ran {
    code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs a command of words on the database.
pub async fn run(database: &Database, arguments: &[&str]) -> Ran {
    run_by(Command::new(Binary::PROGRAM), database, arguments).await
}

/// The same, by a command that runs the program with the arguments that it is given.
pub async fn run_by(mut command: Command, database: &Database, arguments: &[&str]) -> Ran {
    command.args(arguments).args(["--database-url", database.url(), "--key-file"]).arg(database.key_file());
    let output = command.env("RUST_LOG", "error").kill_on_drop(true).output().await.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

impl Ran {
    /// What a run that must succeed wrote to the standard output.
    pub fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// What a run that must fail said of it: all of these words.
    pub fn refused(self, words: &[&str]) -> String {
        assert_eq!(self.code, Some(1), "{self:?}");
        assert!(self.out.is_empty(), "{self:?}");
        for word in words {
            assert!(self.err.contains(word), "{word} in {}", self.err);
        }
        self.err
    }
}

/// The demo's tokens.
pub fn tokens(credentials: &Credentials) -> Vec<&str> {
    credentials.tokens.values().map(|person| person.token.as_str()).collect()
}
