//! Texts that many readers need, each made once.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// How many texts are kept.
const MAX_TEXTS: usize = 8;

/// A text that is made when somebody needs it.
type Text = Arc<OnceLock<Arc<str>>>;

/// The latest texts, by what they are about.
pub struct TextCache<K>(Mutex<Vec<(K, Text)>>);

impl<K> Default for TextCache<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: PartialEq> TextCache<K> {
    /// The text about this, which `make` makes if nobody has needed it before. Others that need the same text meanwhile wait for it.
    pub fn text(&self, about: K, make: impl FnOnce() -> String) -> Arc<str> {
        // Made outside the lock of the list.
        Arc::clone(self.entry(about).get_or_init(|| make().into()))
    }

    fn entry(&self, about: K) -> Text {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, text)) = texts.iter().find(|(known, _)| *known == about) {
            return Arc::clone(text);
        }
        if texts.len() == MAX_TEXTS {
            texts.remove(0);
        }
        let text = Text::default();
        texts.push((about, Arc::clone(&text)));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_TEXTS, TextCache};

    #[test]
    fn a_text_is_made_once_while_it_is_among_the_latest() {
        let (cache, mut made) = (TextCache::default(), Vec::new());
        for about in (0..MAX_TEXTS).chain([0, 1, MAX_TEXTS, 0]) {
            let text = cache.text(about, || {
                made.push(about);
                format!("text {about}")
            });
            assert_eq!(*text, format!("text {about}"));
        }
        assert_eq!(made, (0..=MAX_TEXTS).chain([0]).collect::<Vec<_>>());
    }
}
