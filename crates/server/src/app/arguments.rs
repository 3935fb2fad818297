//! Arguments that several operations take: where a resource is, and an edit of it.

/// An environment, by the keys in its path.
#[derive(Clone, Copy)]
pub struct EnvironmentRef<'a> {
    /// The key of the project.
    pub project: &'a str,
    /// The key of the environment.
    pub environment: &'a str,
}

/// The targeting of a feature in an environment, by the keys in its path.
#[derive(Clone, Copy)]
pub struct TargetingRef<'a> {
    /// The key of the project.
    pub project: &'a str,
    /// The key of the feature.
    pub feature: &'a str,
    /// The key of the environment.
    pub environment: &'a str,
}

/// The revisions that the caller has read, one of which must be the current one. None: the last write wins.
pub type IfMatch = Option<Vec<u64>>;

/// An edit of a resource.
#[derive(Clone)]
pub struct Edit<T> {
    /// The fields to change.
    pub fields: T,
    /// The edit fails if the resource has another revision.
    pub if_match: IfMatch,
}
