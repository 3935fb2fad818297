//! The server binary.

use std::process::ExitCode;

use flagservice_server::command::{Command, explain};
use tracing_subscriber::EnvFilter;

/// Load requests make many small allocations on several threads; the system allocator is slow at that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let command = match Command::read() {
        Ok(command) => command,
        Err(error) => return report_failure(&error),
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt().json().with_env_filter(filter).with_writer(std::io::stderr).init();
    match command.run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report_failure(&error),
    }
}

fn report_failure(error: &anyhow::Error) -> ExitCode {
    eprintln!("flagservice-server: {}", explain(error));
    ExitCode::FAILURE
}
