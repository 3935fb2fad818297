//! How long to wait after a failure: exponential with full jitter, so that many clients come back spread over time.

/// The longest wait after the first failure, in milliseconds.
const FIRST_MS: f64 = 1_000.0;

/// The longest wait of all, in milliseconds.
const LONGEST_MS: f64 = 30_000.0;

/// Milliseconds to wait after the given number of failures in a row, for a random number from 0 to below 1.
pub fn backoff(failures: u32, random: f64) -> u32 {
    let mut limit = FIRST_MS;
    for _ in 1..failures.min(6) {
        limit *= 2.0;
    }
    (limit.min(LONGEST_MS) * random) as u32
}

#[cfg(test)]
mod tests {
    use super::backoff;

    #[test]
    fn the_limit_doubles_from_one_second_to_thirty() {
        let almost_one = 1.0 - f64::EPSILON;
        let limits: Vec<u32> = (1..=8).map(|failures| backoff(failures, almost_one).div_ceil(1_000)).collect();
        assert_eq!(limits, [1, 2, 4, 8, 16, 30, 30, 30]);
        assert_eq!(backoff(u32::MAX, almost_one).div_ceil(1_000), 30);
    }

    #[test]
    fn the_whole_wait_is_jitter() {
        assert_eq!(backoff(5, 0.0), 0);
        assert_eq!(backoff(5, 0.5), 8_000);
    }
}
