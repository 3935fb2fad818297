//! Every target holds its invariants for its corpus, and for inputs that are made from it with a fixed seed.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "an error should fail the test")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use fastrand::Rng;
use flagservice_fuzz::{TARGETS, Target};

/// The limit of one input, in processor time, because wall-clock time depends on what else runs. The campaign, whose build is optimised,
/// allows a second.
const MAX_TIME: Duration = Duration::from_secs(20);

/// The unit in which Linux counts the time of a thread.
const TICK: Duration = Duration::from_millis(10);

/// Longest input of a corpus, in bytes.
const MAX_FILE: usize = 8 * 1024;

/// Most bytes of an input that a mutation adds.
const MAX_ADDED: usize = 8;

const SEED: u64 = 0x5eed;

fn target(name: &str) -> Target {
    *TARGETS.iter().find(|target| target.name == name).unwrap()
}

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no files", folder.display());
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// Checks an input. The output of a failed test shows the input that was checked last.
fn check(target: Target, input: &[u8]) {
    print!("{} ", input.escape_ascii());
    let started = processor_time();
    (target.check)(input);
    let took = processor_time() - started;
    assert!(took < MAX_TIME, "an input took {took:?} of processor time");
}

/// The processor time of this thread so far, with its system calls. Zero where there is no /proc, as on macOS.
fn processor_time() -> Duration {
    let Ok(stat) = fs::read_to_string("/proc/thread-self/stat") else { return Duration::ZERO };
    // The name of the program, in parentheses, may contain spaces.
    let (_, after_name) = stat.rsplit_once(')').unwrap();
    let ticks: u32 = after_name.split_whitespace().skip(11).take(2).map(|field| field.parse::<u32>().unwrap()).sum();
    TICK * ticks
}

fn replay(name: &str) {
    let (target, corpus) = (target(name), corpus(name));
    (target.prepare)();
    for input in &corpus {
        assert!(input.len() <= MAX_FILE, "a file of {} bytes", input.len());
        check(target, input);
    }
    let mut random = Rng::with_seed(SEED);
    for _ in 0..target.mutants {
        let mutant = mutated(&mut random, &corpus);
        check(target, &mutant);
    }
}

/// The beginning of one input and the end of another, with a few bytes changed, removed, repeated or added.
fn mutated(random: &mut Rng, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut input = random.choice(corpus).unwrap().clone();
    if random.u8(..) < 64 {
        let other = random.choice(corpus).unwrap();
        input.truncate(random.usize(..=input.len()));
        input.extend(&other[random.usize(..=other.len())..]);
    }
    for _ in 0..random.usize(1..=4) {
        let place = random.usize(..=input.len());
        let end = input.len().min(place + random.usize(1..=MAX_ADDED));
        match random.u8(..4) {
            0 if place < input.len() => input[place] ^= 1 << random.u8(..8),
            1 => drop(input.drain(place..end)),
            2 => input.splice(place..place, input[place..end].to_vec()).for_each(drop),
            _ => input.insert(place, random.u8(..)),
        }
    }
    input
}

macro_rules! targets {
    ($($test:ident: $name:literal;)+) => {
        $(
            #[test]
            fn $test() {
                replay($name);
            }
        )+

        #[test]
        fn each_target_has_a_test() {
            let tested = [$($name),+];
            assert_eq!(TARGETS.map(|target| target.name), tested);
        }
    };
}

targets! {
    rules_are_printed_as_they_are_read_and_every_way_to_evaluate_agrees: "rules";
    every_targeting_serves_a_variant_that_it_names_until_its_next_turn: "targeting";
    a_pattern_stays_within_its_budget_and_finds_the_same_each_time: "pattern";
    what_strict_reading_accepts_is_read_as_serde_json_reads_it: "json";
    versions_have_an_order_and_client_and_server_agree_on_it: "since";
    a_stream_token_opens_only_what_was_sealed: "stream-token";
    a_forged_forwarded_address_changes_nothing: "forwarded";
    a_session_never_goes_back_and_tells_of_each_change: "session";
    each_place_of_a_list_has_one_cursor: "cursor";
    no_request_makes_the_service_fail: "request";
    a_document_is_imported_or_says_what_is_wrong: "import";
    names_cannot_forge_lines_or_links: "annotation";
}
