//! What is stored encrypted for good: the credentials of integrations, and the keys of experiments' participants.

use crate::app::experiments::participant_keys;
use crate::app::secrets::credentials;
use crate::domain::ids::{ExperimentId, IntegrationId};
use crate::store::delivery::integrations;
use crate::store::experiments::records;
use crate::store::{Connection, Result};

/// A row with an encrypted text.
pub enum SealedRow {
    /// An integration with its credentials.
    Credentials(IntegrationId),
    /// An experiment with the key of its participants.
    ParticipantKey(ExperimentId),
}

impl SealedRow {
    /// What the text is encrypted for.
    pub fn purpose(&self) -> Vec<u8> {
        match self {
            Self::Credentials(id) => credentials::purpose(id),
            Self::ParticipantKey(id) => participant_keys::purpose(id),
        }
    }

    /// Replaces the text, unless it has changed. Says whether it was replaced.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn reseal(&self, connection: &mut Connection, before: &str, sealed: &str) -> Result<bool> {
        match self {
            Self::Credentials(id) => integrations::reseal_unchanged(connection, id, before, sealed).await,
            Self::ParticipantKey(id) => records::reseal(connection, id, before, sealed).await,
        }
    }
}

/// All such rows, with their texts.
///
/// # Errors
/// When the database fails.
pub async fn all(connection: &mut Connection) -> Result<Vec<(SealedRow, String)>> {
    let credentials = integrations::all_credentials(connection).await?.into_iter();
    let keys = records::with_participants(connection, None).await?.into_iter();
    let credentials = credentials.map(|(id, sealed)| (SealedRow::Credentials(id), sealed));
    Ok(credentials.chain(keys.map(|one| (SealedRow::ParticipantKey(one.id), one.participant_key))).collect())
}
