//! A map of feature key to variant: a sorted vector, which needs little code and memory.

use core::cmp::Ordering;

/// The variant of each feature key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variants(Vec<(String, String)>);

impl Variants {
    /// Parses keys and variants that are separated by NUL.
    #[cfg(test)]
    pub fn parse(text: &str) -> Self {
        let mut variants = Self::default();
        let mut parts = text.split_terminator('\0');
        while let Some(key) = parts.next() {
            variants.set(key, parts.next().unwrap_or_default());
        }
        variants
    }

    /// The variant of a feature.
    pub fn get(&self, key: &str) -> Option<&str> {
        let index = self.search(key).ok()?;
        self.0.get(index).map(|(_, variant)| variant.as_str())
    }

    /// Sets a variant. Returns whether the feature is new. Fastest if the keys come in order, as the service sends them.
    pub fn set(&mut self, key: &str, variant: &str) -> bool {
        let place = self.search(key);
        match place {
            Ok(index) => {
                if let Some(entry) = self.0.get_mut(index) {
                    entry.1 = variant.to_owned();
                }
            }
            Err(index) => self.0.insert(index, (key.to_owned(), variant.to_owned())),
        }
        place.is_err()
    }

    /// Removes a feature.
    pub fn remove(&mut self, key: &str) {
        if let Ok(index) = self.search(key) {
            self.0.remove(index);
        }
    }

    /// Keys and variants, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, variant)| (key.as_str(), variant.as_str()))
    }

    /// Whether there are no features.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn search(&self, key: &str) -> Result<usize, usize> {
        let (mut low, mut high) = (0, self.0.len());
        // Keys mostly come in order, so compare with the last one first.
        let mut middle = high.saturating_sub(1);
        while low < high {
            match self.0.get(middle).map(|(other, _)| other.as_str().cmp(key)) {
                Some(Ordering::Less) => low = middle + 1,
                Some(Ordering::Equal) => return Ok(middle),
                Some(Ordering::Greater) | None => high = middle,
            }
            middle = low.midpoint(high);
        }
        Err(low)
    }
}

#[cfg(test)]
mod tests {
    use super::Variants;

    #[test]
    fn a_parsed_map_is_sorted_by_key() {
        let variants = Variants::parse("b\0off\0a\0on\0c\0\0b\0blue");
        let entries: Vec<_> = variants.iter().collect();
        assert_eq!(entries, [("a", "on"), ("b", "blue"), ("c", "")]);
        assert_eq!(variants.get("b"), Some("blue"));
        assert_eq!(variants.get("d"), None);
        assert!(Variants::parse("").is_empty());
    }

    #[test]
    fn ten_thousand_keys_in_any_order_can_all_be_looked_up() {
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
