//! The settings of `serve` for single sign-on with OpenID Connect.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use clap::Args;

use crate::app::BaseUrl;
use crate::domain::ids::OrganisationId;
use crate::domain::organisation::Organisation;
use crate::domain::role::Role;
use crate::identity::{Issuer, ProviderSettings, RoleClaim, RoleMapping};
use crate::secret::Secret;

/// The scope that every request has.
const OPENID: &str = "openid";

/// The longest name on the button, in characters.
const MAX_NAME: usize = 40;

#[derive(Args)]
pub(super) struct SingleSignOnArgs {
    /// Issuer of the OpenID Connect provider that people sign in with, e.g. https://login.example/realms/acme. If not set, they sign in
    /// with tokens.
    #[arg(long, env = "FLAGSERVICE_OIDC_ISSUER", value_name = "URL")]
    oidc_issuer: Option<Issuer>,
    /// Id of this service at the provider.
    #[arg(long, env = "FLAGSERVICE_OIDC_CLIENT_ID", value_name = "ID")]
    oidc_client_id: Option<String>,
    /// Secret of this service at the provider. Other users of the machine can see flags: use the environment variable or the file.
    #[arg(long, env = "FLAGSERVICE_OIDC_CLIENT_SECRET", value_name = "SECRET", hide_env_values = true)]
    oidc_client_secret: Option<String>,
    /// File with the secret of this service at the provider.
    #[arg(long, env = "FLAGSERVICE_OIDC_CLIENT_SECRET_FILE", value_name = "FILE")]
    oidc_client_secret_file: Option<PathBuf>,
    /// Scopes to ask the provider for, separated by blanks or commas.
    #[arg(long, env = "FLAGSERVICE_OIDC_SCOPES", value_name = "SCOPES", default_value = "openid profile email")]
    oidc_scopes: Vec<String>,
    /// Claim with a person's roles: a name, a path such as realm_access.roles, or a JSON pointer such as /realm_access/roles.
    #[arg(long, env = "FLAGSERVICE_OIDC_ROLE_CLAIM", value_name = "CLAIM", default_value = "roles")]
    oidc_role_claim: RoleClaim,
    /// Value of the claim, and the role that it stands for, e.g. flags-admins=administrator. Can be repeated, or separated by commas;
    /// a comma in a value, as in CN=admins,OU=flags=administrator, separates nothing. [default: the values are readOnly, editor,
    /// productionEditor and administrator]
    #[arg(long, env = "FLAGSERVICE_OIDC_ROLES", value_name = "VALUE=ROLE", value_parser = mapped_roles)]
    oidc_role: Vec<MappedRoles>,
    /// Name of the provider on the sign-in page: "Continue with NAME".
    #[arg(long, env = "FLAGSERVICE_OIDC_NAME", value_name = "NAME", default_value = "single sign-on")]
    oidc_name: String,
    /// Whom people without a role are told to ask, e.g. it@acme.example. [default: the administrator of the provider]
    #[arg(long, env = "FLAGSERVICE_OIDC_CONTACT", value_name = "TEXT")]
    oidc_contact: Option<String>,
    /// Id of the organisation that people sign in to, as shown by `organisation list`. [default: the only one]
    #[arg(long, env = "FLAGSERVICE_OIDC_ORGANISATION", value_name = "ID")]
    oidc_organisation: Option<String>,
}

/// The values of one setting, each with its role.
#[derive(Clone)]
struct MappedRoles(Vec<(String, Role)>);

/// What names the parts of a distinguished name (RFC 4514).
const ATTRIBUTES: [&str; 9] = ["CN", "L", "ST", "O", "OU", "C", "STREET", "DC", "UID"];

