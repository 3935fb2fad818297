//! The actor of a request: the person of a personal access token or of a session, and their organisation, which limits all access.

use std::time::Duration;

use tokio::time::timeout;

use crate::app::scope::{Need, out_of_scope};
use crate::app::{App, AppError, Result};
use crate::domain::access_token::scope::Scope;
use crate::domain::access_token::{Bearer, TokenRef};
use crate::domain::ids::{AccessTokenId, OrganisationId, UserId};
use crate::domain::role::Role;
use crate::domain::user::User;
use crate::secret::Secret;
use crate::store::resources::access_tokens;

/// What a personal access token begins with.
pub const ACCESS_TOKEN_PREFIX: &str = "api-";

/// How long a request waits until its token's use is noted.
const TOUCH_TIMEOUT: Duration = Duration::from_secs(1);

/// A person, known by a token or by an identity.
#[derive(Clone, Debug)]
pub struct Actor {
    /// The person.
    pub user_id: UserId,
    /// As the audit log and annotations name the person.
    pub name: String,
    /// Taken from the token or the identity alone.
    pub organisation_id: OrganisationId,
    /// What the actor may do: what the person may, or less if the scope of the token says so.
    pub role: Role,
    /// What the token is limited to; none: it may do what the person may.
    pub scope: Option<Scope>,
    /// The token that identifies the person; none for the operator, and for who signed in with an identity provider.
    pub token: Option<TokenRef>,
    /// The key of the project that the request names: the project's writers take turns.
    pub project_key: Option<String>,
}

/// The id of the operator, who is no person of the organisation.
const OPERATOR: &str = "command-line";

/// The id of the service itself, when it makes a change that nobody asks for at that moment.
const SERVICE: &str = "flag-service";

impl Actor {
    /// The person whose token it is.
    ///
    /// # Errors
    /// [`AppError::Unauthenticated`] when the token is not valid.
    pub async fn of_token(app: &App, token: &Secret) -> Result<Self> {
        Ok(Self::of_bearer(app, bearer(app, token).await?).await)
    }

    /// The person who used a token that counts, which is noted.
    pub(super) async fn of_bearer(app: &App, bearer: Bearer) -> Self {
        if bearer.touch {
            // A database that cannot be written now can still be read.
            match timeout(TOUCH_TIMEOUT, touch(app, &bearer.token.id)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::warn!(%error, "the time of a token's use was not noted"),
                Err(_) => tracing::warn!("the time of a token's use was not noted: the database is busy"),
            }
        }
        Self::scoped(bearer.user, Some(bearer.token), bearer.scope)
    }

    /// A person of an organisation, and the token that identifies them.
    pub fn new(user: User, token: Option<TokenRef>) -> Self {
        Self::scoped(user, token, None)
    }

    fn scoped(user: User, token: Option<TokenRef>, scope: Option<Scope>) -> Self {
        let User { id: user_id, organisation_id, name, role, .. } = user;
        let role = scope.as_ref().map_or(role, |scope| scope.limit(role));
        Self { user_id, name, organisation_id, role, scope, token, project_key: None }
    }

    /// The operator on the command line, who is no person of the organisation and has an administrator's permissions.
    pub fn operator(organisation_id: OrganisationId) -> Self {
        Self::without_person(OPERATOR, "command line", organisation_id)
    }

    /// The service itself, such as when a guard of an experiment trips. Its changes pass the gates of everybody.
    pub fn service(organisation_id: OrganisationId) -> Self {
        Self::without_person(SERVICE, "Flag Service", organisation_id)
    }

    fn without_person(id: &str, name: &str, organisation_id: OrganisationId) -> Self {
        Self {
            user_id: UserId::from(id.to_owned()),
            name: name.to_owned(),
            organisation_id,
            role: Role::Administrator,
            scope: None,
            token: None,
            project_key: None,
        }
    }

    /// Whether the id stands for nobody: for the operator or the service.
    pub fn is_nobody(id: &str) -> bool {
        [OPERATOR, SERVICE].contains(&id)
    }

    /// Whether this is the operator on the command line.
    pub fn is_operator(&self) -> bool {
        self.user_id.as_str() == OPERATOR
    }

    /// Whether another person created the token in use, and so may have kept it. The operator, who could write to the database, is none.
    pub fn has_token_of_another(&self) -> bool {
        let creator = self.token.as_ref().and_then(|token| token.creator_id.as_ref());
        creator.is_some_and(|creator| *creator != self.user_id && !Self::is_nobody(creator.as_str()))
    }

    /// Lets pass what the scope of the token includes.
    ///
    /// # Errors
    /// [`AppError::ForbiddenUse`] names the scope, and what it does not include.
    pub fn require_in_scope(&self, need: Need<'_>) -> Result<()> {
        match &self.scope {
            Some(scope) if !need.is_met_by(scope) => Err(out_of_scope(scope, need)),
            Some(_) | None => Ok(()),
        }
    }

    /// Whether the scope of the token includes what a list would show.
    pub fn has_in_scope(&self, need: Need<'_>) -> bool {
        self.scope.as_ref().is_none_or(|scope| need.is_met_by(scope))
    }

    /// Whether the token is limited to some projects or environments.
    pub fn is_limited(&self) -> bool {
        self.scope.as_ref().is_some_and(|scope| scope.places.is_some())
    }

    /// Lets pass who has the role or a greater one.
    ///
    /// # Errors
    /// [`AppError::Forbidden`] names the role that is missing, [`AppError::ForbiddenUse`] the scope that allows no role but the least.
    pub fn require(&self, role: Role) -> Result<()> {
        if self.role >= role {
            return Ok(());
        }
        if let Some(scope) = self.scope.as_ref().filter(|scope| scope.is_read_only()) {
            return Err(out_of_scope(scope, "changing anything"));
        }
        Err(AppError::Forbidden(match role {
            Role::ReadOnly => "You may not read this.",
            Role::Editor => "Your role is read-only. Ask an administrator for the editor role.",
            Role::ProductionEditor => {
                "Changing a production environment needs the production editor role. Ask an administrator for it."
            }
            Role::Administrator => "This needs the administrator role. Ask an administrator to do it.",
        }))
    }
}

/// The person of the token.
///
/// # Errors
/// [`AppError::Unauthenticated`] when the token is not valid.
pub(super) async fn bearer(app: &App, token: &Secret) -> Result<Bearer> {
    if !token.reveal().starts_with(ACCESS_TOKEN_PREFIX) {
        return Err(AppError::Unauthenticated("This path takes a personal access token, which begins with 'api-'."));
    }
    let bearer = access_tokens::bearer(&mut *app.store.read_control().await?, &token.hash(), app.now()).await?;
    bearer.ok_or(AppError::Unauthenticated("The token is unknown, expired or revoked. Create a new one."))
}

async fn touch(app: &App, token: &AccessTokenId) -> crate::store::Result<()> {
    let mut write = app.store.write().await?;
    access_tokens::touch(write.connection().await?, token, app.now()).await?;
    write.commit().await.map(drop)
}
