//! The role of a person, from a claim of the identity provider.

use std::str::FromStr;

use serde_json::{Map, Value};

use crate::domain::role::Role;

/// Where the claim is: its name, a path with dots such as `realm_access.roles`, or a JSON pointer such as `/realm_access/roles`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleClaim(String);

impl RoleClaim {
    /// As the operator has set it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The claim; none if the provider has not sent it. A name with dots in it comes before a path.
    pub fn find<'a>(&self, claims: &'a Map<String, Value>) -> Option<&'a Value> {
        if let Some(value) = claims.get(&self.0) {
            return Some(value);
        }
        let step = |value: &'a Value, name: &str| value.as_object().and_then(|members| members.get(name));
        let mut names: Vec<String> = match self.0.strip_prefix('/') {
            Some(pointer) => pointer.split('/').map(|name| name.replace("~1", "/").replace("~0", "~")).collect(),
            None => self.0.split('.').map(str::to_owned).collect(),
        };
        let first = names.remove(0);
        names.iter().try_fold(claims.get(&first)?, |value, name| step(value, name))
    }
}

impl FromStr for RoleClaim {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.trim();
        if name.is_empty() || name == "/" || name.chars().any(char::is_control) {
            return Err("name the claim with the roles, such as roles or realm_access.roles".to_owned());
        }
        Ok(Self(name.to_owned()))
    }
}

/// Which role a value of the claim stands for: the names of the roles for themselves, unless the operator has set others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoleMapping(Vec<(String, Role)>);

impl RoleMapping {
    /// The mapping of these values; of the names of the roles, if there are none.
    pub fn new(values: Vec<(String, Role)>) -> Self {
        Self(values)
    }

    /// The highest role that the claim has: a text, or a list of texts. None if it has none.
    pub fn role(&self, claim: &Value) -> Option<Role> {
        let values = match claim {
            Value::Array(values) => values.as_slice(),
            Value::String(_) => std::slice::from_ref(claim),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => &[],
        };
        values.iter().filter_map(Value::as_str).filter_map(|value| self.of_value(value)).max()
    }

    fn of_value(&self, value: &str) -> Option<Role> {
        if self.0.is_empty() {
            return Role::try_from(value.to_owned()).ok();
        }
        self.0.iter().filter(|(known, _)| known == value).map(|(_, role)| *role).max()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{RoleClaim, RoleMapping};
    use crate::domain::role::Role;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn a_claim_is_found_by_name_by_path_and_by_pointer() {
        let claims = object(json!({
            "roles": ["a"],
            "realm_access": { "roles": ["b"] },
            "https://flags.example/roles": ["c"],
            "deep": { "a/b": { "c~d": "d" }, "list": ["x"] },
        }));
        for (claim, value) in [
            ("roles", Some(json!(["a"]))),
            ("realm_access.roles", Some(json!(["b"]))),
            ("/realm_access/roles", Some(json!(["b"]))),
            ("https://flags.example/roles", Some(json!(["c"]))),
            ("/deep/a~1b/c~0d", Some(json!("d"))),
            ("missing", None),
            ("roles.0", None),
            ("deep.list.x", None),
            ("realm_access.missing", None),
        ] {
            let claim: RoleClaim = claim.parse().unwrap();
            assert_eq!(claim.find(&claims).cloned(), value, "{claim:?}");
        }
        for bad in ["", "  ", "/", "a\nb"] {
            assert!(bad.parse::<RoleClaim>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn the_highest_role_of_the_claim_counts() {
        let own = RoleMapping::default();
        for (claim, role) in [
            (json!(["readOnly", "editor", "offline_access"]), Some(Role::Editor)),
            (json!("administrator"), Some(Role::Administrator)),
            (json!(["Administrator", "ADMINISTRATOR", ""]), None),
            (json!("administrator editor"), None),
            (json!([]), None),
            (json!({ "administrator": true }), None),
            (json!([["administrator"], 1, null]), None),
            (json!(null), None),
        ] {
            assert_eq!(own.role(&claim), role, "{claim}");
        }
    }

    #[test]
    fn values_that_are_set_take_the_place_of_the_names_of_the_roles() {
        let groups = RoleMapping::new(vec![
            ("flags-admins".to_owned(), Role::Administrator),
            ("staff".to_owned(), Role::ReadOnly),
            ("staff".to_owned(), Role::Editor),
        ]);
        assert_eq!(groups.role(&json!(["staff", "administrator"])), Some(Role::Editor));
        assert_eq!(groups.role(&json!(["flags-admins"])), Some(Role::Administrator));
        assert_eq!(groups.role(&json!(["administrator"])), None);
    }
}
