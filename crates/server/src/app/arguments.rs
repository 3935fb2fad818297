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

/// An edit of a resource.
pub struct Edit<T> {
    /// The fields to change.
    pub fields: T,
    /// The revision that the caller read: the edit fails if the resource has another one. None: the last write wins.
    pub if_match: Option<u64>,
}
