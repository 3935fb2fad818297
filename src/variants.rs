//! A map of feature key to variant, small in code and in memory: a vector sorted by key.

use core::cmp::Ordering;

use flagservice_core::cut::cut;

/// Separates keys and variants where a map crosses to JavaScript as one text: `key\0variant\0key\0variant\0`.
const SEPARATOR: u8 = 0;
const SEPARATOR_TEXT: &str = "\0";

/// One variant for each feature key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variants(Vec<(String, String)>);

impl Variants {
    /// Reads the text form in which a map comes from JavaScript.
    pub fn parse(flat: &str) -> Self {
        let mut variants = Self::default();
        let mut rest = flat;
        while !rest.is_empty() {
            let key = cut(&mut rest, SEPARATOR);
            variants.set(key, cut(&mut rest, SEPARATOR));
        }
        variants
    }

    /// The text form in which a map goes to JavaScript; it ends with a separator.
    pub fn flat(&self) -> String {
        let mut flat = String::new();
        for (key, variant) in self.iter() {
            for part in [key, variant] {
                flat.push_str(part);
                flat.push_str(SEPARATOR_TEXT);
            }
        }
        flat
    }

    /// The variant of a feature.
    pub fn get(&self, key: &str) -> Option<&str> {
        let place = self.find(key).ok()?;
        self.0.get(place).map(|(_, variant)| variant.as_str())
    }

    /// Puts a variant. Cheapest when the keys come in order, as the service sends them.
    pub fn set(&mut self, key: &str, variant: &str) {
        match self.find(key) {
            Ok(place) => {
                if let Some(entry) = self.0.get_mut(place) {
                    entry.1 = variant.to_owned();
                }
            }
            Err(place) => self.0.insert(place, (key.to_owned(), variant.to_owned())),
        }
    }

    /// Takes a feature away.
    pub fn remove(&mut self, key: &str) {
        if let Ok(place) = self.find(key) {
            self.0.remove(place);
        }
    }

    /// Keys and variants, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, variant)| (key.as_str(), variant.as_str()))
    }

    /// Whether it holds no feature.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn find(&self, key: &str) -> Result<usize, usize> {
        // Written out because keys mostly come in order, and then the first question answers.
        let mut high = self.0.len();
        match self.0.last().map(|(last, _)| last.as_str().cmp(key)) {
            None | Some(Ordering::Less) => return Err(high),
            Some(Ordering::Equal | Ordering::Greater) => {}
        }
        let mut low = 0;
        while low < high {
            let middle = low.midpoint(high);
            match self.0.get(middle).map(|(other, _)| other.as_str().cmp(key)) {
                Some(Ordering::Less) => low = middle + 1,
                Some(Ordering::Equal) => return Ok(middle),
                Some(Ordering::Greater) | None => high = middle,
            }
        }
        Err(low)
    }
}

#[cfg(test)]
mod tests {
    use super::Variants;

    #[test]
    fn a_map_reads_back_sorted_by_key() {
        let variants = Variants::parse("b\0off\0a\0on\0c\0\0b\0blue");
        assert_eq!(variants.flat(), "a\0on\0b\0blue\0c\0\0");
        assert_eq!(variants.get("b"), Some("blue"));
        assert_eq!(variants.get("d"), None);
        assert_eq!(Variants::parse("").flat(), "");
    }

    #[test]
    fn ten_thousand_keys_in_any_order_are_all_found() {
        let mut variants = Variants::default();
        for number in 0..10_000_u32 {
            variants.set(&format!("f{}", number.wrapping_mul(2_654_435_761)), &number.to_string());
        }
        for number in 0..10_000_u32 {
            let key = format!("f{}", number.wrapping_mul(2_654_435_761));
            assert_eq!(variants.get(&key), Some(number.to_string().as_str()));
        }
        variants.remove("f0");
        assert_eq!(variants.get("f0"), None);
        assert_eq!(variants.iter().count(), 9_999);
    }
}
