//! The demo's goals, as browsers would have sent them.

use std::collections::BTreeMap;

use flagservice_core::Key;

use crate::app::seed::demo::DemoGoal;
use crate::app::{App, Result, Write};
use crate::domain::goal::Goal;
use crate::domain::ids::EnvironmentId;
use crate::random;
use crate::store::resources::goals;

/// Records the goals, each reached by another user.
pub(super) async fn record(
    app: &App,
    write: &mut Write<'_>,
    environments: &BTreeMap<Key, EnvironmentId>,
    recorded: Vec<DemoGoal>,
) -> Result<()> {
    let now = app.now();
    for DemoGoal { key, environment_key, times, features } in recorded {
        let Some(environment) = environments.get(&environment_key) else { continue };
        for _ in 0..times {
            let id = random::uuid(&*app.random, now);
            let goal = Goal { user_id: format!("demo-{id}"), id, key: key.clone(), features: features.clone() };
            goals::insert(write.connection().await?, &[(environment, &goal)], now).await?;
        }
    }
    Ok(())
}