/// Reads `a=editor,b=readOnly`. A comma separates only where a role ends, because the values may be distinguished names.
fn mapped_roles(text: &str) -> Result<MappedRoles, String> {
    let (mut mapped, mut value) = (Vec::new(), String::new());
    for part in text.split_inclusive(',') {
        value.push_str(part);
        if let Some(whole) = value.strip_suffix(',').filter(|whole| ends_with_role(whole)) {
            mapped.push(mapped_role(whole)?);
            value.clear();
        }
    }
    mapped.push(mapped_role(&value)?);
    Ok(MappedRoles(mapped))
}

/// Whether a role ends here. `CN=editor` is a part of a distinguished name.
fn ends_with_role(text: &str) -> bool {
    let part = text.rsplit(',').next().unwrap_or(text);
    part.rsplit_once('=').is_some_and(|(value, role)| {
        let is_attribute = ATTRIBUTES.iter().any(|attribute| attribute.eq_ignore_ascii_case(value.trim()));
        !is_attribute && Role::try_from(role.trim().to_owned()).is_ok()
    })
}

fn mapped_role(text: &str) -> Result<(String, Role), String> {
    let known = "VALUE=ROLE with the role readOnly, editor, productionEditor or administrator";
    // A value may contain the sign, as distinguished names do.
    let (value, role) = text.rsplit_once('=').ok_or_else(|| format!("expected {known}"))?;
    let role = Role::try_from(role.trim().to_owned()).map_err(|error| format!("{error}: expected {known}"))?;
    if value.trim().is_empty() {
        return Err(format!("the value is empty: expected {known}"));
    }
    Ok((value.trim().to_owned(), role))
}

impl SingleSignOnArgs {
    /// The settings, if there are any.
    ///
    /// # Errors
    /// Names the setting that is missing or wrong, and the remedy.
    pub(super) fn settings(&self, public: Option<BaseUrl>) -> anyhow::Result<Option<ProviderSettings>> {
        let Some(issuer) = self.oidc_issuer.clone() else {
            let set = [
                ("--oidc-client-id", self.oidc_client_id.is_some()),
                ("--oidc-client-secret", self.oidc_client_secret.is_some()),
                ("--oidc-client-secret-file", self.oidc_client_secret_file.is_some()),
                ("--oidc-role", !self.oidc_role.is_empty()),
            ];
            if let Some((name, _)) = set.into_iter().find(|(_, is_set)| *is_set) {
                bail!("{name} needs --oidc-issuer, the URL of the OpenID Connect provider. Set it, or remove {name}.");
            }
            return Ok(None);
        };
        let client_id = self.oidc_client_id.clone().filter(|id| !id.trim().is_empty());
        let client_id = client_id
            .context("--oidc-issuer needs --oidc-client-id, the id of this service at the provider. Set both.")?;
        let name = self.oidc_name.trim();
        ensure!(
            !name.is_empty() && name.chars().count() <= MAX_NAME && !name.chars().any(char::is_control),
            "--oidc-name must have 1 to {MAX_NAME} characters in one line. It is on the button of the sign-in page."
        );
        Ok(Some(ProviderSettings {
            issuer,
            client_id,
            client_secret: self.secret()?,
            scopes: self.scopes()?,
            role_claim: self.oidc_role_claim.clone(),
            roles: RoleMapping::new(self.oidc_role.iter().flat_map(|MappedRoles(all)| all.clone()).collect()),
            name: name.to_owned(),
            contact: self.oidc_contact.clone().filter(|contact| !contact.trim().is_empty()),
            organisation: self.oidc_organisation.clone(),
            public: reachable(public)?,
        }))
    }

    fn secret(&self) -> anyhow::Result<Option<Secret>> {
        match (&self.oidc_client_secret, &self.oidc_client_secret_file) {
            (Some(_), Some(_)) => {
                bail!("--oidc-client-secret and --oidc-client-secret-file are both set. Remove one of them.")
            }
            (Some(secret), None) => non_empty(secret, "--oidc-client-secret"),
            (None, Some(file)) => non_empty(&read(file)?, "--oidc-client-secret-file"),
            (None, None) => Ok(None),
        }
    }

