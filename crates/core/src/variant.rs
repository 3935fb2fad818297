//! The two variants that any feature has unless it names its own.

/// The variant that `isOn()` asks for.
pub const ON: &str = "on";

/// The variant that `isOff()` asks for, and the value of a feature that nothing is known of.
pub const OFF: &str = "off";
