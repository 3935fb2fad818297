"""What scipy says of the tables in a file: the same numbers as crates/statistics/examples/tables.rs, from other formulas.

The boundary is Howard's normal mixture (Annals of Statistics 49, 2021, Proposition 5), tuned with Lambert's function (Proposition 3). The
Bayes factor is the ratio of scipy's Dirichlet-multinomial and multinomial probabilities. The participants that are needed are the root of
the half width, found by Brent's method.
"""

import math
import sys

from scipy.optimize import brentq
from scipy.special import expit, lambertw, logit
from scipy.stats import dirichlet_multinomial, multinomial

MINIMUM = 10
CONCENTRATION = 1000.0
NEVER = 2.0**53


def half_width(planned, error, participants, variance):
    rho = planned / (-lambertw(-(error**2) / math.e, -1).real - 1)
    bound_of_sum = math.sqrt((participants + rho) * math.log((participants + rho) / (rho * error**2)))
    return math.sqrt(variance) * bound_of_sum / participants


def variance_of(participants, conversions):
    rate = (conversions + 1) / (participants + 2)
    return rate * (1 - rate)


def difference(planned, error, control, variant):
    estimate = variant[1] / variant[0] - control[1] / control[0]
    if any(min(conversions, participants - conversions) < MINIMUM for participants, conversions in (control, variant)):
        return estimate, -1.0, 1.0
    half = half_width(planned, error, control[0] + variant[0], variance(control, variant))
    return estimate, max(estimate - half, -1.0), min(estimate + half, 1.0)


def variance(control, variant):
    return (control[0] + variant[0]) * sum(variance_of(*arm) / arm[0] for arm in (control, variant))


def needed(planned, error, control, variant, effect):
    seen = control[0] + variant[0]
    rarer = [min(conversions, participants - conversions) for participants, conversions in (control, variant)]
    if min(rarer) == 0:
        return -1.0
    excess = lambda participants: half_width(planned, error, participants, variance(control, variant)) - effect
    if excess(NEVER) > 0:
        return -1.0
    narrow = 1.0 if excess(1.0) <= 0 else math.ceil(brentq(excess, 1.0, NEVER, xtol=1e-6, rtol=1e-15, maxiter=1000))
    return max(0.0, max([narrow, *(math.ceil(MINIMUM * seen / count) for count in rarer)]) - seen)


def split(weights, participants, prior):
    shares = [weight / sum(weights) for weight in weights]
    total = sum(participants)
    alternative = dirichlet_multinomial.logpmf(participants, [CONCENTRATION * share for share in shares], total)
    factor = alternative - multinomial.logpmf(participants, total, shares)
    return factor, min(1.0, math.exp(-factor)), expit(factor + logit(prior))


for line in open(sys.argv[1]):
    numbers = [float(word) for word in line.split()]
    planned, error, effect, prior = numbers[0], numbers[1], numbers[6], numbers[13]
    control, variant = numbers[2:4], numbers[4:6]
    results = [
        *difference(planned, error, control, variant),
        needed(planned, error, control, variant, effect),
        *split(numbers[7:10], [int(count) for count in numbers[10:13]], prior),
    ]
    print(" ".join(repr(float(result)) for result in results))
