//! What is known of one user's features, from which source, and what differs when the service says something new.

use flagservice_core::fallback;
use flagservice_core::variant::OFF;

use crate::variants::Variants;

/// In changes, stands in the place of the variant of a feature that was taken away. No variant is empty.
pub const GONE: &str = "";

/// The sources of one user's features.
#[derive(Debug, Default)]
pub struct Features {
    received: Option<Variants>,
    bootstrap: Option<Variants>,
    cached: Option<Variants>,
    defaults: Variants,
}

impl Features {
    /// What is known before there is a user.
    pub fn new(defaults: Variants) -> Self {
        Self { defaults, ..Self::default() }
    }

    /// Another user: only the defaults stay, beside what the page has bootstrapped for this one, or the cache knows.
    pub fn enter(&mut self, bootstrap: Option<Variants>, cached: Option<Variants>) {
        self.received = None;
        self.bootstrap = bootstrap;
        self.cached = cached;
    }

    /// The value of one feature, by the fallback.
    pub fn value(&self, key: &str) -> &str {
        let find = |source| Option::<&Variants>::and_then(source, |variants| variants.get(key));
        let Self { received, bootstrap, cached, defaults } = self;
        fallback(find(received.as_ref()), find(bootstrap.as_ref()), find(cached.as_ref()), defaults.get(key))
    }

    /// The evaluated features in force: as received, else as bootstrapped, else as cached, else the defaults.
    pub fn in_force(&self) -> &Variants {
        self.received.as_ref().or(self.bootstrap.as_ref()).or(self.cached.as_ref()).unwrap_or(&self.defaults)
    }

    /// Every feature that any source knows, each with its value.
    pub fn all(&self) -> Variants {
        let mut all = Variants::default();
        let sources = [Some(&self.defaults), self.cached.as_ref(), self.bootstrap.as_ref(), self.received.as_ref()];
        for (key, variant) in sources.into_iter().flatten().flat_map(Variants::iter) {
            all.set(key, variant);
        }
        all
    }

    /// Takes the service's full map, which replaces what it said before. Returns the features that then differ, each
    /// with its value now.
    pub fn receive(&mut self, mut variants: Variants) -> Variants {
        // From here on the cache holds what was received.
        self.cached = None;
        let Some(before) = &self.received else {
            self.received = Some(variants);
            return Variants::default();
        };
        for (key, _) in before.iter() {
            if variants.get(key).is_none() {
                variants.set(key, GONE);
            }
        }
        self.patch(&variants)
    }

    /// Takes changes of some features, [`GONE`] for one that was taken away. Returns those that make a difference, each
    /// with its value now.
    pub fn patch(&mut self, changes: &Variants) -> Variants {
        let mut moved = Variants::default();
        let Some(received) = &mut self.received else { return moved };
        for (key, variant) in changes.iter() {
            if received.get(key).unwrap_or(GONE) == variant {
                continue;
            }
            if variant == GONE {
                received.remove(key);
                // An older bootstrap must not bring it back.
                if let Some(bootstrap) = &mut self.bootstrap {
                    bootstrap.remove(key);
                }
                moved.set(key, self.defaults.get(key).unwrap_or(OFF));
            } else {
                received.set(key, variant);
                moved.set(key, variant);
            }
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::Features;
    use crate::variants::Variants;

    fn map(flat: &str) -> Variants {
        Variants::parse(flat)
    }

    #[test]
    fn a_value_is_received_else_bootstrapped_else_default_else_off() {
        let mut features = Features::new(map("b\0def\0c\0def"));
        features.enter(Some(map("a\0boot\0b\0boot")), None);
        assert_eq!(features.value("a"), "boot");
        assert_eq!(features.value("c"), "def");
        features.receive(map("a\0on"));
        assert_eq!(features.value("a"), "on");
        assert_eq!(features.value("b"), "boot", "the fallback holds online for a key that the service did not send");
        assert_eq!(features.value("d"), "off");
    }

    #[test]
    fn a_cached_value_comes_before_a_default() {
        let mut features = Features::new(map("a\0def\0b\0def"));
        features.enter(None, Some(map("a\0cache")));
        assert_eq!(features.value("a"), "cache");
        assert_eq!(features.value("b"), "def");
    }

    #[test]
    fn another_user_gets_nothing_of_the_one_before() {
        let mut features = Features::new(map("c\0def"));
        features.enter(Some(map("a\0boot")), None);
        features.receive(map("b\0on"));
        features.enter(None, Some(map("d\0cache")));
        assert_eq!(features.all(), map("c\0def\0d\0cache"));
    }

    #[test]
    fn the_features_in_force_are_those_received_alone() {
        let mut features = Features::new(map("c\0def"));
        assert_eq!(features.in_force(), &map("c\0def"));
        features.enter(None, Some(map("old\0on")));
        assert_eq!(features.in_force(), &map("old\0on"));
        features.receive(map("a\0on"));
        assert_eq!(features.in_force(), &map("a\0on"));
        assert_eq!(features.all(), map("a\0on\0c\0def"));
    }

    #[test]
    fn a_full_map_names_exactly_the_features_that_differ() {
        let mut features = Features::new(map("gone\0def"));
        assert!(features.receive(map("same\0on\0turned\0on\0gone\0on\0lost\0on")).is_empty());
        let moved = features.receive(map("same\0on\0turned\0off\0new\0blue"));
        assert_eq!(moved, map("turned\0off\0new\0blue\0gone\0def\0lost\0off"));
        assert_eq!(features.in_force(), &map("same\0on\0turned\0off\0new\0blue"));
    }

    #[test]
    fn a_deleted_feature_disappears_also_from_the_bootstrap() {
        let mut features = Features::default();
        features.enter(Some(map("a\0on")), None);
        features.receive(map("a\0on\0b\0on"));
        assert_eq!(features.patch(&map("a\0\0b\0on\0c\0\0")), map("a\0off"));
        assert_eq!(features.value("a"), "off");
        assert_eq!(features.in_force(), &map("b\0on"));
    }
}
