//! Signing in as somebody whom the identity provider has named: they are found or added, and get the role that it says.

use serde_json::json;

use crate::app::changes::audit::{AuditRecord, record_audit};
use crate::app::resources::sessions::{self, Session};
use crate::app::{Actor, App, AppError, Name, Operation, Result};
use crate::domain::ids::{IdentityId, OrganisationId, UserId};
use crate::domain::role::Role;
use crate::domain::user::{Identity, User};
use crate::secret::Secret;
use crate::store::resources::identities::{self, StoredIdentity};
use crate::store::resources::{organisations, setup_links, users as stored_users};

/// What the provider says of somebody.
#[derive(Debug)]
pub struct Claims {
    /// The provider, as it names itself.
    pub issuer: String,
    /// The person, as the provider names them: unique there, and never given to another.
    pub subject: String,
    /// As annotations and the audit log name the person.
    pub name: Name,
    /// The person's email address.
    pub email: Option<String>,
    /// The role that the claim stands for.
    pub role: Role,
}

/// The result of signing in.
pub enum SignIn {
    /// The session with its text, which is for the cookie and nowhere else.
    Begun(Box<Session>, Secret),
    /// An administrator has removed the person.
    Removed(UserId),
    /// There is no organisation, several of which none is set, or another one than is set.
    NoOrganisation,
}

/// Finds or adds the person, gives them name, email address and role of the claims, and begins a session.
///
/// # Errors
/// When the database fails.
pub async fn sign_in(app: &App, organisation: Option<&str>, claims: &Claims) -> Result<SignIn> {
    let Some(organisation) = the_organisation(app, organisation).await? else { return Ok(SignIn::NoOrganisation) };
    let mut write = app.begin().await?;
    let connection = write.connection().await?;
    // Nobody is added twice, and nobody is removed meanwhile.
    organisations::lock(connection, &organisation).await?;
    let known = identities::find(connection, &organisation, &claims.issuer, &claims.subject).await?;
    let before = match &known {
        None => None,
        Some(identity) => match stored_users::find(connection, &organisation, identity.user_id.as_str()).await? {
            None => return Ok(SignIn::Removed(identity.user_id.clone())),
            found => found,
        },
    };
    let after = with_claims(app, organisation, before.as_ref(), claims);
    // The provider has no name in the audit log: what it says of a person is recorded as theirs.
    let actor = Actor::new(after.clone(), None);
    let mut operation = Operation { app, actor: &actor, write };
    let identity = match known {
        Some(identity) => identity.id,
        None => add_identity(&mut operation, claims).await?,
    };
    write_person(&mut operation, before.as_ref(), &after, &claims.issuer).await?;
    let (session, text) = sessions::begin_of_identity(app, &mut operation.write, &identity, after).await?;
    operation.commit().await?;
    Ok(SignIn::Begun(Box::new(session), text))
}

/// A person for whom the claim has no role any longer keeps none: they become read-only, with their tokens, and their sessions end. A
/// subject that nobody here has, or somebody who was removed, changes nothing.
///
/// # Errors
/// When the database fails.
pub async fn lose_role(app: &App, organisation: Option<&str>, issuer: &str, subject: &str) -> Result<()> {
    let Some(organisation) = the_organisation(app, organisation).await? else { return Ok(()) };
    let mut write = app.begin().await?;
    let connection = write.connection().await?;
    organisations::lock(connection, &organisation).await?;
    let Some(identity) = identities::find(connection, &organisation, issuer, subject).await? else { return Ok(()) };
    let before = stored_users::find(connection, &organisation, identity.user_id.as_str()).await?;
    let Some(before) = before else { return Ok(()) };
    stored_users::end_sessions(connection, &before.id).await?;
    let mut after = before.clone();
    if before.role != Role::ReadOnly {
        (after.role, after.revision) = (Role::ReadOnly, before.revision + 1);
    }
    let actor = Actor::new(after.clone(), None);
    let mut operation = Operation { app, actor: &actor, write };
    write_person(&mut operation, Some(&before), &after, issuer).await?;
    operation.commit().await
}

