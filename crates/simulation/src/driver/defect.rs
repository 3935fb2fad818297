//! Defects that are planted to see that a history finds them. Each changes what the server asks of the database, as a mistake in its
//! code would.

use std::borrow::Cow;
use std::str::FromStr;

use anyhow::bail;

/// A planted defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Some changes raise the version and leave no entry in the outbox.
    LostOutboxEntry,
    /// A lease is also renewed by a node that has lost it.
    UnfencedLease,
    /// A commit is answered before it is made, and its failure is not seen.
    EarlyAcknowledgement,
}

impl Defect {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::LostOutboxEntry, Self::UnfencedLease, Self::EarlyAcknowledgement];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::LostOutboxEntry => "lost-outbox-entry",
            Self::UnfencedLease => "unfenced-lease",
            Self::EarlyAcknowledgement => "early-acknowledgement",
        }
    }
}

impl FromStr for Defect {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> anyhow::Result<Self> {
        let Some(defect) = Self::ALL.into_iter().find(|defect| defect.name() == name) else {
            bail!("'{name}' is no defect; there are {}", Self::ALL.map(Self::name).join(", "));
        };
        Ok(defect)
    }
}

/// What a connection sets, without SQLite's own wait for a lock: the driver waits in simulated time.
const BUSY_TIMEOUT: &str = "PRAGMA busy_timeout = 10000;";

/// How the holder of a lease renews it, and the same without the fence.
const RENEW: (&str, &str) = (
    "lease_beat = lease_beat + 1 WHERE id = $1 AND lease_fence = $2",
    "lease_beat = lease_beat + 1 WHERE id = $1 AND $2 = $2",
);

/// The statement that is run instead.
pub(super) fn replaced(sql: &str, defect: Option<Defect>) -> Cow<'_, str> {
    let (renew, unfenced) = RENEW;
    if sql.contains(BUSY_TIMEOUT) {
        Cow::Owned(sql.replace(BUSY_TIMEOUT, "PRAGMA busy_timeout = 0;"))
    } else if defect == Some(Defect::UnfencedLease) && sql.contains(renew) {
        Cow::Owned(sql.replace(renew, unfenced))
    } else {
        Cow::Borrowed(sql)
    }
}

/// Whether the statement writes an entry of the outbox.
pub(super) fn is_outbox_entry(sql: &str) -> bool {
    sql.starts_with("INSERT INTO outbox ")
}

/// Whether the statement releases the leases of all nodes. A node on SQLite does so when it starts, because it is the only one; several
/// nodes, as on PostgreSQL, never do.
pub(super) fn releases_all_leases(sql: &str) -> bool {
    sql.starts_with("UPDATE integrations SET lease_holder = '' WHERE lease_holder <> ''")
}
