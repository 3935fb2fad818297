//! The features of one user by source, and which of them change when the service sends new values.

use flagservice_core::fallback;
pub use flagservice_core::variant::OFF;

use crate::variants::Variants;

/// In changes, the value of a feature that was removed. No variant is empty.
pub const REMOVED: &str = "";

/// The sources of one user's features.
#[derive(Debug, Default)]
pub struct Features {
    received: Option<Variants>,
    bootstrap: Option<Variants>,
    cached: Option<Variants>,
    defaults: Variants,
}

impl Features {
    /// Features without a user: only the defaults.
    pub fn new(defaults: Variants) -> Self {
        Self { defaults, ..Self::default() }
    }

    /// Switches to another user: only the defaults remain, beside this user's bootstrap or cached features.
    pub fn reset(&mut self, bootstrap: Option<Variants>, cached: Option<Variants>) {
        self.received = None;
        self.bootstrap = bootstrap;
        self.cached = cached;
    }

    /// The value of one feature, from the first source that has it.
    pub fn value(&self, key: &str) -> &str {
        let find = |source| Option::<&Variants>::and_then(source, |variants| variants.get(key));
        let Self { received, bootstrap, cached, defaults } = self;
        fallback(find(received.as_ref()), find(bootstrap.as_ref()), find(cached.as_ref()), defaults.get(key))
    }

    /// What the service has sent; `None` before the first load.
    pub fn received(&self) -> Option<&Variants> {
        self.received.as_ref()
    }

    /// The current evaluated features: the received ones, else the bootstrap, else the cached ones, else the defaults.
    pub fn current(&self) -> &Variants {
        self.received.as_ref().or(self.bootstrap.as_ref()).or(self.cached.as_ref()).unwrap_or(&self.defaults)
    }

    /// Every feature known from any source, each with its value.
    pub fn all(&self) -> Variants {
        let mut all = Variants::default();
        let sources = [Some(&self.defaults), self.cached.as_ref(), self.bootstrap.as_ref(), self.received.as_ref()];
        for source in sources.into_iter().flatten() {
            for (key, variant) in source.iter() {
                all.set(key, variant);
            }
        }
        all
    }

    /// Replaces all received values. Returns the features that changed, each with its new value.
    pub fn receive(&mut self, mut variants: Variants) -> Variants {
        // The cache entry now holds the received values.
        self.cached = None;
        let Some(before) = &self.received else {
            self.received = Some(variants);
            return Variants::default();
        };
        for (key, _) in before.iter() {
            if variants.get(key).is_none() {
                variants.set(key, REMOVED);
            }
        }
        self.patch(&variants)
    }

    /// Applies changes of some features, with [`REMOVED`] for one that was removed. Returns the features that changed, each
    /// with its new value.
    pub fn patch(&mut self, changes: &Variants) -> Variants {
        let mut changed = Variants::default();
        let Some(received) = &mut self.received else { return changed };
        for (key, variant) in changes.iter() {
            if received.get(key).unwrap_or(REMOVED) == variant {
                continue;
            }
            if variant == REMOVED {
                received.remove(key);
                // Otherwise the bootstrap would bring it back.
                if let Some(bootstrap) = &mut self.bootstrap {
                    bootstrap.remove(key);
                }
                changed.set(key, self.defaults.get(key).unwrap_or(OFF));
            } else {
                received.set(key, variant);
                changed.set(key, variant);
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::Features;
    use crate::variants::Variants;

    fn map(encode: &str) -> Variants {
        Variants::parse(encode)
    }

    #[test]
    fn a_value_comes_from_the_service_else_bootstrap_else_default_else_off() {
        let mut features = Features::new(map("b\0def\0c\0def"));
        features.reset(Some(map("a\0boot\0b\0boot")), None);
        assert_eq!(features.value("a"), "boot");
        assert_eq!(features.value("c"), "def");
        features.receive(map("a\0on"));
        assert_eq!(features.value("a"), "on");
        assert_eq!(
            features.value("b"),
            "boot",
            "the fallback applies online, too, for a key that the service did not send"
        );
        assert_eq!(features.value("d"), "off");
    }

    #[test]
    fn a_cached_value_has_priority_over_a_default() {
        let mut features = Features::new(map("a\0def\0b\0def"));
        features.reset(None, Some(map("a\0cache")));
        assert_eq!(features.value("a"), "cache");
        assert_eq!(features.value("b"), "def");
    }

    #[test]
    fn another_user_gets_nothing_from_the_previous_one() {
        let mut features = Features::new(map("c\0def"));
        features.reset(Some(map("a\0boot")), None);
        features.receive(map("b\0on"));
        features.reset(None, Some(map("d\0cache")));
        assert_eq!(features.all(), map("c\0def\0d\0cache"));
    }

    #[test]
    fn once_received_only_received_features_are_current() {
        let mut features = Features::new(map("c\0def"));
        assert_eq!(features.current(), &map("c\0def"));
        features.reset(None, Some(map("old\0on")));
        assert_eq!(features.current(), &map("old\0on"));
        features.receive(map("a\0on"));
        assert_eq!(features.current(), &map("a\0on"));
        assert_eq!(features.all(), map("a\0on\0c\0def"));
    }

    #[test]
    fn a_full_map_reports_exactly_the_changed_features() {
        let mut features = Features::new(map("gone\0def"));
        assert!(features.receive(map("same\0on\0turned\0on\0gone\0on\0lost\0on")).is_empty());
        let changed = features.receive(map("same\0on\0turned\0off\0new\0blue"));
        assert_eq!(changed, map("turned\0off\0new\0blue\0gone\0def\0lost\0off"));
        assert_eq!(features.current(), &map("same\0on\0turned\0off\0new\0blue"));
    }

    #[test]
    fn a_deleted_feature_is_also_removed_from_the_bootstrap() {
        let mut features = Features::default();
        features.reset(Some(map("a\0on")), None);
        features.receive(map("a\0on\0b\0on"));
        assert_eq!(features.patch(&map("a\0\0b\0on\0c\0\0")), map("a\0off"));
        assert_eq!(features.value("a"), "off");
        assert_eq!(features.current(), &map("b\0on"));
    }
}
