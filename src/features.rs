//! What is known of one user's features, from which source, and what differs when the service says something new.

use flagservice_core::fallback;
use flagservice_core::variant::OFF;

use crate::variants::Variants;

/// The sources of one user's features.
#[derive(Debug, Default)]
pub struct Features {
    received: Option<Variants>,
    bootstrap: Option<Variants>,
    cached: Option<Variants>,
    defaults: Variants,
}

/// New variants of some features; `None` for a feature that is gone.
pub type Changes = Vec<(String, Option<String>)>;

impl Features {
    /// What is known before anything was received. With a bootstrap the cache is not asked.
    pub fn new(bootstrap: Option<Variants>, cached: Option<Variants>, defaults: Variants) -> Self {
        let cached = if bootstrap.is_some() { None } else { cached };
        Self { received: None, bootstrap, cached, defaults }
    }

    /// Forgets the user: only the defaults stay, and what the cache knows of the next one.
    pub fn change_user(&mut self, cached: Option<Variants>) {
        self.received = None;
        self.bootstrap = None;
        self.cached = cached;
    }

    /// The value of one feature, by the fallback.
    pub fn value(&self, key: &str) -> &str {
        fallback(find(&self.received, key), find(&self.bootstrap, key), find(&self.cached, key), self.defaults.get(key))
    }

    /// The evaluated features in force: as received, else as bootstrapped, else as cached, else the defaults.
    pub fn in_force(&self) -> &Variants {
        [&self.received, &self.bootstrap, &self.cached].into_iter().flatten().next().unwrap_or(&self.defaults)
    }

    /// Every feature that any source knows, each with its value.
    pub fn all(&self) -> Variants {
        let mut all = self.defaults.clone();
        for source in [&self.cached, &self.bootstrap, &self.received].into_iter().flatten() {
            for (key, variant) in source.iter() {
                all.set(key, variant);
            }
        }
        all
    }

    /// Whether the cache knew this user.
    pub fn has_cached(&self) -> bool {
        self.cached.is_some()
    }

    /// Takes the service's full map, which replaces what it said before, and returns what differs from that.
    pub fn receive(&mut self, variants: Variants) -> Variants {
        let mut changes = Changes::new();
        if let Some(before) = &self.received {
            for (key, _) in before.iter() {
                if variants.get(key).is_none() {
                    changes.push((key.to_owned(), None));
                }
            }
            for (key, variant) in variants.iter() {
                changes.push((key.to_owned(), Some(variant.to_owned())));
            }
            self.patch(changes)
        } else {
            // From here on the cache holds what was received.
            self.cached = None;
            self.received = Some(variants);
            Variants::default()
        }
    }

    /// Takes changes of some features and returns those that make a difference, each with its value now.
    pub fn patch(&mut self, changes: Changes) -> Variants {
        let mut moved = Variants::default();
        let Some(received) = &mut self.received else { return moved };
        for (key, variant) in changes {
            if received.get(&key) == variant.as_deref() {
                continue;
            }
            match variant {
                Some(variant) => {
                    received.set(&key, &variant);
                    moved.set(&key, &variant);
                }
                None => {
                    // The service took it away: an older bootstrap must not bring it back.
                    received.remove(&key);
                    if let Some(bootstrap) = &mut self.bootstrap {
                        bootstrap.remove(&key);
                    }
                    moved.set(&key, self.defaults.get(&key).unwrap_or(OFF));
                }
            }
        }
        moved
    }
}

fn find<'a>(source: &'a Option<Variants>, key: &str) -> Option<&'a str> {
    source.as_ref()?.get(key)
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
        let mut features = Features::new(Some(map("a\0boot\0b\0boot")), Some(map("e\0cache")), map("b\0def\0c\0def"));
        assert_eq!(features.value("a"), "boot");
        assert_eq!(features.value("c"), "def");
        assert_eq!(features.value("e"), "off", "with a bootstrap the cache is not asked");
        features.receive(map("a\0on"));
        assert_eq!(features.value("a"), "on");
        assert_eq!(features.value("b"), "boot", "the fallback holds online for a key that the service did not send");
        assert_eq!(features.value("d"), "off");
    }

    #[test]
    fn a_cached_value_comes_before_a_default() {
        let features = Features::new(None, Some(map("a\0cache")), map("a\0def\0b\0def"));
        assert_eq!(features.value("a"), "cache");
        assert_eq!(features.value("b"), "def");
    }

    #[test]
    fn another_user_gets_nothing_of_the_one_before() {
        let mut features = Features::new(Some(map("a\0boot")), None, map("c\0def"));
        features.receive(map("b\0on"));
        features.change_user(Some(map("d\0cache")));
        assert_eq!(features.all(), map("c\0def\0d\0cache"));
    }

    #[test]
    fn the_features_in_force_are_those_received_alone() {
        let mut features = Features::new(None, Some(map("old\0on")), map("c\0def"));
        assert_eq!(features.in_force(), &map("old\0on"));
        features.receive(map("a\0on"));
        assert_eq!(features.in_force(), &map("a\0on"));
        assert_eq!(features.all(), map("a\0on\0c\0def"));
        assert_eq!(Features::new(None, None, map("c\0def")).in_force(), &map("c\0def"));
    }

    #[test]
    fn a_full_map_names_exactly_the_features_that_differ() {
        let mut features = Features::new(None, None, map("gone\0def"));
        assert!(features.receive(map("same\0on\0turned\0on\0gone\0on\0lost\0on")).is_empty());
        let moved = features.receive(map("same\0on\0turned\0off\0new\0blue"));
        assert_eq!(moved, map("turned\0off\0new\0blue\0gone\0def\0lost\0off"));
        assert_eq!(features.in_force(), &map("same\0on\0turned\0off\0new\0blue"));
    }

    #[test]
    fn a_deleted_feature_disappears_also_from_the_bootstrap() {
        let mut features = Features::new(Some(map("a\0on")), None, Variants::default());
        features.receive(map("a\0on\0b\0on"));
        let moved = features.patch(vec![("a".into(), None), ("b".into(), Some("on".into())), ("c".into(), None)]);
        assert_eq!(moved, map("a\0off"));
        assert_eq!(features.value("a"), "off");
        assert_eq!(features.in_force(), &map("b\0on"));
    }
}
