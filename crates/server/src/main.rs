//! Starts the companion server.

use std::process::ExitCode;

use flagservice_server::command::{Command, explain};
use tracing_subscriber::EnvFilter;

/// Loads make many small allocations on several threads, which the system's allocator is slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let command = match Command::read() {
        Ok(command) => command,
        Err(error) => return failed(&error),
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt().json().with_env_filter(filter).with_writer(std::io::stderr).init();
    match command.run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

fn failed(error: &anyhow::Error) -> ExitCode {
    eprintln!("flagservice-server: {}", explain(error));
    ExitCode::FAILURE
}
