//! The user for whom features are evaluated.

use crate::json::object;

/// A user: an id and the JSON text of the attributes with sorted keys, so that equal users have equal texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct User {
    id: String,
    /// Empty if there are none.
    attributes: String,
}

impl User {
    /// A user with an id and the JSON text of the attributes, whose keys the caller has sorted; empty if there are none.
    pub fn new(id: String, attributes: String) -> Self {
        Self { id, attributes }
    }

    /// The id, which may be anonymous.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The JSON text of the attributes; empty if there are none.
    pub fn attributes(&self) -> &str {
        &self.attributes
    }

    /// The user as JSON, for the load request.
    pub fn json(&self) -> String {
        object(&[("id", &self.id)], if self.attributes.is_empty() { "" } else { "attributes" }, self.attributes())
    }
}

#[cfg(test)]
mod tests {
    use super::User;

    #[test]
    fn the_json_has_id_and_attributes() {
        assert_eq!(User::new("a\"b".into(), String::new()).json(), r#"{"id":"a\u0022b"}"#);
        let user = User::new("é".into(), r#"{"age":41}"#.into());
        assert_eq!(user.json(), r#"{"id":"é","attributes":{"age":41}}"#);
        assert_eq!(user.id(), "é");
    }
}
