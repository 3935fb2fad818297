//! The reconnect delay: exponential backoff with full jitter, so that many clients do not reconnect at the same time.

/// Upper limit of the delay after the first failure, in milliseconds.
const FIRST_LIMIT_MS: f64 = 1_000.0;

/// Upper limit of every delay, in milliseconds.
const MAX_DELAY_MS: f64 = 30_000.0;

/// Delay in milliseconds after this many consecutive failures. `random` is from 0 to below 1.
pub fn backoff(failures: u32, random: f64) -> u32 {
    let mut limit = FIRST_LIMIT_MS;
    for _ in 1..failures.min(6) {
        limit *= 2.0;
    }
    (limit.min(MAX_DELAY_MS) * random) as u32
}

#[cfg(test)]
mod tests {
    use super::backoff;

    #[test]
    fn the_limit_doubles_from_one_second_up_to_thirty() {
        let almost_one = 1.0 - f64::EPSILON;
        let limits: Vec<u32> = (1..=8).map(|failures| backoff(failures, almost_one).div_ceil(1_000)).collect();
        assert_eq!(limits, [1, 2, 4, 8, 16, 30, 30, 30]);
        assert_eq!(backoff(u32::MAX, almost_one).div_ceil(1_000), 30);
    }

    #[test]
    fn the_delay_ranges_from_zero_to_the_limit() {
        assert_eq!(backoff(5, 0.0), 0);
        assert_eq!(backoff(5, 0.5), 8_000);
    }
}
