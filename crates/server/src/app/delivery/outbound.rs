//! Where annotations and webhooks go to, and where their links lead: the operator's settings.

use crate::app::BaseUrl;
use crate::app::delivery::reach::Reach;
use crate::domain::integration::Region;

/// The settings. Integrations of a region without an address cannot be created; existing deliveries stay queued.
#[derive(Clone, Debug, Default)]
pub struct Outbound {
    /// The analytics service in the United States.
    pub us: Option<BaseUrl>,
    /// The analytics service in the European Union.
    pub eu: Option<BaseUrl>,
    /// This service, as people reach it with their browsers.
    pub public: Option<BaseUrl>,
    /// The addresses that webhooks may reach.
    pub reach: Reach,
}

impl Outbound {
    /// The address of a region.
    pub fn address(&self, region: Region) -> Option<&BaseUrl> {
        match region {
            Region::Us => self.us.as_ref(),
            Region::Eu => self.eu.as_ref(),
        }
    }
}
