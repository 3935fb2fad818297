//! The boundary that a mean stays within at all looks.

/// Steps of the fixed-point iteration in [`Boundary::tuned`]: each makes the error at least three times smaller.
const STEPS: u32 = 60;

/// The two-sided Gaussian mixture boundary for a mean, also called Robbins' boundary.
///
/// After n observations with variance V the half width of the confidence sequence is
///
/// ```text
/// sqrt( V (n ρ² + 1) / (n² ρ²) · ln((n ρ² + 1) / α²) )
/// ```
///
/// This is the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central
/// limit theory and asymptotic confidence sequences", Annals of Statistics 52 (2024), arXiv:2103.06476, section 2. With
/// ρ² = V r² it is the form in which the variance is part of the mixture,
///
/// ```text
/// sqrt( 2 (n V r² + 1) / (n² r²) · ln(sqrt(n V r² + 1) / α) )
/// ```
///
/// Here ρ² is for observations of variance 1, so it does not depend on what is observed.
///
/// The boundary itself is from Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of
/// Mathematical Statistics 41 (1970). `1 / ρ²` is the ρ of Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform,
/// nonparametric, nonasymptotic confidence sequences", Annals of Statistics 49 (2021), Proposition 5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boundary {
    rho_squared: f64,
    error: f64,
}

impl Boundary {
    /// A boundary with this ρ² above 0 and this probability of ever being crossed: α, above 0 and below 0.5.
    pub fn new(rho_squared: f64, error: f64) -> Option<Self> {
        let is_valid = rho_squared > 0.0 && rho_squared.is_finite() && error > 0.0 && error < 0.5;
        is_valid.then_some(Self { rho_squared, error })
    }

    /// The boundary that is tightest after `planned` observations.
    ///
    /// With x = n ρ² the half width is least where its derivative by ρ² is 0: x = ln((x + 1) / α²). The right side has a
    /// slope of 1 / (x + 1), so the iteration converges. With Lambert's function the solution is
    /// x = -W₋₁(-α² / e) - 1, as in Howard et al., Proposition 3.
    pub fn tuned(planned: u64, error: f64) -> Option<Self> {
        let mut x = 2.0;
        for _ in 0..STEPS {
            x = (x + 1.0_f64).ln() - 2.0 * error.ln();
        }
        if planned == 0 { None } else { Self::new(x / planned as f64, error) }
    }

    /// ρ²: the larger, the earlier the boundary is tightest.
    pub fn rho_squared(&self) -> f64 {
        self.rho_squared
    }

    /// Half the width of the interval after `observations` with this variance; infinite before the first.
    pub fn half_width(&self, observations: f64, variance: f64) -> f64 {
        if observations <= 0.0 {
            return f64::INFINITY;
        }
        let x = observations * self.rho_squared;
        let logarithm = (x + 1.0).ln() - 2.0 * self.error.ln();
        (variance / observations * (x + 1.0) / x * logarithm).sqrt()
    }
}
