//! Looks up the conditions of saved audiences.

use crate::{Condition, Key};
use std::collections::{BTreeMap, HashMap};

/// The saved audiences that rules of one environment can use.
pub trait Audiences {
    /// The conditions of an audience; `None` if it does not exist.
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
