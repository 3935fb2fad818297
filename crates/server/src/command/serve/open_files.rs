//! The open files that the system allows this process: connections of clients have to leave some of them to the database.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files that are not connections of clients: the database and its connections, the listener, destinations of annotations.
const RESERVED: u64 = 256;

/// Raises the limit of open files as far as the system allows. Returns the connections of clients for which it has room.
pub(super) fn room_for_connections() -> usize {
    let Rlimit { mut current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum && setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).is_ok() {
        current = maximum;
    }
    let Some(files) = current else { return usize::MAX };
    usize::try_from(files.saturating_sub(RESERVED)).unwrap_or(usize::MAX)
}
