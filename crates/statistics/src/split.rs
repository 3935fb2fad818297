//! Whether participants were split as intended.

use crate::special::ln_gamma;

/// The default concentration of the prior. Larger values find small deviations sooner and large ones later.
pub const CONCENTRATION: f64 = 1_000.0;

/// A sequential test of whether participants were split as intended: of sample ratio mismatch.
///
/// Lindon and Malek, "Anytime-valid inference for multinomial count data", NeurIPS 2022, arXiv:2011.03567. The null
/// hypothesis is the intended split θ. The alternative draws the split from a Dirichlet distribution with mean θ and the
/// parameters a = concentration · θ. With the counts c of n participants the Bayes factor is
///
/// ```text
/// Γ(Σa) / Γ(Σa + n) · Π Γ(aᵢ + cᵢ) / Γ(aᵢ) / Π θᵢ^cᵢ
/// ```
///
/// Under the null hypothesis it is a martingale that begins with 1, so by Ville's inequality the probability that it ever
/// reaches 1 / p is at most p. The smallest inverse so far is therefore a p-value at any time.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitTest {
    shares: Vec<f64>,
    concentration: f64,
    p_value: f64,
}

impl SplitTest {
    /// A test of a split by these weights, such as `[50.0, 50.0]`; `None` unless there are two or more, all above 0.
    ///
    /// Leave out variants with the weight 0: one participant there shows that the split is broken.
    pub fn new(weights: &[f64]) -> Option<Self> {
        Self::with_concentration(weights, CONCENTRATION)
    }

    /// Like [`SplitTest::new`], with another concentration above 0. Choose it before the experiment begins.
    pub fn with_concentration(weights: &[f64], concentration: f64) -> Option<Self> {
        let is_positive = |value: f64| value > 0.0 && value.is_finite();
        let sum: f64 = weights.iter().sum();
        let is_valid = weights.len() >= 2 && weights.iter().all(|&weight| is_positive(weight)) && sum.is_finite();
        let shares = weights.iter().map(|weight| weight / sum).collect();
        (is_valid && is_positive(concentration)).then_some(Self { shares, concentration, p_value: 1.0 })
    }

    /// Continues from the p-value of earlier looks, where only that was kept. A value outside [0, 1] changes nothing.
    #[must_use]
    pub fn resume(mut self, p_value: f64) -> Self {
        if (0.0..=1.0).contains(&p_value) {
            self.p_value = self.p_value.min(p_value);
        }
        self
    }

    /// Looks at the participants so far, in the order of the weights, and returns the p-value; `None` if their number differs.
    pub fn look(&mut self, participants: &[u64]) -> Option<f64> {
        let factor = self.ln_bayes_factor(participants)?;
        self.p_value = self.p_value.min((-factor).exp());
        Some(self.p_value)
    }

    /// The p-value of all looks so far: 1 before the first, and never rising.
    pub fn p_value(&self) -> f64 {
        self.p_value
    }

    /// The logarithm of the Bayes factor against the intended split; `None` if there is not one count for each weight.
    pub fn ln_bayes_factor(&self, participants: &[u64]) -> Option<f64> {
        if participants.len() != self.shares.len() {
            return None;
        }
        let total: f64 = participants.iter().map(|&count| count as f64).sum();
        let of_variant = |(&share, &count): (&f64, &u64)| {
            let (prior, count) = (self.concentration * share, count as f64);
            ln_gamma(prior + count) - ln_gamma(prior) - count * share.ln()
        };
        let variants: f64 = self.shares.iter().zip(participants).map(of_variant).sum();
        Some(ln_gamma(self.concentration) - ln_gamma(self.concentration + total) + variants)
    }
}

/// The probability that the split is broken, if it was `prior` before the experiment, by Bayes' theorem.
///
/// Unlike the p-value it depends on the prior, and it may fall again.
pub fn probability_broken(ln_bayes_factor: f64, prior: f64) -> f64 {
    let prior = prior.clamp(0.0, 1.0);
    if prior == 0.0 || prior == 1.0 {
        return prior;
    }
    let ln_odds = ln_bayes_factor + prior.ln() - (1.0 - prior).ln();
    1.0 / (1.0 + (-ln_odds).exp())
}
