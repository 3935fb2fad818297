//! Redaction: what a destination has answered, without the secrets that it repeats.

use std::ops::Range;

/// Replaces secrets.
const REDACTED: &str = "…";

/// In how many ways a text is decoded. JSON in JSON in HTML needs three.
const MAX_DECODINGS: usize = 32;

/// The longest escape in bytes: `&#x0010FFFF;`, and a pair of surrogates.
const MAX_ESCAPE: usize = 12;

/// The punctuation that HTML has names for.
const ENTITIES: [(&[u8], char); 31] = [
    (b"amp", '&'),
    (b"apos", '\''),
    (b"ast", '*'),
    (b"bsol", '\\'),
    (b"colon", ':'),
    (b"comma", ','),
    (b"commat", '@'),
    (b"dollar", '$'),
    (b"equals", '='),
    (b"excl", '!'),
    (b"grave", '`'),
    (b"gt", '>'),
    (b"Hat", '^'),
    (b"lbrack", '['),
    (b"lcub", '{'),
    (b"lowbar", '_'),
    (b"lpar", '('),
    (b"lsqb", '['),
    (b"lt", '<'),
    (b"num", '#'),
    (b"percnt", '%'),
    (b"period", '.'),
    (b"plus", '+'),
    (b"quest", '?'),
    (b"quot", '"'),
    (b"rcub", '}'),
    (b"rpar", ')'),
    (b"rsqb", ']'),
    (b"semi", ';'),
    (b"sol", '/'),
    (b"vert", '|'),
];

/// A text without secrets, also where their characters are escaped as in JSON, URLs or HTML, or have blanks between them. If the text was
/// cut, it may end with the beginning of a secret, which is hidden, too.
pub(super) fn redact(text: &str, is_cut: bool, secrets: &[String]) -> String {
    let secrets = secrets.iter().map(|secret| Decoded::new(secret).bytes);
    let secrets: Vec<_> = secrets.filter(|secret| !secret.is_empty()).collect();
    let mut hidden: Vec<Range<usize>> = Vec::new();
    for decoded in decodings(text, is_cut) {
        for secret in &secrets {
            hidden.extend(decoded.find(secret));
            let beginning = is_cut.then(|| decoded.find_beginning(secret)).flatten();
            hidden.extend(beginning.map(|start| start..text.len()));
        }
    }
    hidden.sort_unstable_by_key(|range| range.start);
    let (mut shown, mut end) = (String::new(), None);
    for range in hidden {
        if end.is_none_or(|end| range.start > end) {
            shown.push_str(text.get(end.unwrap_or_default()..range.start).unwrap_or_default());
            shown.push_str(REDACTED);
        }
        end = end.max(Some(range.end));
    }
    shown.push_str(text.get(end.unwrap_or_default()..).unwrap_or_default());
    shown
}

/// The text as it is, without one kind of escapes, then without another one of those, and so on. Kinds are not decoded together: a key may
/// look like an escape itself.
fn decodings(text: &str, is_cut: bool) -> Vec<Decoded> {
    let mut all = vec![Decoded::new(text)];
    let mut place = 0;
    while let Some(text) = all.get(place) {
        let decoded = Escapes::ALL.map(|escapes| text.decode(escapes, is_cut));
        for next in decoded {
            if all.len() < MAX_DECODINGS && all.iter().all(|known| known.bytes != next.bytes) {
                all.push(next);
            }
        }
        place += 1;
    }
    all
}

/// A text without blanks and with escapes decoded, and the place in the original that each of its bytes comes from.
#[derive(Default)]
struct Decoded {
    bytes: Vec<u8>,
    origins: Vec<Range<usize>>,
}

impl Decoded {
    fn new(text: &str) -> Self {
        let mut new = Self::default();
        for (start, character) in text.char_indices() {
            new.push(&bytes_of(character), &(start..start + character.len_utf8()));
        }
        new
    }

    fn push(&mut self, bytes: &[u8], origin: &Range<usize>) {
        self.bytes.extend_from_slice(bytes);
        self.origins.extend(bytes.iter().map(|_| origin.clone()));
    }

    /// Decodes each of these escapes once. Where the text was cut, the beginning of one at its end is left out.
    fn decode(&self, escapes: Escapes, is_cut: bool) -> Self {
        let mut decoded = Self::default();
        let mut rest = (self.bytes.as_slice(), self.origins.as_slice());
        while let Some(first) = rest.0.first() {
            let (length, bytes) = match escapes.first(rest.0) {
                Some(escape) => escape,
                None if is_cut && escapes.begin(rest.0) => break,
                None => (1, vec![*first]),
            };
            let (Some((of_it, origins)), Some(bytes_after)) = (rest.1.split_at_checked(length), rest.0.get(length..))
            else {
                break;
            };
            if let [first, .., last] | [first @ last] = of_it {
                decoded.push(&bytes, &(first.start..last.end));
            }
            rest = (bytes_after, origins);
        }
        decoded
    }

