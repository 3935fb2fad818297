//! How a row reads that stays when somebody is erased: the same, with a neutral person in place of them.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::store::retention::marks::MarkedTable;

/// The id in place of an erased one. It is one for all, so that entries do not tell who was one person.
pub const REMOVED_ID: &str = "removed-person";

/// The name in place of an erased one.
pub const REMOVED_NAME: &str = "Removed person";

/// The text in place of what an erased person wrote.
pub const REMOVED_TEXT: &str = "[removed]";

/// Names and ids shorter than this are not looked for in texts of others: they would be found in other words' places.
const SHORTEST_IN_TEXT: usize = 3;

/// The fields with texts that people write.
const TEXTS: [&str; 4] = ["comment", "reason", "detail", "breakGlass"];

/// The fields with a person's name and no id beside it.
const NAMES: [&str; 2] = ["userName", "requesterName"];

/// The fields with a person: the id, or an object with the id and the name.
const PEOPLE: [&str; 7] = ["approvedBy", "decidedBy", "invitedBy", "ownerId", "requestedBy", "userId", "creatorId"];

/// The fields with the values of a condition, and with those that an experiment takes from one. The id of a user may be among them,
/// whatever the attribute: it can also be an email address.
const VALUES: [&str; 2] = ["values", "segments"];

/// The person or the user to erase.
pub(super) struct Subject {
    pub(super) id: String,
    /// The names that a person has or had; none of a user.
    pub(super) names: BTreeSet<String>,
}

impl Subject {
    /// The row's columns without the subject; none if they are not there.
    pub(super) fn redact(&self, table: MarkedTable, columns: &[Option<String>]) -> Option<Vec<Option<String>>> {
        let redacted = match (table, columns) {
            (MarkedTable::Outbox, [change]) => vec![self.json(change)],
            (MarkedTable::Deliveries, [change, attempts]) => {
                vec![self.json(change), self.json(attempts)]
            }
            (MarkedTable::Integrations, [detail]) => vec![detail.as_deref().map(|text| self.text(text))],
            (MarkedTable::Comments, [id, name, text]) => {
                let (own, text) = (self.is(id), text.as_deref().unwrap_or_default());
                vec![self.id(id), self.name_of(own, name), Some(self.text_of(own, text))]
            }
            (MarkedTable::Approvals, [id, name, comment, before, after, record]) => {
                let (own, comment) = (self.is(id), comment.as_deref().unwrap_or_default());
                vec![
                    self.id(id),
                    self.name_of(own, name),
                    Some(self.text_of(own, comment)),
                    self.json(before),
                    self.json(after),
                    self.json(record),
                ]
            }
            (MarkedTable::Decisions, [id, name, token, creator]) => {
                let own = self.is(id);
                let token = token.clone().filter(|_| !own);
                vec![self.id(id), self.name_of(own, name), token, self.id(creator)]
            }
            (MarkedTable::AuditLog, [id, name, resource, before, after, token, creator]) => {
                let own = self.is(id);
                let of_person = resource.as_deref() == Some(format!("users/{}", self.id).as_str());
                let state = |state: &Option<String>| self.state(state, own, of_person);
                let resource = if of_person { Some(format!("users/{REMOVED_ID}")) } else { resource.clone() };
                let token = token.clone().filter(|_| !own);
                vec![
                    self.id(id),
                    self.name_of(own, name),
                    resource,
                    state(before),
                    state(after),
                    token,
                    self.id(creator),
                ]
            }
            // The columns of a table are those that its documentation names.
            _ => return None,
        };
        (redacted != columns).then_some(redacted)
    }

    fn is(&self, id: &Option<String>) -> bool {
        id.as_deref() == Some(self.id.as_str())
    }

    fn id(&self, id: &Option<String>) -> Option<String> {
        if self.is(id) { Some(REMOVED_ID.to_owned()) } else { id.clone() }
    }

    fn name_of(&self, own: bool, name: &Option<String>) -> Option<String> {
        if own { Some(REMOVED_NAME.to_owned()) } else { name.clone() }
    }

