//! The types of the OpenID Connect library, with all claims that a provider sends.

use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreClientAuthMethod, CoreErrorResponseType, CoreGenderClaim, CoreJsonWebKey,
    CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreRevocableToken, CoreRevocationErrorResponse,
    CoreTokenIntrospectionResponse, CoreTokenType,
};
use openidconnect::{
    AdditionalClaims, AuthType, ClientId, ClientSecret, EmptyExtraTokenFields, EndpointMaybeSet, EndpointNotSet,
    EndpointSet, IdTokenFields, ProviderMetadataWithLogout, RedirectUrl, StandardErrorResponse, StandardTokenResponse,
    UserInfoClaims,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::identity::settings::ProviderSettings;
use crate::secret::Secret;

/// The path that the provider sends people back to.
pub(super) const CALLBACK: &str = "/ui/single-sign-on/callback";

/// The claims that the standard does not name.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct OtherClaims {
    #[serde(flatten)]
    all: Map<String, Value>,
}

impl AdditionalClaims for OtherClaims {}

type Fields = IdTokenFields<
    OtherClaims,
    EmptyExtraTokenFields,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;

/// What the provider returns for a code.
pub(super) type Tokens = StandardTokenResponse<Fields, CoreTokenType>;

/// What the provider says of a person when it is asked.
pub(super) type PersonClaims = UserInfoClaims<OtherClaims, CoreGenderClaim>;

/// This service as the client of the provider.
pub(super) type Client = openidconnect::Client<
    OtherClaims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    Tokens,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// The client of a provider with this metadata; none if its URLs cannot be used.
pub(super) fn client(settings: &ProviderSettings, metadata: ProviderMetadataWithLogout) -> Option<Client> {
    let redirect = RedirectUrl::new(format!("{}{CALLBACK}", settings.public)).ok()?;
    let secret = settings.client_secret.as_ref().map(Secret::reveal);
    let secret = secret.map(|secret| ClientSecret::new(secret.to_owned()));
    let auth_type = auth_type(&metadata);
    let client_id = ClientId::new(settings.client_id.clone());
    let client = openidconnect::Client::from_provider_metadata(metadata, client_id, secret);
    Some(client.set_auth_type(auth_type).set_redirect_uri(redirect))
}

/// How the secret is sent: in a header, unless the provider only accepts it in the body.
fn auth_type(metadata: &ProviderMetadataWithLogout) -> AuthType {
    let supported = metadata.token_endpoint_auth_methods_supported().map_or(&[][..], Vec::as_slice);
    let accepts = |method| supported.contains(&method);
    if accepts(CoreClientAuthMethod::ClientSecretPost) && !accepts(CoreClientAuthMethod::ClientSecretBasic) {
        AuthType::RequestBody
    } else {
        AuthType::BasicAuth
    }
}
