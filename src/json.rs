//! Writing the few JSON texts that the client sends and stores. Reading JSON is left to the host.

use crate::variants::Variants;

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Appends a JSON string, escaped as `JSON.stringify` does it.
pub fn push_string(json: &mut String, text: &str) {
    json.push('"');
    for character in text.chars() {
        let short = match character {
            '"' => '"',
            '\\' => '\\',
            '\u{8}' => 'b',
            '\u{c}' => 'f',
            '\n' => 'n',
            '\r' => 'r',
            '\t' => 't',
            '\0'..='\u{1f}' => {
                json.push_str("\\u00");
                push_hex(json, character as u8);
                continue;
            }
            _ => {
                json.push(character);
                continue;
            }
        };
        json.push('\\');
        json.push(short);
    }
    json.push('"');
}

/// Appends two hexadecimal digits.
pub fn push_hex(text: &mut String, byte: u8) {
    for digit in [byte >> 4, byte & 15] {
        text.push(HEX.get(usize::from(digit)).map_or('0', |&hex| char::from(hex)));
    }
}

/// Appends a whole number in decimal digits.
pub fn push_number(text: &mut String, number: u64) {
    if number > 9 {
        push_number(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}

/// Appends a JSON object of feature keys and variants, as long as the text stays within `limit` bytes.
pub fn push_variants(json: &mut String, variants: &Variants, limit: usize) {
    json.push('{');
    let mut first = true;
    for (key, variant) in variants.iter() {
        // A character takes at most six in JSON, and seven more are for quotes, colon, comma and braces.
        if json.len() + 6 * (key.len() + variant.len()) + 7 > limit {
            break;
        }
        if !first {
            json.push(',');
        }
        first = false;
        push_string(json, key);
        json.push(':');
        push_string(json, variant);
    }
    json.push('}');
}

#[cfg(test)]
mod tests {
    use super::{push_number, push_string, push_variants};
    use crate::variants::Variants;

    #[test]
    fn a_string_is_escaped_as_the_host_does_it() {
        let mut json = String::new();
        push_string(&mut json, "a\"b\\c\u{8}\u{c}\n\r\t\u{1}\u{1f} é\u{2028}😀\u{7f}");
        assert_eq!(json, "\"a\\\"b\\\\c\\b\\f\\n\\r\\t\\u0001\\u001f é\u{2028}😀\u{7f}\"");
    }

    #[test]
    fn a_number_has_its_digits() {
        let mut text = String::new();
        for number in [0, 7, 10, u64::MAX] {
            push_number(&mut text, number);
            text.push(' ');
        }
        assert_eq!(text, "0 7 10 18446744073709551615 ");
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