    fn scopes(&self) -> anyhow::Result<Vec<String>> {
        let all = self.oidc_scopes.iter().flat_map(|text| text.split([' ', ','])).filter(|scope| !scope.is_empty());
        let all: Vec<_> = all.map(str::to_owned).collect();
        ensure!(
            all.iter().any(|scope| scope == OPENID),
            "--oidc-scopes must contain openid, e.g. \"openid profile email\". Without it the provider does not say who signs in."
        );
        // The library asks for it by itself.
        Ok(all.into_iter().filter(|scope| scope != OPENID).collect())
    }
}

/// The address that the provider sends people back to: https, or on this machine.
fn reachable(public: Option<BaseUrl>) -> anyhow::Result<BaseUrl> {
    let remedy = "Set --public-url to the https:// address at which people reach this service: the provider sends them back there.";
    let public = public.context(remedy)?;
    ensure!(public.as_str().parse::<Issuer>().is_ok(), "--oidc-issuer needs a --public-url, not {public}. {remedy}");
    Ok(public)
}

fn read(file: &Path) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(file);
    text.with_context(|| format!("Cannot read the file {} of --oidc-client-secret-file.", file.display()))
}

fn non_empty(secret: &str, setting: &str) -> anyhow::Result<Option<Secret>> {
    let secret = secret.trim();
    ensure!(!secret.is_empty(), "{setting} is empty. Set the secret that the provider shows, or remove the setting.");
    Ok(Some(Secret::new(secret.to_owned())))
}

/// Checks that it is clear which organisation people sign in to. An empty database gets its organisation later.
///
/// # Errors
/// Names the setting and the organisations that there are.
pub(super) fn check_organisation(
    provider: &ProviderSettings,
    organisations: &[(OrganisationId, Organisation)],
) -> anyhow::Result<()> {
    let known =
        || organisations.iter().map(|(id, found)| format!("{id} ({})", found.name)).collect::<Vec<_>>().join(", ");
    match (&provider.organisation, organisations) {
        (_, []) | (None, [_]) => Ok(()),
        (None, _) => bail!(
            "There are several organisations. Set --oidc-organisation to the one that people sign in to: {}",
            known()
        ),
        (Some(id), _) if organisations.iter().any(|(found, _)| found.as_str() == id) => Ok(()),
        (Some(id), _) => bail!("--oidc-organisation is {id}, which does not exist. Set one of: {}", known()),
    }
}

#[cfg(test)]
mod tests {
    use super::{MappedRoles, mapped_roles};
    use crate::domain::role::Role;

    #[test]
    fn commas_separate_roles_and_not_the_parts_of_distinguished_names() {
        let admins = "CN=flags-admins,OU=groups,DC=acme";
        // Groups with the names of roles.
        let editors = "cn=editor, OU=administrator,DC=acme";
        for (text, expected) in [
            ("staff=readOnly", vec![("staff", Role::ReadOnly)]),
            ("a=editor, b = readOnly", vec![("a", Role::Editor), ("b", Role::ReadOnly)]),
            (&*format!("{admins}=administrator"), vec![(admins, Role::Administrator)]),
            (&*format!("{editors}=readOnly"), vec![(editors, Role::ReadOnly)]),
            (
                &*format!("{admins}=administrator,staff=readOnly,{editors}=productionEditor"),
                vec![(admins, Role::Administrator), ("staff", Role::ReadOnly), (editors, Role::ProductionEditor)],
            ),
        ] {
            let MappedRoles(mapped) = mapped_roles(text).unwrap();
            let mapped: Vec<_> = mapped.iter().map(|(value, role)| (value.as_str(), *role)).collect();
            assert_eq!(mapped, expected, "{text}");
        }
        for text in ["", "staff", "a=editor,", "a=editor,b", "=editor", admins] {
            assert!(mapped_roles(text).is_err(), "{text}");
        }
    }
}
