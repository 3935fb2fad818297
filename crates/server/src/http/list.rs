//! The shape of answers that list things.

use serde::Serialize;

/// A list.
#[derive(Serialize)]
pub struct List<T> {
    /// In the resource's order.
    pub items: Vec<T>,
}

impl<T> List<T> {
    /// A list of the views of things.
    pub fn of<U>(things: impl IntoIterator<Item = U>, view: impl Fn(U) -> T) -> Self {
        Self {
            items: things.into_iter().map(view).collect(),
        }
    }
}