    /// A text of somebody, who may be the subject.
    fn text_of(&self, own: bool, text: &str) -> String {
        match text {
            "" => String::new(),
            _ if own => REMOVED_TEXT.to_owned(),
            _ => self.text(text),
        }
    }

    /// A text of somebody else.
    fn text(&self, text: &str) -> String {
        let wanted = self.names.iter().chain([&self.id]).filter(|wanted| wanted.chars().count() >= SHORTEST_IN_TEXT);
        wanted.fold(text.to_owned(), |text, wanted| replace_words(&text, wanted, REMOVED_NAME))
    }

    /// A state of an audit record. JSON that cannot be read is a text.
    fn state(&self, state: &Option<String>, own: bool, of_person: bool) -> Option<String> {
        let text = state.as_deref()?;
        let Ok(mut value) = serde_json::from_str::<Value>(text) else { return Some(self.text(text)) };
        let before = value.clone();
        if of_person && let Some(name) = value.get_mut("name") {
            *name = Value::from(REMOVED_NAME);
        }
        if let Value::Object(fields) = &mut value {
            self.object(fields, own);
        } else {
            self.value(&mut value);
        }
        Some(if value == before { text.to_owned() } else { value.to_string() })
    }

    /// Other JSON.
    fn json(&self, column: &Option<String>) -> Option<String> {
        self.state(column, false, false)
    }

    /// Whether this JSON has a condition with the user's id.
    pub(super) fn is_in_conditions(&self, json: &str) -> bool {
        serde_json::from_str::<Value>(json).is_ok_and(|value| self.is_in_values(&value))
    }

