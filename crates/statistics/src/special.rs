//! The gamma function.

/// From here on the series below is accurate to the last digits of an `f64`: its first omitted term is below 1e-16.
const ASYMPTOTIC_FROM: f64 = 15.0;

/// Bernoulli numbers B(2k) / (2k (2k - 1)) for k = 1 to 7, the coefficients of x^(1 - 2k) in Stirling's series.
const COEFFICIENTS: [f64; 7] =
    [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0, 1.0 / 156.0];

/// The natural logarithm of the gamma function, for x > 0; `NAN` for anything else.
///
/// NIST Digital Library of Mathematical Functions, 5.11.1 (Stirling's series) and 5.5.1 (Γ(x + 1) = x Γ(x)), which moves a
/// small argument to where the series is accurate. Also Abramowitz and Stegun 6.1.41 and 6.1.15.
pub fn ln_gamma(x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return f64::NAN;
    }
    let (mut shifted, mut product) = (x, 1.0);
    while shifted < ASYMPTOTIC_FROM {
        product *= shifted;
        shifted += 1.0;
    }
    let inverse_square = 1.0 / (shifted * shifted);
    let series = COEFFICIENTS.iter().rev().fold(0.0, |sum, coefficient| sum * inverse_square + coefficient) / shifted;
    let half_ln_two_pi = 0.5 * std::f64::consts::TAU.ln();
    (shifted - 0.5) * shifted.ln() - shifted + half_ln_two_pi + series - product.ln()
}
