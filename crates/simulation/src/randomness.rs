//! The server's random bytes, as the seed says.

use std::sync::{Mutex, PoisonError};

use flagservice_server::random::{IdNumbers, Random};

use crate::chance::Chance;

/// Random bytes of a seed.
pub struct SeededRandom {
    chance: Mutex<Chance>,
    id_numbers: IdNumbers,
}

impl SeededRandom {
    /// The bytes of this seed.
    pub fn new(seed: u64) -> Self {
        Self { chance: Mutex::new(Chance::new(seed, "server")), id_numbers: IdNumbers::new() }
    }
}

impl Random for SeededRandom {
    fn fill(&self, buffer: &mut [u8]) {
        self.chance.lock().unwrap_or_else(PoisonError::into_inner).fill(buffer);
    }

    fn id_numbers(&self) -> &IdNumbers {
        &self.id_numbers
    }
}
