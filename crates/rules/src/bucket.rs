//! Where a user stands in the splits of a feature.

use sha1::{Digest, Sha1};

/// The salt of a feature that has none of its own.
pub const DEFAULT_SALT: &str = "1";

/// One more than the largest position.
pub const POSITIONS: u32 = 100_000;

/// The user's position in thousandths of a percent, 0 to 99,999: the same for the same salt, feature and user, for
/// ever.
///
/// `h` is the number that the first 15 hexadecimal digits of SHA-1 of `<salt>:<featureKey>:<userId>` write. Its last
/// two decimal digits are the whole percent, the three before them the thousandths; so with splits of whole
/// percentages the rule is `h mod 100 + 1 ≤ sum`.
pub fn position(salt: &str, feature_key: &str, user_id: &str) -> u32 {
    of([salt, ":", feature_key, ":", user_id])
}

/// What is hashed before the user's id; it can be kept.
pub(crate) fn before_user(salt: &str, feature_key: &str) -> String {
    format!("{salt}:{feature_key}:")
}

/// The user's position, from what [`before_user`] returned.
pub(crate) fn position_after(before_user: &str, user_id: &str) -> u32 {
    of([before_user, user_id])
}

fn of<const PARTS: usize>(parts: [&str; PARTS]) -> u32 {
    let mut hash = Sha1::new();
    for part in parts {
        hash.update(part.as_bytes());
    }
    // Fifteen digits are sixty bits.
    let h = hash.finalize().iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte)) >> 4;
    ((h % 100) * 1000 + (h / 100) % 1000) as u32
}
