//! The variants that every feature has by default.

/// The variant for which `isOn()` is true.
pub const ON: &str = "on";

/// The variant for which `isOff()` is true, and the value of an unknown feature.
pub const OFF: &str = "off";
