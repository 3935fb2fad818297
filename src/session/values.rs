//! What the service sends about a user.

use crate::variants::Variants;

/// All values of a user, or changes of some.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// The variant of each feature.
    pub features: Variants,
    /// The features for which an experiment runs in which the user takes part, by their index. `None`: there are none, or in changes, they
    /// are the same.
    pub experiments: Option<Variants>,
}
