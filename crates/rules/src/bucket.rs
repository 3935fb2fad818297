//! The position of a user in the splits of a feature.

use sha1::{Digest, Sha1};

/// The default salt of features.
pub const DEFAULT_SALT: &str = "1";

/// One more than the largest position.
pub const POSITIONS: u32 = 100_000;

/// The user's position in thousandths of a percent, 0 to 99,999. It never changes for the same salt, feature and user.
///
/// `h` is the number in the first 15 hexadecimal digits of the SHA-1 hash of `<salt>:<featureKey>:<userId>`. Its last two
/// decimal digits are the whole percent, and the three before them the thousandths. For splits of whole percentages the
/// rule is therefore `h mod 100 + 1 ≤ sum`.
pub fn position(salt: &str, feature_key: &str, user_id: &str) -> u32 {
    hash_position([salt, ":", feature_key, ":", user_id])
}

/// The part of the hashed text that is the same for all users.
pub(crate) fn hash_prefix(salt: &str, feature_key: &str) -> String {
    format!("{salt}:{feature_key}:")
}

/// The user's position, computed with a [`hash_prefix`].
pub(crate) fn position_with_prefix(prefix: &str, user_id: &str) -> u32 {
    hash_position([prefix, user_id])
}

fn hash_position<const PARTS: usize>(parts: [&str; PARTS]) -> u32 {
    let mut hash = Sha1::new();
    for part in parts {
        hash.update(part.as_bytes());
    }
    // Fifteen digits are sixty bits.
    let h = hash.finalize().iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte)) >> 4;
    ((h % 100) * 1000 + (h / 100) % 1000) as u32
}
