-- Experiments of a feature in an environment. An earlier release neither reads nor writes them; the rows of an environment or a feature
-- that it deletes go with it.

CREATE TABLE experiments (
    id TEXT PRIMARY KEY,
    environment_id TEXT NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
    feature_id TEXT NOT NULL REFERENCES features (id) ON DELETE CASCADE,
    audience_id TEXT REFERENCES audiences (id) ON DELETE SET NULL,
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    -- What is measured, as JSON: goals with role and direction, control, planned length and number of participants.
    design TEXT NOT NULL,
    state TEXT NOT NULL,
    -- Of one that was started: its number in the tables of participants, their sealed key, and the run as JSON.
    number BIGINT UNIQUE,
    participant_key TEXT,
    run TEXT,
    -- The guards that tripped, as JSON.
    guard_trips TEXT NOT NULL DEFAULT '[]',
    -- Of one that was stopped: when, and the decision as JSON.
    stopped_at BIGINT,
    decision TEXT,
    revision BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (environment_id, key)
);
CREATE UNIQUE INDEX experiments_one_running ON experiments (environment_id, feature_id) WHERE state = 'running';
CREATE INDEX experiments_of_feature ON experiments (feature_id);
CREATE INDEX experiments_of_audience ON experiments (audience_id);

-- How many took part for the first time on a day (since 1970, in UTC), and how many of the participants with this variant were given
-- another one for the first time. `variant` is the place among the variants of the run.
CREATE TABLE experiment_days (
    experiment BIGINT NOT NULL REFERENCES experiments (number) ON DELETE CASCADE,
    day BIGINT NOT NULL,
    variant BIGINT NOT NULL,
    participants BIGINT NOT NULL,
    crossovers BIGINT NOT NULL,
    PRIMARY KEY (experiment, day, variant)
);

-- How many participants reached a goal for the first time on a day, and how often it was reached. `goal` is the place among the goals.
CREATE TABLE experiment_goal_days (
    experiment BIGINT NOT NULL REFERENCES experiments (number) ON DELETE CASCADE,
    day BIGINT NOT NULL,
    variant BIGINT NOT NULL,
    goal BIGINT NOT NULL,
    participants BIGINT NOT NULL,
    times BIGINT NOT NULL,
    PRIMARY KEY (experiment, day, variant, goal)
);
