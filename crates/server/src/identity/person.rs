//! What the provider says of a person: name, email address, and the claims that have their roles.

use openidconnect::{OAuth2TokenResponse as _, SubjectIdentifier, UserInfoError};
use serde_json::{Map, Value};

use crate::app::Name;
use crate::identity::client::{Client, PersonClaims, Tokens};
use crate::identity::connection::Connector;
use crate::identity::failure::{Failure, chain};

/// The claims that can name a person, the best first.
const NAMES: [&str; 4] = ["name", "preferred_username", "nickname", "email"];

/// The longest email address, in characters (RFC 3696, erratum 1690).
const MAX_EMAIL: usize = 254;

/// A person of the provider.
pub(super) struct Person {
    /// Unique at the provider.
    pub(super) subject: String,
    /// All that it says of them.
    pub(super) claims: Map<String, Value>,
}

impl Person {
    /// Whether the claims have a name.
    pub(super) fn has_name(&self) -> bool {
        self.text("name").is_some()
    }

    /// The name that people see; the subject, if the provider has sent none.
    pub(super) fn name(&self) -> Result<Name, Failure> {
        let full = ["given_name", "family_name"].into_iter().filter_map(|name| self.text(name)).collect::<Vec<_>>();
        let full = (!full.is_empty()).then(|| full.join(" "));
        let name = self.text("name").or(full).or_else(|| NAMES.into_iter().find_map(|name| self.text(name)));
        let name: String = name.unwrap_or_else(|| self.subject.clone()).chars().take(Name::MOST).collect();
        Name::try_from(name).map_err(|error| Failure::Invalid(error.to_string()))
    }

    /// The email address, if the provider has sent one.
    pub(super) fn email(&self) -> Option<String> {
        self.text("email").filter(|email| email.contains('@') && email.chars().count() <= MAX_EMAIL)
    }

    /// Asks the provider for what the ID token does not say. What the token says counts.
    pub(super) async fn complete(
        &mut self,
        client: &Client,
        connector: &Connector,
        tokens: &Tokens,
    ) -> Result<(), Failure> {
        let subject = SubjectIdentifier::new(self.subject.clone());
        // Not all providers can be asked.
        let Ok(request) = client.user_info(tokens.access_token().clone(), Some(subject)) else { return Ok(()) };
        let said: PersonClaims = request.request_async(connector).await.map_err(|error| {
            let cause = chain(&error);
            let is_of_another = matches!(error, UserInfoError::ClaimsVerification(_));
            if is_of_another { Failure::Invalid(cause) } else { Failure::Unreachable(cause) }
        })?;
        if let Ok(Value::Object(said)) = serde_json::to_value(said) {
            let own = std::mem::replace(&mut self.claims, said);
            self.claims.extend(own);
        }
        Ok(())
    }

    /// A claim that is a text of one line and not blank.
    fn text(&self, name: &str) -> Option<String> {
        let text = self.claims.get(name)?.as_str()?;
        let words = text.split(|character: char| character.is_whitespace() || character.is_control());
        let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        (!line.is_empty()).then_some(line)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Person;

    fn person(claims: serde_json::Value) -> Person {
        Person { subject: "248289761001".to_owned(), claims: claims.as_object().unwrap().clone() }
    }

    #[test]
    fn the_best_claim_that_there_is_names_a_person() {
        for (claims, name) in [
            (json!({ "name": "Edda Okafor", "preferred_username": "edda" }), "Edda Okafor"),
            (json!({ "given_name": "Edda", "family_name": "Okafor", "email": "edda@acme.example" }), "Edda Okafor"),
            (json!({ "name": " \n", "preferred_username": "edda" }), "edda"),
            (json!({ "name": 7, "email": "edda@acme.example" }), "edda@acme.example"),
            (json!({ "name": "Edda\u{0}\n  Okafor\u{7}" }), "Edda Okafor"),
            (json!({}), "248289761001"),
        ] {
            assert_eq!(String::from(person(claims.clone()).name().unwrap()), name, "{claims}");
        }
        let long = person(json!({ "name": "ä".repeat(300) })).name().unwrap();
        assert_eq!(String::from(long), "ä".repeat(200));
    }

    #[test]
    fn what_is_no_email_address_is_left_out() {
        assert_eq!(person(json!({ "email": "edda@acme.example" })).email().as_deref(), Some("edda@acme.example"));
        for email in [json!(null), json!("edda"), json!(format!("{}@acme.example", "a".repeat(300))), json!(["a@b"])] {
            assert_eq!(person(json!({ "email": email })).email(), None);
        }
    }
}
