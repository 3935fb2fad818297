//! The wire between clients and server: paths, stream events, and the point up to which a client knows its values.
//! `docs/protocol.md` tells the whole of it.

use core::fmt;

use crate::cut::cut;

/// What stands before the client key in the path of every client request.
pub const CLIENT_PATH: &str = "/client/v1/";

/// What stands before every path of OpenFeature's remote evaluation.
pub const OFREP_PATH: &str = "/ofrep/v1/";

/// Longest stream token that still holds its user, in characters; beyond it a stream only signals changes.
pub const MAX_TOKEN: usize = 4_000;

/// Names of the stream's events.
pub mod stream_event {
    /// The full map of the user's values, which replaces what the client has.
    pub const PUT: &str = "put";
    /// Values of the features that changed for the user; `null` for one that is gone.
    pub const PATCH: &str = "patch";
    /// Something changed, on a stream whose token holds no user: load again.
    pub const CHANGED: &str = "changed";
    /// Sent every 20 s, so that silence tells a dead connection.
    pub const BEAT: &str = "beat";
    /// This stream cannot go on: load again.
    pub const RELOAD: &str = "reload";
}

/// The point up to which a client knows its values: `<epoch>.<version>.<digest>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since {
    /// Random, new after a restore: versions of two epochs cannot be compared.
    pub epoch: u64,
    /// Raised by each change of the environment.
    pub version: u64,
    /// Of the user's values.
    pub digest: u64,
}

impl Since {
    /// Reads the text form; `None` when it has another shape.
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text;
        let since = Self {
            epoch: digits(cut(&mut rest, b'.'), 16)?,
            version: digits(cut(&mut rest, b'.'), 10)?,
            digest: digits(rest, 16)?,
        };
        Some(since)
    }

    /// Whether values of this point may replace values of `known`: another epoch, or no lower version.
    pub fn may_replace(&self, known: &Self) -> bool {
        self.epoch != known.epoch || self.version >= known.version
    }
}

impl fmt::Display for Since {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}.{}.{:016x}", self.epoch, self.version, self.digest)
    }
}

/// A number of at most 64 bits: sixteen hexadecimal digits hold no more, nor do nineteen decimal ones.
fn digits(text: &str, radix: u32) -> Option<u64> {
    let most = if radix == 16 { 16 } else { 19 };
    if text.is_empty() || text.len() > most {
        return None;
    }
    let mut number = 0_u64;
    for byte in text.bytes() {
        let digit = char::from(byte).to_digit(radix)?;
        number = number.wrapping_mul(radix.into()).wrapping_add(digit.into());
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::Since;

    #[test]
    fn a_point_reads_back() {
        let since = Since { epoch: u64::MAX, version: 42, digest: 7 };
        assert_eq!(since.to_string(), "ffffffffffffffff.42.0000000000000007");
        assert_eq!(Since::parse(&since.to_string()), Some(since));
    }

    #[test]
    fn another_shape_is_refused() {
        for text in ["", "1.2", "1.2.3.4", "1.-2.3", "1.2.g", "1..3", "1.2.", "11111111111111111.1.1"] {
            assert_eq!(Since::parse(text), None, "{text}");
        }
    }

    #[test]
    fn within_an_epoch_a_lower_version_is_ignored() {
        let known = Since { epoch: 1, version: 5, digest: 0 };
        assert!(!Since { version: 4, ..known }.may_replace(&known));
        assert!(known.may_replace(&known));
        assert!(Since { epoch: 2, version: 1, digest: 0 }.may_replace(&known));
    }
}
