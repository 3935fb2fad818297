//! What the provider says of itself and its keys, read when it is first needed and kept for a while.

use std::sync::Arc;
use std::time::{Duration, Instant};

use openidconnect::{IssuerUrl, ProviderMetadataWithLogout};
use tokio::sync::Mutex;

use crate::clock::Clock;
use crate::identity::connection::Connector;
use crate::identity::failure::{Failure, chain};
use crate::identity::settings::Issuer;

/// How old it may be.
const MAX_AGE: Duration = Duration::from_secs(10 * 60);

/// How old it must be to be read again for a key that is not in it, so that nobody makes this server ask all the time.
const MIN_AGE: Duration = Duration::from_secs(30);

/// How recent it has to be.
#[derive(Clone, Copy)]
pub(super) enum Freshness {
    /// For a sign-in.
    Usual,
    /// The provider has signed with a key that is not in it.
    UnknownKey,
}

/// The provider's metadata, and when it was read by the service's clock.
#[derive(Clone)]
struct CachedMetadata {
    metadata: Arc<ProviderMetadataWithLogout>,
    read_at: flagservice_rules::Instant,
}

#[derive(Default)]
struct State {
    known: Option<CachedMetadata>,
    /// Why the last attempt failed, and when it did.
    failed: Option<(String, Instant)>,
}

/// Reads and keeps the metadata.
pub(super) struct Discovery {
    issuer: Issuer,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

impl Discovery {
    pub(super) fn new(issuer: Issuer, clock: Arc<dyn Clock>) -> Self {
        Self { issuer, clock, state: Mutex::default() }
    }

    /// The metadata. Others that ask while it is read wait for the result.
    pub(super) async fn metadata(
        &self,
        connector: &Connector,
        freshness: Freshness,
    ) -> Result<Arc<ProviderMetadataWithLogout>, Failure> {
        let asked_at = Instant::now();
        let mut state = self.state.lock().await;
        if let Some(known) = state.known.as_ref().filter(|known| self.is_fresh(known, freshness)) {
            return Ok(Arc::clone(&known.metadata));
        }
        if let Some((cause, _)) = state.failed.as_ref().filter(|(_, at)| *at >= asked_at) {
            return Err(Failure::Unreachable(cause.clone()));
        }
        match read(&self.issuer, connector).await {
            Ok(metadata) => {
                let metadata = Arc::new(metadata);
                *state = State {
                    known: Some(CachedMetadata { metadata: Arc::clone(&metadata), read_at: self.clock.now() }),
                    failed: None,
                };
                Ok(metadata)
            }
            Err(cause) => {
                state.failed = Some((cause.clone(), Instant::now()));
                Err(Failure::Unreachable(cause))
            }
        }
    }

    fn is_fresh(&self, known: &CachedMetadata, freshness: Freshness) -> bool {
        let limit = match freshness {
            Freshness::Usual => MAX_AGE,
            Freshness::UnknownKey => MIN_AGE,
        };
        // One that was read in the future is from before the clock was set back.
        let age = self.clock.now().0.saturating_sub(known.read_at.0);
        u64::try_from(age).is_ok_and(|age| Duration::from_millis(age) < limit)
    }
}

/// Reads the metadata and the keys. The library compares the issuer.
async fn read(issuer: &Issuer, connector: &Connector) -> Result<ProviderMetadataWithLogout, String> {
    let issuer = IssuerUrl::new(issuer.as_str().to_owned()).map_err(|error| error.to_string())?;
    ProviderMetadataWithLogout::discover_async(issuer, connector).await.map_err(|error| chain(&error))
}
