//! Calculates what the crate says of the tables in a file, a line each, so that another implementation can be compared.
//!
//! A line has 14 numbers: the plan and the error; participants and conversions of control and variant; an effect; three weights of a
//! split and the participants of each; the prior of a broken split. Results are on one line: estimate, lower, upper, participants still
//! needed (-1 for never), the logarithm of the Bayes factor, the p-value, the probability of a broken split.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what cannot be read should end the program")]
#![expect(clippy::print_stdout, reason = "this is its output")]

use flagservice_statistics::{Arm, Sequence, SplitTest, probability_broken};

fn main() {
    let file = std::env::args().nth(1).unwrap();
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let real = |place: usize| words[place].parse::<f64>().unwrap();
        let count = |place: usize| words[place].parse::<u64>().unwrap();
        let sequence = Sequence::new(count(0), real(1)).unwrap();
        let (control, variant) = (Arm::new(count(2), count(3)).unwrap(), Arm::new(count(4), count(5)).unwrap());
        let difference = sequence.difference(control, variant);
        let needed = sequence.needed(control, variant, real(6)).map_or(-1.0, |needed| needed.participants as f64);
        let mut split = SplitTest::new(&[real(7), real(8), real(9)]).unwrap();
        let participants = [count(10), count(11), count(12)];
        let factor = split.ln_bayes_factor(&participants).unwrap();
        let p_value = split.look(&participants).unwrap();
        let broken = probability_broken(factor, real(13));
        let estimate = difference.estimate.unwrap();
        println!(
            "{estimate:e} {:e} {:e} {needed:e} {factor:e} {p_value:e} {broken:e}",
            difference.lower, difference.upper
        );
    }
}
