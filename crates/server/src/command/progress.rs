//! Progress of long operations, on standard error.

use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::time::Duration;

use crate::command::output;

const REPORT_INTERVAL: Duration = Duration::from_secs(2);

/// Reports the size of a growing file until the work is done.
pub(super) async fn report_file_size<T>(what: &str, file: &Path, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    loop {
        match tokio::time::timeout(REPORT_INTERVAL, &mut work).await {
            Ok(done) => return done,
            Err(_) => {
                let size = std::fs::metadata(file).map(|metadata| metadata.len()).unwrap_or_default();
                output::note(format_args!("… {what}: {}", format_size(size)));
            }
        }
    }
}

/// Formats a number of bytes.
pub(super) fn format_size(bytes: u64) -> String {
    const STEP: u64 = 1024;
    if bytes < STEP * STEP { format!("{} KiB", bytes.div_ceil(STEP)) } else { format!("{} MiB", bytes / STEP / STEP) }
}
