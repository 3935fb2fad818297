//! Digests by which clients and server see that they know the same: sums of one share for each feature, so that a change takes
//! shares away and adds others.

/// One feature's share: FNV-1a, mixed so that sums of shares do not meet by their form.
pub(super) fn share(text: impl Iterator<Item = u8>) -> u64 {
    let hash =
        text.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let mixed = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
