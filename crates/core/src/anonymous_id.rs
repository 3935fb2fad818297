//! The id of a user whom nobody has named: `anonymous:` and 128 random bits.

use crate::digits::push_hex;

/// Key in local storage and name of the cookie that link an anonymous user to the server-side SDK.
pub const STORAGE_NAME: &str = "flagservice-anonymous-id";

/// What every anonymous id begins with.
pub const PREFIX: &str = "anonymous:";

const RANDOM_BYTES: usize = 16;

/// An id of the form `anonymous:` + 32 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnonymousId(String);

impl AnonymousId {
    /// The id made of the given random bytes.
    pub fn from_random(bytes: [u8; RANDOM_BYTES]) -> Self {
        let mut id = String::with_capacity(PREFIX.len() + 2 * RANDOM_BYTES);
        id.push_str(PREFIX);
        for byte in bytes {
            push_hex(&mut id, byte);
        }
        Self(id)
    }

    /// Reads a stored id; `None` for a damaged one, which is to be replaced.
    pub fn parse(stored: &str) -> Option<Self> {
        Self::is_intact(stored).then(|| Self(stored.to_owned()))
    }

    /// Whether a stored id is whole; a damaged one is to be replaced.
    pub fn is_intact(stored: &str) -> bool {
        stored.strip_prefix(PREFIX).is_some_and(|random| {
            random.len() == 2 * RANDOM_BYTES && random.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        })
    }

    /// The id as it is stored and sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<AnonymousId> for String {
    fn from(id: AnonymousId) -> Self {
        id.0
    }
}

#[cfg(test)]
mod tests {
    use super::AnonymousId;

    #[test]
    fn an_id_holds_all_its_random_bits_and_reads_back() {
        let mut bytes = [0; 16];
        bytes[0] = 0xab;
        bytes[15] = 0x01;
        let id = AnonymousId::from_random(bytes);
        assert_eq!(id.as_str(), "anonymous:ab000000000000000000000000000001");
        assert_eq!(AnonymousId::parse(id.as_str()), Some(id));
    }

    #[test]
    fn a_damaged_id_is_refused() {
        for damaged in ["", "anonymous:", "anonymous:xyz", "ab000000000000000000000000000001"] {
            assert_eq!(AnonymousId::parse(damaged), None, "{damaged}");
        }
    }
}
