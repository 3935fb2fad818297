//! The number of a participant: 64 bits of a keyed hash of environment, experiment and user. Each experiment has a key of its own, which
//! is stored encrypted, so the numbers of two experiments have nothing in common, and the database alone tells nobody's.

use crate::app::{App, Result};
use crate::domain::ids::{EnvironmentId, ExperimentId};
use crate::random;
use crate::sealing::{KEY_BYTES, derived};
use crate::store::Connection;

/// How many bytes of the hash count.
const NUMBER_BYTES: usize = size_of::<i64>();

/// The key of an experiment's participants.
pub struct ParticipantKey {
    bytes: [u8; KEY_BYTES],
    purpose: Vec<u8>,
}

impl ParticipantKey {
    /// The number of a user.
    pub fn number(&self, user: &str) -> i64 {
        let hash = derived(&self.bytes, &self.purpose, user);
        hash.first_chunk::<NUMBER_BYTES>().map_or(0, |first| i64::from_be_bytes(*first))
    }
}

/// What a key is encrypted for: that of one experiment does not open for another.
pub(in crate::app) fn purpose(id: &ExperimentId) -> Vec<u8> {
    format!("participants of the experiment {id}").into_bytes()
}

/// A new key, encrypted.
///
/// # Errors
/// When there is no data key.
pub fn create(app: &App, id: &ExperimentId) -> Result<String> {
    let bytes = random::bytes::<KEY_BYTES>(&*app.random);
    Ok(app.keyring.seal(&purpose(id), &bytes, &*app.random)?)
}

/// Decrypts a key; none when no data key opens it.
///
/// # Errors
/// When the database fails.
pub async fn open(
    app: &App,
    connection: &mut Connection,
    environment: &EnvironmentId,
    id: &ExperimentId,
    sealed: &str,
) -> Result<Option<ParticipantKey>> {
    if app.keyring.is_behind(sealed) {
        // Another node, or the command line, has made a new data key.
        app.keyring.follow(connection).await?;
    }
    let bytes = app.keyring.open_sealed(&purpose(id), sealed).and_then(|plain| plain.try_into().ok());
    let of_participant = format!("{environment}/{id}").into_bytes();
    Ok(bytes.map(|bytes| ParticipantKey { bytes, purpose: of_participant }))
}
