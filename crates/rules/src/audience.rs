//! Where the conditions of saved audiences come from.

use crate::{Condition, Key};
use std::collections::{BTreeMap, HashMap};

/// The saved audiences that rules of one environment can name.
pub trait Audiences {
    /// The conditions of an audience; `None` when there is no such audience.
    fn conditions(&self, key: &Key) -> Option<&[Condition]>;
}

impl Audiences for BTreeMap<Key, Vec<Condition>> {
    fn conditions(&self, key: &Key) -> Option<&[Condition]> {
        self.get(key).map(Vec::as_slice)
    }
}

impl Audiences for HashMap<Key, Vec<Condition>> {
    fn conditions(&self, key: &Key) -> Option<&[Condition]> {
        self.get(key).map(Vec::as_slice)
    }
}
