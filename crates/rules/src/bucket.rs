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

/// The first state of SHA-1 (FIPS 180-4, section 5.3.1).
const INITIAL_STATE: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

/// What a block of SHA-1 takes, in bytes.
const BLOCK_BYTES: usize = 64;

/// The longest text in the last block, beside the bit that ends it and its length.
const LAST_BLOCK_TEXT: usize = BLOCK_BYTES - 9;

fn hash_position<const PARTS: usize>(parts: [&str; PARTS]) -> u32 {
    // Fifteen digits are sixty bits.
    let h = hash_of_short(parts).unwrap_or_else(|| hash(parts)) >> 4;
    ((h % 100) * 1000 + (h / 100) % 1000) as u32
}

/// The first 64 bits of the hash.
fn hash<const PARTS: usize>(parts: [&str; PARTS]) -> u64 {
    let mut hash = Sha1::new();
    for part in parts {
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte))
}

/// The same for a text that fits into one block, in four fifths of the time: it needs no buffer. A load hashes once for each feature.
fn hash_of_short<const PARTS: usize>(parts: [&str; PARTS]) -> Option<u64> {
    let mut block = [0; BLOCK_BYTES];
    let mut length = 0;
    for part in parts {
        let end = length + part.len();
        block.get_mut(length..end)?.copy_from_slice(part.as_bytes());
        length = end;
    }
    if length > LAST_BLOCK_TEXT {
        return None;
    }
    *block.get_mut(length)? = 0x80;
    let bits = 8 * length as u64;
    *block.last_chunk_mut()? = bits.to_be_bytes();
    let mut state = INITIAL_STATE;
    sha1::block_api::compress(&mut state, &[block]);
    let [first, second, ..] = state;
    Some(u64::from(first) << 32 | u64::from(second))
}

#[cfg(test)]
mod tests {
    use super::{BLOCK_BYTES, LAST_BLOCK_TEXT, hash, hash_of_short};

    #[test]
    fn a_short_text_has_the_hash_that_every_text_has() {
        for length in 0..2 * BLOCK_BYTES {
            let text = "x".repeat(length);
            let (first, second) = text.split_at(length / 3);
            let expected = (length <= LAST_BLOCK_TEXT).then(|| hash([&text]));
            assert_eq!(hash_of_short([first, second]), expected, "{length}");
        }
        // FIPS 180-4: the SHA-1 of `abc` is a9993e364706816a ba3e25717850c26c9cd0d89d.
        assert_eq!(hash_of_short(["abc"]), Some(0xa999_3e36_4706_816a));
    }
}
