//! The random bytes that this process gets from the operating system: seeded, so that the order of hash maps and the choices of
//! tokio's `select!` are the same each time that a history runs.

use std::cell::Cell;
use std::ffi::{c_uint, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

static SEED: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The state of this thread's generator; none before its first use.
    static STATE: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Seeds all threads that have drawn nothing yet.
pub fn seed(seed: u64) {
    SEED.store(seed, Ordering::Relaxed);
}

/// The next number of the generator SplitMix64.
fn next() -> u64 {
    let state = STATE.get().unwrap_or_else(|| SEED.load(Ordering::Relaxed)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    STATE.set(Some(state));
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Takes the place of the C library's function, which the standard library calls.
#[expect(unsafe_code, reason = "the C library's function has this signature")]
#[unsafe(no_mangle)]
unsafe extern "C" fn getrandom(buffer: *mut c_void, length: usize, _flags: c_uint) -> isize {
    // SAFETY: the caller of `getrandom` owns `length` bytes at `buffer`.
    let bytes = unsafe { std::slice::from_raw_parts_mut(buffer.cast::<u8>(), length) };
    for chunk in bytes.chunks_mut(8) {
        for (byte, random) in chunk.iter_mut().zip(next().to_le_bytes()) {
            *byte = random;
        }
    }
    isize::try_from(length).unwrap_or(isize::MAX)
}
