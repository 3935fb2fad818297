//! The protocol between clients and server: paths, stream events, and the known version. `docs/protocol.md` describes it in full.

use core::fmt;

/// The path of every client request up to the client key.
pub const CLIENT_PATH: &str = "/client/v1/";

/// Prefix of every path of OpenFeature's remote evaluation protocol.
pub const OFREP_PATH: &str = "/ofrep/v1/";

/// Maximum length of a stream token that holds its user, in characters. With a longer one the stream only signals changes.
pub const MAX_TOKEN: usize = 4_000;

/// Names of the stream's events.
pub mod stream_event {
    /// All values of the user. They replace the client's values.
    pub const PUT: &str = "put";
    /// Values of the features that changed for the user; `null` for a removed feature.
    pub const PATCH: &str = "patch";
    /// Something changed, on a stream whose token does not hold the user: load again.
    pub const CHANGED: &str = "changed";
    /// The heartbeat. It is sent every 20 s, so that a silent connection is known to be dead.
    pub const BEAT: &str = "beat";
    /// This stream ends: load again.
    pub const RELOAD: &str = "reload";
}

/// The version of the values that a client has: `<epoch>.<version>.<digest>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since {
    /// A random number that changes after a restore. Versions of different epochs cannot be compared.
    pub epoch: u64,
    /// Incremented by each change of the environment.
    pub version: u64,
    /// A hash of the user's values.
    pub digest: u64,
}

impl Since {
    /// Parses the text form; `None` if it is invalid. A version has one text: clients compare versions by their texts.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '.');
        let since = Self {
            epoch: parse_number(parts.next()?, 16)?,
            version: parse_number(parts.next()?, 10)?,
            digest: parse_number(parts.next()?, 16)?,
        };
        (since.to_string() == text).then_some(since)
    }

    /// Whether values of this version may replace values of `known`: the epoch differs, or the version is not lower.
    pub fn may_replace(&self, known: &Self) -> bool {
        self.epoch != known.epoch || self.version >= known.version
    }
}

impl fmt::Display for Since {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}.{}.{:016x}", self.epoch, self.version, self.digest)
    }
}

/// Parses a number. At most 16 hexadecimal or 19 decimal digits fit into 64 bits.
fn parse_number(text: &str, radix: u32) -> Option<u64> {
    let max_length = if radix == 16 { 16 } else { 19 };
    if text.is_empty() || text.len() > max_length {
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
    fn a_version_is_parsed_from_its_text() {
        let since = Since { epoch: u64::MAX, version: 42, digest: 7 };
        assert_eq!(since.to_string(), "ffffffffffffffff.42.0000000000000007");
        assert_eq!(Since::parse(&since.to_string()), Some(since));
    }

    #[test]
    fn an_invalid_text_is_rejected() {
        let (one, two) = ("0000000000000001", "0000000000000002");
        assert!(Since::parse(&format!("{one}.2.{two}")).is_some());
        let numbers = ["", "-2", "g", "02", "2.2"].map(|version| format!("{one}.{version}.{two}"));
        let digests = ["", "2", "000000000000000g", "00000000000000002", "000000000000000A"]
            .map(|digest| format!("{one}.2.{digest}"));
        let epochs = ["", "1", "11111111111111111"].map(|epoch| format!("{epoch}.2.{two}"));
        for text in numbers.into_iter().chain(digests).chain(epochs).chain([String::new(), format!("{one}.2")]) {
            assert_eq!(Since::parse(&text), None, "{text}");
        }
    }

    #[test]
    fn a_lower_version_of_the_same_epoch_does_not_replace_a_higher_one() {
        let known = Since { epoch: 1, version: 5, digest: 0 };
        assert!(!Since { version: 4, ..known }.may_replace(&known));
        assert!(known.may_replace(&known));
        assert!(Since { epoch: 2, version: 1, digest: 0 }.may_replace(&known));
    }
}
