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

/// Appends a JSON object of feature keys and variants. It leaves out features that would make the text exceed `limit` bytes.
pub fn push_variants(json: &mut String, variants: &Variants, limit: usize) {
    json.push_str("{");
    let mut first = true;
    for (key, variant) in variants.iter() {
        // JSON takes at most six bytes for each byte, and seven more for quotes, colon, comma and brace.
        if json.len() + 6 * (key.len() + variant.len()) + 7 > limit {
            break;
        }
        if !first {
            json.push_str(",");
        }
        first = false;
        push_string(json, key);
        json.push_str(":");
        push_string(json, variant);
    }
    json.push_str("}");
}

#[cfg(test)]
mod tests {
    use super::{push_string, push_variants};
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
