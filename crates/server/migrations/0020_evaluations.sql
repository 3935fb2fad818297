-- How often features were evaluated, by hour and by day (in UTC, in milliseconds since 1970), variant and kind of client. An earlier
-- release neither reads nor writes these tables; the rows of an environment that it deletes go with it.

CREATE TABLE evaluation_hours (
    environment_id TEXT NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
    feature_key TEXT NOT NULL,
    starts_at BIGINT NOT NULL,
    variant TEXT NOT NULL,
    client TEXT NOT NULL,
    evaluations BIGINT NOT NULL,
    PRIMARY KEY (environment_id, feature_key, starts_at, variant, client)
);
CREATE INDEX evaluation_hours_by_start ON evaluation_hours (starts_at);

CREATE TABLE evaluation_days (
    environment_id TEXT NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
    feature_key TEXT NOT NULL,
    starts_at BIGINT NOT NULL,
    variant TEXT NOT NULL,
    client TEXT NOT NULL,
    evaluations BIGINT NOT NULL,
    PRIMARY KEY (environment_id, feature_key, starts_at, variant, client)
);
CREATE INDEX evaluation_days_by_start ON evaluation_days (starts_at);

-- When features were evaluated for the first and the last time.
CREATE TABLE feature_evaluations (
    environment_id TEXT NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
    feature_key TEXT NOT NULL,
    first_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (environment_id, feature_key)
);

-- The summaries that were counted, so that one that is sent again counts once.
CREATE TABLE evaluation_summaries (
    environment_id TEXT NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    PRIMARY KEY (environment_id, id)
);
CREATE INDEX evaluation_summaries_by_time ON evaluation_summaries (received_at);
