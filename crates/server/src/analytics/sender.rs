//! What sends: the annotation of a change, to the address and with the keys of an integration.

use std::fmt;
use std::sync::Arc;

use flagservice_rules::Instant;

use crate::analytics::annotation::Annotation;
use crate::analytics::connection::Dialler;
use crate::analytics::destination::Destination;
use crate::analytics::sending::{Between, send};
use crate::app::delivery::test_events::Sent;
use crate::app::secrets::credentials;
use crate::app::{App, Result};
use crate::domain::flag_change::FeatureChange;
use crate::domain::integration::Integration;

/// What sends.
pub(super) struct Sender {
    pub(super) app: Arc<App>,
    pub(super) dialler: Arc<Dialler>,
}

/// Why nothing can be sent to an integration. What waits goes on waiting.
pub(super) enum Stuck {
    /// The region has no address.
    Address(String),
    /// The keys cannot be read.
    Keys,
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(region) => {
                write!(f, "Not sent: this server has no address of the region {region}. Ask its operator to set one.")
            }
            Self::Keys => f.write_str("Not sent: the stored keys cannot be read. Enter both keys anew."),
        }
    }
}

impl Sender {
    /// Sends the change that was made at that time; none when it came to no end. `deadline`: by when there must be an outcome.
    pub(super) async fn send(
        &self,
        integration: &Integration,
        (change, at): (&FeatureChange, Instant),
        deadline: Option<Instant>,
        between: &mut dyn Between,
    ) -> Result<std::result::Result<Option<Sent>, Stuck>> {
        let app = &*self.app;
        let Some(address) = app.outbound.address(integration.region) else {
            return Ok(Err(Stuck::Address(integration.region.to_string())));
        };
        let Some(credentials) = credentials::open(app, &integration.id, &integration.credentials).await? else {
            return Ok(Err(Stuck::Keys));
        };
        let public = app.outbound.public.as_ref().map_or("", |public| public.as_str());
        let annotation = Annotation::of(change, at, public);
        let destination = Destination { app, dialler: &self.dialler, address, credentials: &credentials };
        Ok(Ok(send(&destination, &annotation, deadline, between).await))
    }
}
