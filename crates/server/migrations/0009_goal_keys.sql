-- The keys of goals, each once, with the time of use (at most a day old): an environment may have a limited number of them.
-- Keys that an earlier release writes meanwhile are missing until they are used again.

CREATE TABLE goal_keys (
    environment_id TEXT NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (environment_id, key)
);
INSERT INTO goal_keys (environment_id, key, used_at)
    SELECT environment_id, key, MAX(received_at) FROM goals WHERE LENGTH(key) <= 200 GROUP BY environment_id, key;

-- Goals are deleted after a time.
CREATE INDEX goals_by_time ON goals (received_at);
