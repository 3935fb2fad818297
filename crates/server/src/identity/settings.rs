//! What the operator sets of the identity provider.

use std::net::IpAddr;
use std::str::FromStr;

use url::{Host, Url};

use crate::app::BaseUrl;
use crate::identity::role_claim::{RoleClaim, RoleMapping};
use crate::secret::Secret;

/// The settings of single sign-on.
#[derive(Clone, Debug)]
pub struct ProviderSettings {
    /// The provider.
    pub issuer: Issuer,
    /// The id of this service there.
    pub client_id: String,
    /// Its secret; none for a public client, which PKCE alone protects.
    pub client_secret: Option<Secret>,
    /// What is asked for, besides `openid`.
    pub scopes: Vec<String>,
    /// Where the roles are in what the provider says of a person.
    pub role_claim: RoleClaim,
    /// Which role of this service its values stand for.
    pub roles: RoleMapping,
    /// The provider on the button and in messages.
    pub name: String,
    /// The contact for people without a role; none: the administrator of the provider.
    pub contact: Option<String>,
    /// The id of the organisation that people sign in to; none: the only one that there is.
    pub organisation: Option<String>,
    /// Where people reach this service, and where the provider sends them back to.
    pub public: BaseUrl,
}

/// The URL by which the provider names itself: https, or http on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer(String);

impl Issuer {
    /// The URL as the operator has set it, which the provider must repeat exactly.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Issuer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let url = Url::parse(text).map_err(|error| format!("{error}: copy the issuer from the provider's settings"))?;
        if !is_private_enough(&url) {
            return Err("the issuer begins with https://, or with http:// for a provider on this machine".to_owned());
        }
        if url.query().is_some() || url.fragment().is_some() || !url.username().is_empty() || url.password().is_some() {
            return Err("the issuer has no user, query or fragment: copy it from the provider's settings".to_owned());
        }
        Ok(Self(text.to_owned()))
    }
}

/// Whether nobody on the way can read or change what goes to the URL: https, or a loopback address.
pub(super) fn is_private_enough(url: &Url) -> bool {
    let is_loopback = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::from(address).is_loopback(),
        None => return false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && is_loopback)
}

#[cfg(test)]
mod tests {
    use super::Issuer;

    #[test]
    fn an_issuer_is_an_https_url_or_on_this_machine() {
        for good in [
            "https://login.example",
            "https://login.example/realms/acme",
            "https://login.example/tenant/v2.0/",
            "http://127.0.0.1:9000",
            "http://[::1]:9000/",
            "http://localhost:8080/realms/acme",
        ] {
            assert_eq!(good.parse::<Issuer>().unwrap().as_str(), good);
        }
        for bad in [
            "login.example",
            "http://login.example",
            "http://127.0.0.1.example",
            "ftp://login.example",
            "https://",
            "https://login.example/?tenant=a",
            "https://login.example/#a",
            "https://user:secret@login.example",
            "file:///etc/passwd",
            "",
        ] {
            assert!(bad.parse::<Issuer>().is_err(), "{bad}");
        }
    }
}
