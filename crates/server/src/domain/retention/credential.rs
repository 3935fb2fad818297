//! People, their tokens, and keys, as a restore lists them.

/// A person, or a token or key that works.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Credential {
    /// [`PERSON`], [`TOKEN`], [`EDGE_KEY`], `client key` or `server key`.
    pub kind: String,
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The role of a person, the person of a token, the environment of a key, the project of an edge key.
    pub of: String,
}

/// The kind of people.
pub const PERSON: &str = "person";

/// The kind of personal access tokens.
pub const TOKEN: &str = "token";

/// The kind of edge keys.
pub const EDGE_KEY: &str = "edge key";
