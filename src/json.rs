//! Writes the JSON that the client sends and stores. JavaScript parses JSON.

use flagservice_core::digits::push_hex;

use crate::variants::Variants;

/// Appends a JSON string.
pub fn push_string(json: &mut String, text: &str) {
    json.push_str("\"");
    let mut copied = 0;
    for (index, byte) in text.bytes().enumerate() {
        if byte >= 32 && byte != b'"' && byte != b'\\' {
            continue;
        }
        json.push_str(text.get(copied..index).unwrap_or_default());
        json.push_str("\\u00");
        push_hex(json, byte);
        copied = index + 1;
    }
    json.push_str(text.get(copied..).unwrap_or_default());
    json.push_str("\"");
}

/// JSON of an object with these strings, and with one more member if it has a name: `raw` is its JSON.
pub fn object(strings: &[(&str, &str)], name: &str, raw: &str) -> String {
    let mut json = String::from("{");
    for (name, value) in strings {
        push_name(&mut json, name);
        push_string(&mut json, value);
    }
    if !name.is_empty() {
        push_name(&mut json, name);
        json.push_str(raw);
    }
    json.push_str("}");
    json
}

fn push_name(json: &mut String, name: &str) {
    if json.len() > 1 {
        json.push_str(",");
    }
    push_string(json, name);
    json.push_str(":");
}

/// Appends a JSON object of feature keys and variants. It leaves out features that would make the text exceed `limit` bytes.
pub fn push_variants(json: &mut String, variants: &Variants, limit: usize) {
    json.push_str("{");
    let start = json.len();
    for (key, variant) in variants.iter() {
        // JSON takes at most six bytes for each byte, and seven more for quotes, colon, comma and brace.
        if json.len() + 6 * (key.len() + variant.len()) + 7 > limit {
            break;
        }
        if json.len() > start {
            json.push_str(",");
        }
        push_string(json, key);
        json.push_str(":");
        push_string(json, variant);
    }
    json.push_str("}");
}

#[cfg(test)]
mod tests {
    use super::{object, push_string, push_variants};
    use crate::variants::Variants;

    #[test]
    fn a_string_is_escaped_as_json_requires() {
        let text = "a\"b\\c\n\u{1}\u{1f} é\u{2028}😀\u{7f}";
        let mut json = String::new();
        push_string(&mut json, text);
        assert_eq!(json, "\"a\\u0022b\\u005cc\\u000a\\u0001\\u001f é\u{2028}😀\u{7f}\"");
        assert_eq!(serde_json::from_str::<String>(&json).ok().as_deref(), Some(text));
    }

    #[test]
    fn an_object_has_strings_and_one_more_member() {
        assert_eq!(object(&[], "", ""), "{}");
        assert_eq!(object(&[("a\"", "b"), ("c", "")], "", ""), r#"{"a\u0022":"b","c":""}"#);
        assert_eq!(object(&[("a", "b")], "c", "[1]"), r#"{"a":"b","c":[1]}"#);
        assert_eq!(object(&[], "c", "{}"), r#"{"c":{}}"#);
    }

    #[test]
    fn an_object_of_variants_stays_within_the_limit() {
        let variants = Variants::parse("a\0on\0b\0off");
        let mut json = String::new();
        push_variants(&mut json, &variants, 1_000);
        assert_eq!(json, r#"{"a":"on","b":"off"}"#);
        json.clear();
        push_variants(&mut json, &variants, 30);
        assert_eq!(json, r#"{"a":"on"}"#);
    }
}