/// Lets somebody who has been here before sign in with the provider as the person that they are.
///
/// # Errors
/// [`AppError::InUse`] if the identity is of somebody already, or the person has one. When the database fails.
pub async fn link(operation: &mut Operation<'_>, user: &User, issuer: &str, subject: &str) -> Result<()> {
    operation.actor.require(Role::Administrator)?;
    let (app, organisation) = (operation.app, &operation.actor.organisation_id);
    let connection = operation.write.connection().await?;
    organisations::lock(connection, organisation).await?;
    if user.identity.is_some() {
        return Err(AppError::InUse(format!("'{}' signs in with single sign-on already.", user.name)));
    }
    if let Some(known) = identities::find(connection, organisation, issuer, subject).await? {
        let id = known.user_id;
        return Err(AppError::InUse(format!(
            "This subject has signed in before, as the person {id}. Remove that person and readmit the id {id}, then link again."
        )));
    }
    let now = app.now();
    let identity = StoredIdentity { id: IdentityId::new(&*app.random, now), user_id: user.id.clone() };
    identities::insert(connection, &identity, organisation, (issuer, subject), now).await?;
    // An administrator who has seen the person's set-up link could act as them.
    setup_links::delete_of(connection, &user.id).await?;
    let after = Some(json!({ "issuer": issuer }));
    let record = AuditRecord { action: "user.link", resource: format!("users/{}", user.id), before: None, after };
    record_audit(operation, record).await
}

/// Lets a person sign in with the provider again who has been removed, as a new person. Says whether there was one.
///
/// # Errors
/// [`AppError::InUse`] while the person has not been removed.
pub async fn readmit(operation: &mut Operation<'_>, id: &str) -> Result<bool> {
    operation.actor.require(Role::Administrator)?;
    let organisation = &operation.actor.organisation_id;
    let connection = operation.write.connection().await?;
    organisations::lock(connection, organisation).await?;
    if let Some(user) = stored_users::find(connection, organisation, id).await? {
        return Err(AppError::InUse(format!("'{}' has not been removed, and can sign in.", user.name)));
    }
    if identities::delete(connection, organisation, id).await? == 0 {
        return Ok(false);
    }
    let record = AuditRecord { action: "user.readmit", resource: format!("users/{id}"), before: None, after: None };
    record_audit(operation, record).await?;
    Ok(true)
}

/// The organisation of this id; without one, the only one that there is.
async fn the_organisation(app: &App, id: Option<&str>) -> Result<Option<OrganisationId>> {
    let mut all = organisations::list(&mut *app.store.read_control().await?).await?;
    match id {
        Some(id) => Ok(all.into_iter().map(|(found, _)| found).find(|found| found.as_str() == id)),
        None if all.len() == 1 => Ok(all.pop().map(|(id, _)| id)),
        None => Ok(None),
    }
}

/// The person as the provider says it: a new one, if there is none yet.
fn with_claims(app: &App, organisation_id: OrganisationId, before: Option<&User>, claims: &Claims) -> User {
    let (name, role) = (String::from(claims.name.clone()), claims.role);
    let identity = Some(Identity { email: claims.email.clone() });
    let (id, revision) = match before {
        None => (UserId::new(&*app.random, app.now()), 1),
        Some(before) => {
            let same = before.name == name && before.role == role && before.identity == identity;
            (before.id.clone(), if same { before.revision } else { before.revision + 1 })
        }
    };
    User { id, organisation_id, name, role, identity, revision }
}

async fn add_identity(operation: &mut Operation<'_>, claims: &Claims) -> Result<IdentityId> {
    let (app, actor) = (operation.app, operation.actor);
    let now = app.now();
    let id = IdentityId::new(&*app.random, now);
    let identity = StoredIdentity { id: id.clone(), user_id: actor.user_id.clone() };
    let key = (claims.issuer.as_str(), claims.subject.as_str());
    identities::insert(operation.connection().await?, &identity, &actor.organisation_id, key, now).await?;
    Ok(id)
}

/// Writes a new person, and one whom the provider says something else of than before. The last administrator can lose the role this way:
/// the provider decides, and can give it back.
async fn write_person(operation: &mut Operation<'_>, before: Option<&User>, after: &User, issuer: &str) -> Result<()> {
    let now = operation.app.now();
    let state = |user: &User| json!({ "name": user.name, "role": user.role, "issuer": issuer });
    let action = match before {
        Some(before) if before.revision == after.revision => return Ok(()),
        Some(_) => {
            stored_users::update(operation.connection().await?, after).await?;
            "user.update"
        }
        None => {
            stored_users::insert(operation.connection().await?, after, now).await?;
            "user.create"
        }
    };
    let resource = format!("users/{}", after.id);
    let (before, after) = (before.map(state), Some(state(after)));
    // The email address is in no audit record, and no such record is written when it alone has changed.
    if before == after {
        return Ok(());
    }
    record_audit(operation, AuditRecord { action, resource, before, after }).await
}
