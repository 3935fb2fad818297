//! Connections of clients leave open files for the database, however few the system allows.

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::json;
use tokio::net::TcpStream;
use tokio::process::Command;

use crate::fixture::{Caller, ServerProcess, on_each_database, targeting_of};

/// The limit of open files: all that the server keeps for itself, and a few connections.
const OPEN_FILES: usize = 280;

#[apply(on_each_database)]
async fn connections_that_take_all_open_files_do_not_stop_a_kill_switch(database: Database) {
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("ulimit -n {OPEN_FILES}; exec \"$@\""), "sh", ServerProcess::PROGRAM]);
    let server = ServerProcess::start_with_command(&database, limited).await;
    // The connection of this person is open before those of the flood. This client keeps it while it is idle.
    let client = reqwest::Client::builder().pool_idle_timeout(None).build().unwrap();
    let (address, credentials) = (format!("http://{}", server.socket_address()), database.credentials());
    let editor = Caller::new(client, &address, Some(&credentials.tokens[&Role::ProductionEditor].token));
    let path = targeting_of("search-suggestions", "production");
    editor.patch(&path, &json!({ "enabled": true })).await.ok(200);
    let mut silent = Vec::new();
    for _ in 0..2 * OPEN_FILES {
        silent.push(TcpStream::connect(server.socket_address()).await.unwrap());
    }
    editor.patch(&path, &json!({ "enabled": false })).await.ok(200);
    let log = server.startup_log();
    assert!(log.contains("limit of open files"), "{log}");
}

#[apply(on_each_database)]
async fn the_limit_of_open_files_is_raised_as_far_as_the_system_allows(database: Database) {
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -S -n 280; exec \"$@\"", "sh", ServerProcess::PROGRAM]);
    let server = ServerProcess::start_with_command(&database, limited).await;
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.id())).unwrap();
    let files: Vec<_> = limits.lines().find(|line| line.starts_with("Max open files")).unwrap().split(' ').collect();
    let numbers: Vec<&str> = files.into_iter().filter(|word| word.parse::<u64>().is_ok()).collect();
    assert_eq!(numbers[0], numbers[1], "{limits}");
}
