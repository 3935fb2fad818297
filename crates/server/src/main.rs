//! The server binary.

use std::process::ExitCode;

use flagservice_server::command::{Command, explain};
use tracing_subscriber::EnvFilter;

/// Load requests make many small allocations on several threads; the system allocator is slow at that. SQLite uses it too. What is
/// freed goes back to the system within seconds, also from threads that are idle.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Threads of the server. Tasks of one thread wait for each other, but the system shares the processors among threads: a list
/// that takes long to write does not delay a kill switch.
const MIN_THREADS: usize = 8;

fn main() -> ExitCode {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = MIN_THREADS.max(2 * processors);
    match tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build() {
        Ok(runtime) => runtime.block_on(run()),
        Err(error) => report_failure(&error.into()),
    }
}

async fn run() -> ExitCode {
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
