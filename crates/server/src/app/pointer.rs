//! JSON pointers (RFC 6901): the place in a document that an error is about.

use std::fmt::Display;

use flagservice_rules::Violation;
use serde_path_to_error::{Path, Segment};

/// The pointer of a place that could not be read.
pub fn of(path: &Path) -> String {
    let mut pointer = String::new();
    for segment in path {
        pointer = match segment {
            Segment::Seq { index } => under(&pointer, index),
            Segment::Map { key } => under(&pointer, key),
            Segment::Enum { variant } => under(&pointer, variant),
            Segment::Unknown => continue,
        };
    }
    pointer
}

/// The pointer of what has this key or index within the enclosing place.
pub fn under(enclosing: &str, part: impl Display) -> String {
    format!("{enclosing}/{}", part.to_string().replace('~', "~0").replace('/', "~1"))
}

/// The same violation, of something that stands within the enclosing place.
pub(super) fn violation_under(enclosing: &str, violation: Violation) -> Violation {
    Violation { pointer: format!("{enclosing}{}", violation.pointer), detail: violation.detail }
}
