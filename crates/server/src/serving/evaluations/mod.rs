//! What pages have evaluated, counted in memory until it is kept: the summaries of some seconds become one. They are estimates, so a
//! crash may lose some.

pub mod pending;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::domain::experiments::participation::ClientReport;
use crate::domain::ids::EnvironmentId;
use crate::domain::insights::{ClientKind, EvaluationSummary, Evaluations};
use crate::error::AppError;
use crate::random;
use crate::serving::Serving;

/// How long counts stay in memory.
const INTERVAL: Duration = Duration::from_secs(10);

/// Whether the page whose load is answered now is to report what it evaluates. Then this returns the percentage of such pages.
pub fn draw(serving: &Serving) -> Option<u8> {
    let percent = serving.limits().insights_percent;
    (percent > 0 && below(serving, 100) < u64::from(percent)).then_some(percent)
}

/// Counts what a page has evaluated: the variant of each feature. It stands for as many pages as were not asked.
pub fn count_page(serving: &Arc<Serving>, environment: &EnvironmentId, variants: BTreeMap<String, String>) {
    let Some(published) = serving.snapshots.current(environment) else { return };
    let pages = pages_of(serving);
    if pages == 0 {
        return;
    }
    let exists = |(feature, variant): &(String, String)| published.snapshot.has(feature, variant);
    let counts =
        variants.into_iter().filter(exists).map(|(feature, variant)| (feature, BTreeMap::from([(variant, pages)])));
    let counts: Evaluations = counts.collect();
    if !counts.is_empty() && serving.evaluations.add(environment.clone(), counts) {
        let serving = Arc::clone(serving);
        tokio::spawn(async move {
            while serving.evaluations.stays_scheduled() {
                serving.clock.sleep(INTERVAL).await;
                keep(&serving).await;
            }
        });
    }
}

/// How many pages one summary stands for: 100 / percentage, where a fraction is the probability of one more. 0: none was asked.
fn pages_of(serving: &Serving) -> u64 {
    let percent = u64::from(serving.limits().insights_percent);
    let (Some(whole), Some(rest)) = (100_u64.checked_div(percent), 100_u64.checked_rem(percent)) else { return 0 };
    whole + u64::from(below(serving, percent) < rest)
}

/// A random number below a small one.
fn below(serving: &Serving, limit: u64) -> u64 {
    u64::from_be_bytes(random::bytes(&*serving.random)).checked_rem(limit).unwrap_or_default()
}

/// Stores what was counted. If that fails, the next time stores it.
pub async fn keep(serving: &Serving) {
    let taken = serving.evaluations.take();
    for (environment, evaluations) in taken {
        let now = serving.now();
        let id = random::uuid(&*serving.random, now);
        let summary = EvaluationSummary { id, client: ClientKind::Browser, at: now, evaluations: evaluations.clone() };
        let report = ClientReport { summaries: vec![summary], ..ClientReport::default() };
        match serving.keep_report(environment.clone(), report).await {
            // The environment was deleted a moment ago.
            Ok(_) | Err(AppError::UnknownClientKey) => {}
            Err(error) => {
                tracing::warn!(%error, "what pages have evaluated cannot be stored now");
                serving.evaluations.put_back(environment, evaluations);
            }
        }
    }
}
