//! The id of a user whom nobody has named: `anonymous:` and 128 random bits.

/// Key in local storage and name of the cookie that link an anonymous user to the server-side SDK.
pub const STORAGE_NAME: &str = "flagservice-anonymous-id";

/// What every anonymous id begins with.
pub const PREFIX: &str = "anonymous:";

const RANDOM_BYTES: usize = 16;
const HEX: &[u8; 16] = b"0123456789abcdef";

/// An id of the form `anonymous:` + 32 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnonymousId(String);

impl AnonymousId {
    /// The id made of the given random bytes.
    pub fn from_random(bytes: [u8; RANDOM_BYTES]) -> Self {
        let mut id = String::with_capacity(PREFIX.len() + 2 * RANDOM_BYTES);
        id.push_str(PREFIX);
        for byte in bytes {
            for digit in [byte >> 4, byte & 15] {
                id.push(HEX.get(usize::from(digit)).map_or('0', |&hex| char::from(hex)));
            }
        }
        Self(id)
    }

    /// Reads a stored id; `None` for a damaged one, which is to be replaced.
    pub fn parse(stored: &str) -> Option<Self> {
        let random = stored.strip_prefix(PREFIX)?;
        let whole = random.len() == 2 * RANDOM_BYTES && random.bytes().all(|byte| HEX.contains(&byte));
        whole.then(|| Self(stored.to_owned()))
    }

    /// The id as it is stored and sent.
    pub fn as_str(&self) -> &str {
        &self.0
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
