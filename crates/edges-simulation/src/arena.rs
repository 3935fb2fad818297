//! A list whose items are named by their places.

use std::ops::{Index, IndexMut};

/// The items.
pub struct Arena<T>(Vec<T>);

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Arena<T> {
    /// Adds an item, and returns its place.
    pub fn add(&mut self, item: T) -> u32 {
        self.0.push(item);
        (self.0.len() - 1) as u32
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.0.len() as u32
    }
}

#[expect(clippy::indexing_slicing, reason = "places come from the arena itself")]
impl<T> Index<u32> for Arena<T> {
    type Output = T;

    fn index(&self, place: u32) -> &T {
        &self.0[place as usize]
    }
}

#[expect(clippy::indexing_slicing, reason = "places come from the arena itself")]
impl<T> IndexMut<u32> for Arena<T> {
    fn index_mut(&mut self, place: u32) -> &mut T {
        &mut self.0[place as usize]
    }
}
