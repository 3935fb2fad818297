//! Signing in with the identity provider: the authorization code flow of OpenID Connect, with PKCE.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use openidconnect::core::CoreAuthenticationFlow;
use openidconnect::{
    AuthorizationCode, ClientId, CsrfToken, LogoutRequest, Nonce, PkceCodeChallenge, PkceCodeVerifier,
    PostLogoutRedirectUrl, ProviderMetadataWithLogout, RequestTokenError, Scope,
};
use url::Url;

use crate::app::resources::identities::Claims;
use crate::clock::Clock;
use crate::identity::client::{self, Client, Tokens};
use crate::identity::connection::Connector;
use crate::identity::discovery::{Discovery, Freshness};
use crate::identity::failure::{Failure, chain};
use crate::identity::pending::PendingSignIn;
use crate::identity::person::Person;
use crate::identity::settings::{ProviderSettings, is_private_enough};
use crate::identity::verification::{Rejection, person_of};
use crate::random::{Random, bytes};

/// How long a sign-in may take: people look for their password, and confirm with a telephone.
const SIGN_IN_TIME: Duration = Duration::from_secs(15 * 60);

/// The page that the provider sends people to after it has signed them out.
const SIGNED_OUT: &str = "/sign-in";

/// The identity provider that the operator has set.
pub struct Provider {
    settings: ProviderSettings,
    clock: Arc<dyn Clock>,
    connector: Connector,
    discovery: Discovery,
}

impl Provider {
    /// Does not ask the provider anything yet: the server starts without it.
    pub fn new(settings: ProviderSettings, clock: Arc<dyn Clock>) -> Self {
        let discovery = Discovery::new(settings.issuer.clone(), Arc::clone(&clock));
        let connector = Connector::new(&settings.issuer);
        Self { settings, clock, connector, discovery }
    }

    /// What the operator has set.
    pub fn settings(&self) -> &ProviderSettings {
        &self.settings
    }

    /// Begins to sign somebody in: the URL of the provider to send them to, and what to keep until they come back.
    ///
    /// # Errors
    /// [`Failure::Unreachable`] if the provider has not answered yet and does not now.
    pub async fn begin(&self, random: &dyn Random, from: String) -> Result<(Url, PendingSignIn), Failure> {
        let client = self.client(Freshness::Usual).await?;
        let text = || URL_SAFE_NO_PAD.encode(bytes::<32>(random));
        let expires_at = self.clock.after(SIGN_IN_TIME);
        let pending = PendingSignIn { state: text(), nonce: text(), verifier: text(), from, expires_at };
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(pending.verifier.clone()));
        let (state, nonce) = (CsrfToken::new(pending.state.clone()), Nonce::new(pending.nonce.clone()));
        let request = client.authorize_url(CoreAuthenticationFlow::AuthorizationCode, || state, || nonce);
        let scopes = self.settings.scopes.iter().cloned().map(Scope::new);
        let (url, _, _) = request.add_scopes(scopes).set_pkce_challenge(challenge).url();
        if !is_private_enough(&url) {
            return Err(Failure::Invalid("its authorization endpoint is not https://".to_owned()));
        }
        Ok((url, pending))
    }

    /// Exchanges the code that the provider has sent the person back with. Nothing of the answer is kept but what is returned.
    ///
    /// # Errors
    /// See [`Failure`].
    pub async fn finish(&self, pending: &PendingSignIn, code: String) -> Result<Claims, Failure> {
        let client = self.client(Freshness::Usual).await?;
        let tokens = self.exchange(&client, pending, code).await?;
        let person = self.person(&client, &tokens, pending).await?;
        let role = self.settings.role_claim.find(&person.claims).and_then(|claim| self.settings.roles.role(claim));
        let Some(role) = role else { return Err(Failure::NoRole { subject: person.subject }) };
        Ok(Claims {
            issuer: self.settings.issuer.as_str().to_owned(),
            name: person.name()?,
            email: person.email(),
            subject: person.subject,
            role,
        })
    }

    /// Where to send somebody who has signed out here, so that they are signed out there, too. None if the provider has no such page or
    /// does not answer.
    pub async fn sign_out_url(&self) -> Option<Url> {
        let metadata = self.metadata(Freshness::Usual).await.ok()?;
        let endpoint = metadata.additional_metadata().end_session_endpoint.clone()?;
        let back = PostLogoutRedirectUrl::new(format!("{}{SIGNED_OUT}", self.settings.public)).ok()?;
        let request = LogoutRequest::from(endpoint).set_client_id(ClientId::new(self.settings.client_id.clone()));
        let url = request.set_post_logout_redirect_uri(back).http_get_url();
        // The pages open it.
        is_private_enough(&url).then_some(url)
    }

    async fn metadata(&self, freshness: Freshness) -> Result<Arc<ProviderMetadataWithLogout>, Failure> {
        self.discovery.metadata(&self.connector, freshness).await
    }

    async fn client(&self, freshness: Freshness) -> Result<Client, Failure> {
        let metadata = self.metadata(freshness).await?;
        let client = client::client(&self.settings, metadata.as_ref().clone());
        client.ok_or_else(|| Failure::Invalid("--public-url is not valid in a redirect".to_owned()))
    }

    async fn exchange(&self, client: &Client, pending: &PendingSignIn, code: String) -> Result<Tokens, Failure> {
        let request = client.exchange_code(AuthorizationCode::new(code));
        let request = request.map_err(|error| Failure::Invalid(error.to_string()))?;
        let request = request.set_pkce_verifier(PkceCodeVerifier::new(pending.verifier.clone()));
        request.request_async(&self.connector).await.map_err(|error| match error {
            RequestTokenError::ServerResponse(refusal) => Failure::CodeRefused(refusal.to_string()),
            RequestTokenError::Request(cause) => Failure::Unreachable(chain(&cause)),
            // The cause may quote a token.
            RequestTokenError::Parse(error, _) => {
                Failure::Unreachable(format!("its token response cannot be read at '{}'", error.path()))
            }
            RequestTokenError::Other(cause) => Failure::Unreachable(cause),
        })
    }

    /// The person of the ID token, completed by what the provider says when it is asked for more.
    async fn person(&self, client: &Client, tokens: &Tokens, pending: &PendingSignIn) -> Result<Person, Failure> {
        let nonce = Nonce::new(pending.nonce.clone());
        let person = match person_of(client, tokens, &nonce, &self.clock) {
            // Providers change their keys.
            Err(Rejection::Signature(_)) => {
                person_of(&self.client(Freshness::UnknownKey).await?, tokens, &nonce, &self.clock)
            }
            result => result,
        };
        let mut person = person.map_err(|rejection| Failure::Invalid(rejection.to_string()))?;
        if self.settings.role_claim.find(&person.claims).is_none() || !person.has_name() {
            person.complete(client, &self.connector, tokens).await?;
        }
        Ok(person)
    }
}
