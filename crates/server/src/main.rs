//! The server binary.

#![warn(clippy::print_stdout, clippy::print_stderr)]

use std::backtrace::{Backtrace, BacktraceStatus};
use std::process::ExitCode;

use flagservice_server::command::{Command, explain};
use flagservice_server::log::Log;
use tracing_subscriber::EnvFilter;

/// Load requests make many small allocations on several threads; the system allocator is slow at that. SQLite uses it too. What is
/// freed goes back to the system within seconds, also from threads that are idle.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Threads of the server. Tasks of one thread wait for each other, but the system shares the processors among threads: a list
/// that takes long to write does not delay a kill switch.
const MIN_THREADS: usize = 8;

fn main() -> ExitCode {
    let Ok(log) = Log::to(std::io::stderr()) else { return ExitCode::FAILURE };
    let _flush = log.flush_at_end();
    log_panics(&log);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = MIN_THREADS.max(2 * processors);
    match tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build() {
        Ok(runtime) => {
            let code = runtime.block_on(run(&log));
            // What still runs on a thread of its own, such as a read from a disk that does not respond, must not hold up the end.
            runtime.shutdown_background();
            code
        }
        Err(error) => report_failure(&log, &error.into()),
    }
}

async fn run(log: &Log) -> ExitCode {
    let command = match Command::read() {
        Ok(command) => command,
        Err(error) => return report_failure(log, &error),
    };
    let filter = filter();
    let writer = log.clone();
    // The library would write its own errors to standard error directly, and panic if it cannot.
    let subscriber = tracing_subscriber::fmt().json().log_internal_errors(false).with_env_filter(filter);
    subscriber.with_writer(move || writer.clone()).init();
    match command.run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report_failure(log, &error),
    }
}

/// What RUST_LOG says. An empty one says nothing, as where a file of variables has it without a value.
fn filter() -> EnvFilter {
    let text = std::env::var(EnvFilter::DEFAULT_ENV).ok().filter(|text| !text.trim().is_empty());
    text.and_then(|text| EnvFilter::try_new(text).ok()).unwrap_or_else(|| EnvFilter::new("info"))
}

/// Writes panics to the log. By default they go to standard error directly, and wait for it.
fn log_panics(log: &Log) {
    let log = log.clone();
    std::panic::set_hook(Box::new(move |panic| {
        let backtrace = Backtrace::capture();
        let is_captured = backtrace.status() == BacktraceStatus::Captured;
        log.line(&if is_captured { format!("{panic}\n{backtrace}") } else { panic.to_string() });
    }));
}

fn report_failure(log: &Log, error: &anyhow::Error) -> ExitCode {
    log.line(&format!("flagservice-server: {}", explain(error)));
    ExitCode::FAILURE
}
