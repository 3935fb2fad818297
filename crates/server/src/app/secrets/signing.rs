//! Signatures of webhooks, by the scheme of Standard Webhooks: HMAC with SHA-256 over id, timestamp and body.

use std::fmt;

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flagservice_rules::Instant;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::random::{self, Random};
use crate::secret::Secret;

/// What a signing secret begins with.
const PREFIX: &str = "whsec_";

/// How many random bytes a new key has.
const KEY_BYTES: usize = 32;

/// A key that signs requests: its text is `whsec_` and the key in base64.
#[derive(Clone)]
pub struct SigningKey {
    text: Secret,
    /// Boxed: it is large, and few credentials have one.
    mac: Box<Hmac<Sha256>>,
}

impl SigningKey {
    /// A new key.
    pub(in crate::app) fn generate(random: &dyn Random) -> anyhow::Result<Self> {
        let key = STANDARD.encode(random::bytes::<KEY_BYTES>(random));
        Self::stored(format!("{PREFIX}{key}")).context("a new signing key cannot be used")
    }

    /// A key that was stored; none for anything else.
    pub(in crate::app) fn stored(text: String) -> Option<Self> {
        let key = STANDARD.decode(text.strip_prefix(PREFIX)?).ok()?;
        let mac = Box::new(Hmac::new_from_slice(&key).ok()?);
        Some(Self { text: Secret::new(text), mac })
    }

    /// Its text, for the one response that shows it, and for its storage.
    pub fn text(&self) -> &Secret {
        &self.text
    }

    /// The signature of a request: `v1,` and the code in base64. The receiver computes it from the same three parts.
    pub fn sign(&self, id: &str, at: Instant, body: &[u8]) -> String {
        let mut mac = Hmac::clone(&self.mac);
        mac.update(format!("{id}.{}.", timestamp(at)).as_bytes());
        mac.update(body);
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

impl PartialEq for SigningKey {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for SigningKey {}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningKey(…)")
    }
}

/// The time in whole seconds since 1970, as the header has it.
pub fn timestamp(at: Instant) -> i64 {
    at.0.div_euclid(1_000)
}

#[cfg(test)]
mod tests {
    use flagservice_rules::Instant;

    use super::SigningKey;
    use crate::random::SystemRandom;

    /// Computed with Python's hmac module and with `openssl dgst -mac HMAC`; the first is the example of Standard Webhooks.
    const VECTORS: [(&str, &str, i64, &str, &str); 4] = [
        (
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            r#"{"test": 2432232314}"#,
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        ),
        (
            "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
            "msg_1",
            1_795_255_321,
            r#"{"id":"msg_1","name":"Zoë"}"#,
            "v1,PR616/989GXLTBA31uM4KIfGZeSFWWqHo2PuIJvqND4=",
        ),
        (
            "whsec_/////////////////////////////////////////////////////////////////////////////////////w==",
            "msg_2",
            0,
            "",
            "v1,P8Twap7dFWzF8QyaxTMjkApGEQxHTdXduwH/X04dfjc=",
        ),
        (
            "whsec_a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2\
             tra2tra2tra2tra2tra2tra2traw==",
            "msg_3",
            1,
            "{}\n",
            "v1,NHYugKaL+KV0xAyTLsq0UXepftaUL7t8i6AcJlEgBRk=",
        ),
    ];

    #[test]
    fn signatures_are_those_of_other_implementations() {
        for (key, id, seconds, body, signature) in VECTORS {
            // Milliseconds do not count.
            let at = Instant(seconds * 1_000 + 999);
            assert_eq!(SigningKey::stored(key.to_owned()).unwrap().sign(id, at, body.as_bytes()), signature, "{id}");
        }
    }

    #[test]
    fn a_new_key_has_256_bits_and_is_never_printed() {
        let key = SigningKey::generate(&SystemRandom).unwrap();
        assert_eq!(key.text().reveal().len(), "whsec_".len() + 44);
        assert_ne!(key, SigningKey::generate(&SystemRandom).unwrap());
        assert_eq!(format!("{key:?}"), "SigningKey(…)");
        for invalid in ["", "whsec_?", "AAECAwQF"] {
            assert!(SigningKey::stored(invalid.to_owned()).is_none(), "{invalid}");
        }
    }
}
