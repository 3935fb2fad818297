//! The server as a process of its own, which can be killed, and which writes a log.

use std::process::Stdio;

use flagservice_server::app::seed::Credentials;
use flagservice_server::role::Role;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, ChildStderr, Command};

use crate::fixture::{Browser, Caller, Database};

/// A process that serves.
pub struct Binary {
    child: Child,
    log: BufReader<ChildStderr>,
    read: String,
    address: String,
    credentials: &'static Credentials,
    http: reqwest::Client,
}

impl Binary {
    /// Starts the process on the database, and waits until it serves.
    pub async fn start(database: &Database) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_flagservice-server"))
            .args(["serve", "--listen", "127.0.0.1:0", "--database-url", database.url(), "--key-file"])
            .arg(database.key_file())
            .env("RUST_LOG", "debug")
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut read = String::new();
        let address = loop {
            let from = read.len();
            assert_ne!(log.read_line(&mut read).await.unwrap(), 0, "the server ended: {read}");
            let line: Value = serde_json::from_str(&read[from..]).unwrap_or_default();
            if line["fields"]["message"] == "serving" {
                break format!("http://{}", line["fields"]["address"].as_str().unwrap());
            }
        };
        let (credentials, http) = (database.credentials(), reqwest::Client::new());
        Self { child, log, read, address, credentials, http }
    }

    /// Kills the process with a signal that it cannot catch.
    pub async fn kill(&mut self) {
        self.child.kill().await.unwrap();
    }

    /// Kills the process and returns all of its log.
    pub async fn stop(&mut self) -> String {
        self.kill().await;
        self.log.read_to_string(&mut self.read).await.unwrap();
        std::mem::take(&mut self.read)
    }

    pub fn production_editor(&self) -> Caller {
        self.anonymous_with(&self.credentials.tokens[&Role::ProductionEditor].token)
    }

    /// Somebody who sends this as a token.
    pub fn anonymous_with(&self, token: &str) -> Caller {
        Caller::new(self.http.clone(), &self.address, Some(token))
    }

    pub fn browser(&self, environment: &str) -> Browser {
        Browser::new(self.http.clone(), &self.address, &self.credentials.client_keys[environment])
    }
}
