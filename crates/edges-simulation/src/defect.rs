//! Mistakes that are put in on purpose, to see that the invariants find them. They are between the server's code and the simulation: the
//! code that is searched is the one that everybody runs.

use std::str::FromStr;

use anyhow::bail;

/// A planted defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// A follower does not say what it has, and puts a bundle into force that is older.
    OlderVersion,
    /// The delays of clients are not spread.
    ClientsWithoutSpread,
    /// An edge forwards the features of a new version, but not that a key was revoked.
    LostRevocation,
    /// An edge says in its heartbeats that what it has is new.
    LostAge,
    /// An edge that has nothing yet tells other edges that their key is unknown.
    HastyRejection,
}

const ALL: [(Defect, &str); 5] = [
    (Defect::OlderVersion, "older-version"),
    (Defect::ClientsWithoutSpread, "clients-without-spread"),
    (Defect::LostRevocation, "lost-revocation"),
    (Defect::LostAge, "lost-age"),
    (Defect::HastyRejection, "hasty-rejection"),
];

impl Defect {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        ALL.iter().find(|(defect, _)| *defect == self).map_or("", |(_, name)| name)
    }
}

impl FromStr for Defect {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> anyhow::Result<Self> {
        match ALL.iter().find(|(_, known)| *known == name) {
            Some((defect, _)) => Ok(*defect),
            None => bail!("{name} is no defect. Choose one of {}.", ALL.map(|(_, name)| name).join(", ")),
        }
    }
}
