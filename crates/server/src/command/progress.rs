//! What is told while something takes long, on the standard error output.

use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::time::Duration;

/// How often.
const EVERY: Duration = Duration::from_secs(2);

/// Tells how large the file has become, until the work is done.
pub(super) async fn of_file<T>(what: &str, file: &Path, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    loop {
        match tokio::time::timeout(EVERY, &mut work).await {
            Ok(done) => return done,
            Err(_) => {
                let size = std::fs::metadata(file).map(|found| found.len()).unwrap_or_default();
                eprintln!("… {what}: {}", shown_size(size));
            }
        }
    }
}

/// A number of bytes for people.
pub(super) fn shown_size(bytes: u64) -> String {
    const STEP: u64 = 1024;
    if bytes < STEP * STEP { format!("{} KiB", bytes.div_ceil(STEP)) } else { format!("{} MiB", bytes / STEP / STEP) }
}
