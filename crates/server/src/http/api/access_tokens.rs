//! `/api/v1/tokens`: personal access tokens. Administrators manage everybody's, other people their own.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use flagservice_core::Key;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::resources::access_tokens::{self, Expiry};
use crate::app::resources::token_scopes::{self, NewScope};
use crate::app::{App, Name, Operation};
use crate::domain::access_token::scope::{Access, Place, Scope};
use crate::domain::access_token::{AccessToken, TokenRef};
use crate::http::extract::caller::Reader;
use crate::http::extract::idempotency::{IdempotencyKey, Once, Reply, once, text};
use crate::http::extract::json::nullable;
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::{Path, Query};
use crate::http::extract::text::Text;
use crate::http::extract::time::Time;
use crate::http::problem::Problem;

/// A personal access token.
#[derive(Serialize, ToSchema)]
#[schema(as = AccessToken)]
#[serde(rename_all = "camelCase")]
pub struct AccessTokenView {
    id: String,
    user_id: String,
    /// The id of the person who created it; null if it is not known.
    created_by: Option<String>,
    name: String,
    /// The token's last characters.
    hint: String,
    created_at: Time,
    /// Missing if it does not expire.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<Time>,
    /// Missing if it may do everything that its owner may.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<TokenScope>,
    /// With minute precision. Missing if it was never used.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_used_at: Option<Time>,
    /// The token itself, only in the response that creates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

impl From<AccessToken> for AccessTokenView {
    fn from(token: AccessToken) -> Self {
        Self {
            id: token.id.to_string(),
            user_id: token.user_id.to_string(),
            created_by: token.creator_id.map(|id| id.to_string()),
            name: token.name,
            hint: token.hint,
            created_at: Time(token.created_at),
            expires_at: token.expires_at.map(Time),
            scope: token.scope.map(TokenScope::from),
            last_used_at: token.last_used_at.map(Time),
            token: None,
        }
    }
}

/// The token that someone used.
#[derive(Serialize, ToSchema)]
#[schema(as = TokenRef)]
#[serde(rename_all = "camelCase")]
pub struct TokenRefView {
    id: String,
    /// The id of the person who created it; null if it is not known.
    created_by: Option<String>,
}

impl From<TokenRef> for TokenRefView {
    fn from(token: TokenRef) -> Self {
        Self { id: token.id.to_string(), created_by: token.creator_id.map(|id| id.to_string()) }
    }
}

/// What a token is limited to. It never allows more than the role of the token's owner. A token with a scope cannot create or revoke
/// tokens, or change people and the organisation. Without `projects` and `environments` it is limited to none.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TokenScope {
    access: Access,
    /// The keys of whole projects.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 50)]
    projects: Option<Vec<Key>>,
    /// Environments. Such a token also reads what the project's environments have in common, such as features.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 50)]
    environments: Option<Vec<ScopedEnvironment>>,
}

/// An environment that a token may be used for.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScopedEnvironment {
    project_key: Key,
    environment_key: Key,
}

impl From<Scope> for TokenScope {
    fn from(Scope { access, places }: Scope) -> Self {
        let Some(places) = places else { return Self { access, projects: None, environments: None } };
        let (mut projects, mut environments) = (Vec::new(), Vec::new());
        for Place { project, environment, .. } in places {
            match environment {
                None => projects.push(project),
                Some((_, environment_key)) => {
                    environments.push(ScopedEnvironment { project_key: project, environment_key });
                }
            }
        }
        Self { access, projects: Some(projects), environments: Some(environments) }
    }
}

impl From<TokenScope> for NewScope {
    fn from(TokenScope { access, projects, environments }: TokenScope) -> Self {
        let keys = |ScopedEnvironment { project_key, environment_key }| token_scopes::ScopedEnvironment {
            project: project_key,
            environment: environment_key,
        };
        Self { access, projects, environments: environments.map(|all| all.into_iter().map(keys).collect()) }
    }
}

/// The fields of a new token.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewAccessToken {
    name: Name,
    /// The owner, who must be the caller. Other people create their own tokens, with a set-up link.
    user_id: Option<Text>,
    /// Default: a year from now, unless the operator of the service set another time. Null: it does not expire.
    #[serde(default, deserialize_with = "nullable")]
    #[schema(value_type = Option<Time>)]
    expires_at: Option<Option<Time>>,
    /// What the token is limited to. Without it, the token may do everything that its owner may.
    scope: Option<TokenScope>,
}

/// Lists tokens that have not been revoked. A token that is limited to projects or environments only sees itself.
#[utoipa::path(
    get,
    path = "/tokens",
    operation_id = "listTokens",
    tag = "Tokens",
    params(PageQuery),
    responses((status = 200, body = List<AccessTokenView>)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Query(query): Query<PageQuery>,
) -> Result<axum::Json<List<AccessTokenView>>, Problem> {
    Ok(List::from_page(access_tokens::list(&app, &caller, &query.page()?).await?, AccessTokenView::from))
}

/// Creates a token.
///
/// It expires, unless `expiresAt` is null. Only this response shows the token itself; a repeat with the same Idempotency-Key does not.
#[utoipa::path(
    post,
    path = "/tokens",
    operation_id = "createToken",
    tag = "Tokens",
    params(IdempotencyKey),
    request_body = NewAccessToken,
    responses((status = 201, body = AccessTokenView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Reader,
    Once { body, request }: Once<NewAccessToken>,
) -> Result<Response, Problem> {
    let new = access_tokens::NewAccessToken {
        name: body.name,
        user_id: body.user_id.map(String::from),
        expiry: match body.expires_at {
            None => Expiry::Default,
            Some(None) => Expiry::Never,
            Some(Some(time)) => Expiry::At(time.0),
        },
        scope: body.scope.map(NewScope::from),
    };
    once(&app, &caller, request, async |mut operation| {
        let (token, secret) = access_tokens::create(&mut operation, new).await?;
        let mut view = AccessTokenView::from(token);
        let stored = text(&view)?;
        view.token = Some(secret.reveal().to_owned());
        Ok(Reply::created_with_secret(operation, stored, text(&view)?))
    })
    .await
}

/// Revokes a token.
#[utoipa::path(
    delete,
    path = "/tokens/{tokenId}",
    operation_id = "revokeToken",
    tag = "Tokens",
    params(("tokenId" = String, Path)),
    responses((status = 204)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn revoke(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    access_tokens::revoke(&mut operation, &id).await?;
    operation.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
