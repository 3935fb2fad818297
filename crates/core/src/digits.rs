//! Formats numbers. The formatting code of the standard library would make the browser's wasm too large.

const DIGITS: &str = "0123456789abcdef";

/// Appends a byte as two hexadecimal digits.
pub fn push_hex(text: &mut String, byte: u8) {
    push_digit(text, byte >> 4);
    push_digit(text, byte & 15);
}

/// Appends an integer as decimal digits.
pub fn push_number(text: &mut String, number: u64) {
    if number > 9 {
        push_number(text, number / 10);
    }
    push_digit(text, (number % 10) as u8);
}

fn push_digit(text: &mut String, digit: u8) {
    let index = usize::from(digit);
    text.push_str(DIGITS.get(index..=index).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::{push_hex, push_number};

    #[test]
    fn numbers_are_written_as_digits() {
        let mut text = String::new();
        for number in [0, 7, 10, u64::MAX] {
            push_number(&mut text, number);
            text.push(' ');
        }
        for byte in [0, 0xa5, 0xff] {
            push_hex(&mut text, byte);
        }
        assert_eq!(text, "0 7 10 18446744073709551615 00a5ff");
    }
}