    /// Where a secret is in the original.
    fn find(&self, secret: &[u8]) -> impl Iterator<Item = Range<usize>> {
        let places = self.bytes.windows(secret.len()).zip(self.origins.windows(secret.len()));
        let found = places.filter(move |(bytes, _)| *bytes == secret);
        found.filter_map(|(_, origins)| Some(origins.first()?.start..origins.last()?.end))
    }

    /// Where the longest beginning of a secret that the text ends with begins in the original.
    fn find_beginning(&self, secret: &[u8]) -> Option<usize> {
        let beginnings = (1..secret.len()).rev().filter_map(|length| secret.get(..length));
        let longest = beginnings.into_iter().find(|beginning| self.bytes.ends_with(beginning))?;
        Some(self.origins.get(self.bytes.len() - longest.len())?.start)
    }
}

/// A character in UTF-8; nothing of blanks, control characters, and what replaces bytes that are not UTF-8.
fn bytes_of(character: char) -> Vec<u8> {
    if character.is_whitespace() || character.is_control() || character == char::REPLACEMENT_CHARACTER {
        return Vec::new();
    }
    character.to_string().into_bytes()
}

/// A way to write characters in another form.
#[derive(Clone, Copy)]
enum Escapes {
    /// `\/`, and those of JavaScript, as `\x2F`.
    Json,
    /// `%2F`.
    Url,
    /// `&#47;`.
    Html,
}

impl Escapes {
    const ALL: [Self; 3] = [Self::Json, Self::Url, Self::Html];

    /// The escape that a text begins with: its length, and what it stands for.
    fn first(self, text: &[u8]) -> Option<(usize, Vec<u8>)> {
        match (self, text) {
            (Self::Json, [b'\\', b'u', ..]) => utf16_escape(text),
            (Self::Json, [b'\\', b'x', ..]) => Some((4, bytes_of(char::from_u32(number(text.get(2..4)?, 16)?)?))),
            // Control characters.
            (Self::Json, [b'\\', b'b' | b'f' | b'n' | b'r' | b't', ..]) => Some((2, Vec::new())),
            (Self::Json, [b'\\', escaped, ..]) if escaped.is_ascii_punctuation() => Some((2, vec![*escaped])),
            (Self::Url, [b'%', ..]) => {
                let byte = u8::try_from(number(text.get(1..3)?, 16)?).ok()?;
                Some((3, if byte.is_ascii() { bytes_of(char::from(byte)) } else { vec![byte] }))
            }
            (Self::Html, [b'&', ..]) => entity(text),
            (Self::Json | Self::Url | Self::Html, _) => None,
        }
    }

    /// Whether a text could be the beginning of an escape.
    fn begin(self, text: &[u8]) -> bool {
        let are_digits = |digits: &[u8]| digits.iter().all(u8::is_ascii_hexdigit);
        match (self, text) {
            (Self::Json, [b'\\']) => true,
            (Self::Json, [b'\\', b'u', digits @ ..]) => digits.len() < 4 && are_digits(digits),
            (Self::Json, [b'\\', b'x', digits @ ..]) | (Self::Url, [b'%', digits @ ..]) => {
                digits.len() < 2 && are_digits(digits)
            }
            (Self::Html, [b'&', name @ ..]) => {
                name.len() < MAX_ESCAPE - 1 && name.iter().all(|byte| *byte == b'#' || byte.is_ascii_alphanumeric())
            }
            (Self::Json | Self::Url | Self::Html, _) => false,
        }
    }
}

/// `\u002B`, or two of them for a pair of surrogates.
fn utf16_escape(text: &[u8]) -> Option<(usize, Vec<u8>)> {
    let unit = |start: usize| {
        let escape = text.get(start..start + 6)?;
        u16::try_from(number(escape.strip_prefix(br"\u")?, 16)?).ok()
    };
    let decoded = char::decode_utf16([unit(0)?, unit(6).unwrap_or_default()]).next()?.ok()?;
    Some((6 * decoded.len_utf16(), bytes_of(decoded)))
}

/// `&plus;`, `&#43;` or `&#x2B;`.
fn entity(text: &[u8]) -> Option<(usize, Vec<u8>)> {
    let end = text.iter().take(MAX_ESCAPE).position(|byte| *byte == b';')?;
    let character = match text.get(1..end)? {
        [b'#', b'x' | b'X', digits @ ..] => char::from_u32(number(digits, 16)?)?,
        [b'#', digits @ ..] => char::from_u32(number(digits, 10)?)?,
        name => ENTITIES.iter().find(|(known, _)| *known == name)?.1,
    };
    Some((end + 1, bytes_of(character)))
}

fn number(digits: &[u8], radix: u32) -> Option<u32> {
    let add = |sum: u32, digit: &u8| {
        let value = char::from(*digit).to_digit(radix)?;
        sum.checked_mul(radix)?.checked_add(value)
    };
    digits.iter().try_fold(0, add)
}
