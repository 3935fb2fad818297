//! Writing the few JSON texts that the client sends and stores. Reading JSON is left to the host.

use flagservice_core::digits::push_hex;

use crate::variants::Variants;

/// Appends a JSON string, escaped as `JSON.stringify` does it.
pub fn push_string(json: &mut String, text: &str) {
    json.push_str("\"");
    let mut copied = 0;
    for (place, byte) in text.bytes().enumerate() {
        let short = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            8 => "\\b",
            9 => "\\t",
            10 => "\\n",
            12 => "\\f",
            13 => "\\r",
            0..32 => "\\u00",
            _ => continue,
        };
        json.push_str(text.get(copied..place).unwrap_or_default());
        json.push_str(short);
        if short.len() > 2 {
            push_hex(json, byte);
        }
        copied = place + 1;
    }
    json.push_str(text.get(copied..).unwrap_or_default());
    json.push_str("\"");
}

/// Appends a JSON object of feature keys and variants, as long as the text stays within `limit` bytes.
pub fn push_variants(json: &mut String, variants: &Variants, limit: usize) {
    json.push_str("{");
    let mut first = true;
    for (key, variant) in variants.iter() {
        // A character takes at most six in JSON, and seven more are for quotes, colon, comma and braces.
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
    fn a_string_is_escaped_as_the_host_does_it() {
        let mut json = String::new();
        push_string(&mut json, "a\"b\\c\u{8}\u{c}\n\r\t\u{1}\u{1f} é\u{2028}😀\u{7f}");
        assert_eq!(json, "\"a\\\"b\\\\c\\b\\f\\n\\r\\t\\u0001\\u001f é\u{2028}😀\u{7f}\"");
    }

    #[test]
    fn a_map_is_an_object_and_ends_at_its_limit() {
        let variants = Variants::parse("a\0on\0b\0off");
        let mut json = String::new();
        push_variants(&mut json, &variants, 1_000);
        assert_eq!(json, r#"{"a":"on","b":"off"}"#);
        json.clear();
        push_variants(&mut json, &variants, 30);
        assert_eq!(json, r#"{"a":"on"}"#);
    }
}
