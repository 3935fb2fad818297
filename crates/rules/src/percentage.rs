//! Percentages in steps of 0.001%.

use core::fmt;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// 0% to 100%, exact to three decimals. Serialised as the shortest number: `50`, `33.333`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Percentage(u32);

/// A number that is not a percentage: outside 0 to 100, or with more than three decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidPercentage;

impl fmt::Display for InvalidPercentage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a percentage is a number from 0 to 100 with at most 3 decimals, such as 33.333")
    }
}

impl core::error::Error for InvalidPercentage {}

impl Percentage {
    /// All users.
    pub const HUNDRED: Self = Self(100_000);

    /// Converts thousandths of a percent, 0 to 100,000.
    ///
    /// # Errors
    /// More than 100,000.
    pub fn from_thousandths(thousandths: u32) -> Result<Self, InvalidPercentage> {
        if thousandths > Self::HUNDRED.0 {
            return Err(InvalidPercentage);
        }
        Ok(Self(thousandths))
    }

    /// In thousandths of a percent, 0 to 100,000.
    pub fn thousandths(self) -> u32 {
        self.0
    }
}

impl TryFrom<f64> for Percentage {
    type Error = InvalidPercentage;

    fn try_from(number: f64) -> Result<Self, InvalidPercentage> {
        if !(0.0..=100.0).contains(&number) {
            return Err(InvalidPercentage);
        }
        let thousandths = (number * 1000.0).round();
        // Like parsing, division rounds to the float nearest to the three decimals.
        if thousandths / 1000.0 != number {
            return Err(InvalidPercentage);
        }
        Ok(Self(thousandths as u32))
    }
}

impl fmt::Display for Percentage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Thousandths(self.0))
    }
}

/// Thousandths, displayed as a decimal without trailing zeros. Sums of percentages may exceed 100.
pub(crate) struct Thousandths(pub(crate) u32);

impl fmt::Display for Thousandths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, thousandths) = (self.0 / 1000, self.0 % 1000);
        if thousandths == 0 {
            return write!(f, "{whole}");
        }
        let decimals = format!("{thousandths:03}");
        write!(f, "{whole}.{}", decimals.trim_end_matches('0'))
    }
}

impl Serialize for Percentage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(1000) {
            serializer.serialize_u32(self.0 / 1000)
        } else {
            serializer.serialize_f64(f64::from(self.0) / 1000.0)
        }
    }
}

impl<'de> Deserialize<'de> for Percentage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PercentageVisitor)
    }
}

struct PercentageVisitor;

impl Visitor<'_> for PercentageVisitor {
    type Value = Percentage;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a percentage: a number from 0 to 100 with at most 3 decimals, such as 33.333")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Percentage, E> {
        let whole = u32::try_from(number).ok().and_then(|number| number.checked_mul(1000));
        whole.ok_or(InvalidPercentage).and_then(Percentage::from_thousandths).map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Percentage, E> {
        u64::try_from(number).map_err(|_| E::custom(InvalidPercentage)).and_then(|number| self.visit_u64(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Percentage, E> {
        Percentage::try_from(number).map_err(E::custom)
    }
}