    fn is_in_values(&self, value: &Value) -> bool {
        match value {
            Value::Array(values) => values.iter().any(|value| self.is_in_values(value)),
            Value::Object(fields) => fields.iter().any(|(field, value)| {
                let listed = value.as_array().filter(|_| VALUES.contains(&field.as_str()));
                listed.is_some_and(|values| values.iter().any(|value| value == self.id.as_str()))
                    || self.is_in_values(value)
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
        }
    }

    /// An id may be any text, also a key or a tag: it is replaced only where it stands for somebody.
    fn value(&self, value: &mut Value) {
        match value {
            Value::Array(values) => values.iter_mut().for_each(|value| self.value(value)),
            Value::Object(fields) => self.object(fields, false),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// A field with a person, or with values of which some are ids.
    fn ids(&self, field: &str, value: &mut Value) {
        let replace = |id: &mut Value| {
            if *id == self.id.as_str() {
                *id = Value::from(REMOVED_ID);
            }
        };
        match value {
            Value::Array(values) if VALUES.contains(&field) => values.iter_mut().for_each(replace),
            Value::Object(person) if PEOPLE.contains(&field) => {
                if let Some(id) = person.get_mut("id").filter(|id| **id == self.id.as_str()) {
                    replace(id);
                    person.insert("name".to_owned(), Value::from(REMOVED_NAME));
                }
            }
            Value::String(_) if PEOPLE.contains(&field) => replace(value),
            Value::Array(_) | Value::Object(_) | Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {
            }
        }
    }

    fn object(&self, fields: &mut Map<String, Value>, own: bool) {
        let is_subject = |field: Option<&Value>| field.and_then(Value::as_str) == Some(self.id.as_str());
        let has_name =
            |field: Option<&Value>| field.and_then(Value::as_str).is_some_and(|name| self.names.contains(name));
        // A token, which its owner has given a name.
        if is_subject(fields.get("userId"))
            && let Some(name) = fields.get_mut("name")
        {
            *name = Value::from(REMOVED_TEXT);
        }
        // The requester says the comment; who decides, or changes without an approval, the reason.
        let requested = has_name(fields.get("requesterName"))
            || fields.get("requestedBy").is_some_and(|person| is_subject(person.get("id")));
        let decided = has_name(fields.get("userName"))
            || fields.get("change").is_some_and(|change| has_name(change.get("userName")));
        for (field, value) in fields.iter_mut() {
            let own = own || (field == "comment" && requested) || (field != "comment" && decided);
            if let Value::String(text) = value {
                if TEXTS.contains(&field.as_str()) {
                    *text = self.text_of(own, text);
                } else if NAMES.contains(&field.as_str()) && self.names.contains(text.as_str()) {
                    REMOVED_NAME.clone_into(text);
                }
            }
            self.ids(field, value);
            // Only texts right here are theirs.
            self.value(value);
        }
    }
}

/// Replaces a text where it stands between other characters than letters and digits.
fn replace_words(text: &str, wanted: &str, with: &str) -> String {
    let mut replaced = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(wanted) {
        let inside =
            before.chars().next_back().or_else(|| replaced.chars().next_back()).is_some_and(char::is_alphanumeric)
                || after.chars().next().is_some_and(char::is_alphanumeric);
        replaced.push_str(before);
        replaced.push_str(if inside { wanted } else { with });
        rest = after;
    }
    replaced + rest
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Subject, replace_words};
    use crate::store::retention::marks::MarkedTable;

    fn ada() -> Subject {
        Subject { id: "user-1".to_owned(), names: ["Ada Byron".to_owned()].into() }
    }

    fn redacted(table: MarkedTable, columns: &[Value]) -> Option<Vec<Option<String>>> {
        let text = |value: &Value| match value {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => Some(value.to_string()),
        };
        ada().redact(table, &columns.iter().map(text).collect::<Vec<_>>())
    }

    #[test]
    fn a_name_is_replaced_as_a_whole_and_not_inside_other_words() {
        assert_eq!(replace_words("Ask Ada. Adam, Ada", "Ada", "X"), "Ask X. Adam, X");
        assert_eq!(replace_words("AdaAda", "Ada", "X"), "AdaAda");
    }

    #[test]
    fn an_entry_of_a_colleague_keeps_what_is_not_about_the_subject() {
        let after = json!({ "name": "Ada Byron", "tags": ["user-10"], "ownerId": "user-2" });
        let columns = [json!("user-2"), json!("Eve"), json!("projects/shop/features/x"), json!(null), after];
        assert_eq!(redacted(MarkedTable::AuditLog, &[&columns[..], &[json!("t"), json!("user-2")]].concat()), None);
    }

    #[test]
    fn an_entry_of_the_subject_names_nobody_and_keeps_the_change() {
        let after =
            json!({ "breakGlass": true, "reason": "I, Ada Byron, say so", "ownerId": "user-1", "lifecycle": "active" });
        let columns = ["user-1", "Ada Byron", "users/user-1"].map(Value::from);
        let columns = [&columns[..], &[json!({ "name": "Ada" }), after, json!("token-1"), json!("user-1")]].concat();
        let columns = redacted(MarkedTable::AuditLog, &columns).unwrap();
        let text: Vec<_> = columns.iter().map(|column| column.as_deref().unwrap_or("none")).collect();
        assert_eq!(text[..3], ["removed-person", "Removed person", "users/removed-person"]);
        assert_eq!(text[5..], ["none", "removed-person"]);
        let (before, after): (Value, Value) =
            (serde_json::from_str(text[3]).unwrap(), serde_json::from_str(text[4]).unwrap());
        assert_eq!(before, json!({ "name": "Removed person" }));
        let expected =
            json!({ "breakGlass": true, "reason": "[removed]", "ownerId": "removed-person", "lifecycle": "active" });
        assert_eq!(after, expected);
    }

    #[test]
    fn a_notice_loses_the_words_of_the_requester_and_keeps_those_of_the_decider() {
        let notice = json!({ "approval": {
            "approvalId": "a", "requesterName": "Ada Byron", "comment": "Please", "reason": "Ada Byron is right",
            "change": { "userName": "Eve", "featureName": "Ada Byron" },
        } });
        let [Some(change)] = &redacted(MarkedTable::Outbox, &[notice]).unwrap()[..] else { panic!("one column") };
        let expected = json!({ "approval": {
            "approvalId": "a", "requesterName": "Removed person", "comment": "[removed]",
            "reason": "Removed person is right", "change": { "userName": "Eve", "featureName": "Ada Byron" },
        } });
        assert_eq!(serde_json::from_str::<Value>(change).unwrap(), expected);
    }
}
