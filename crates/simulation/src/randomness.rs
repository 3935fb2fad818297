//! The server's random bytes, as the seed says.

use std::sync::{Mutex, PoisonError};

use flagservice_server::random::Random;

use crate::chance::Chance;

/// Random bytes of a seed.
pub struct SeededRandom(Mutex<Chance>);

impl SeededRandom {
    /// The bytes of this seed.
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(Chance::new(seed, "server")))
    }
}

impl Random for SeededRandom {
    fn fill(&self, buffer: &mut [u8]) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).fill(buffer);
    }
}
