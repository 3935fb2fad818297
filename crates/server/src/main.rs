//! Starts the companion server.

use std::process::ExitCode;

use clap::Parser;
use flagservice_server::command::{Command, explain};
use tracing_subscriber::EnvFilter;

/// Loads make many small allocations on several threads, which the system's allocator is slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let command = Command::parse();
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt().json().with_env_filter(filter).with_writer(std::io::stderr).init();
    match command.run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("flagservice-server: {}", explain(&error));
            ExitCode::FAILURE
        }
    }
}
