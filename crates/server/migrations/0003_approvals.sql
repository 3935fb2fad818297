-- Changes of targeting that wait for somebody's approval, what was decided, and what was said about them.
-- They belong to a feature and an environment, and go with these, also when an earlier release deletes them; the audit
-- log keeps their history.

CREATE TABLE approvals (
    id TEXT PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    feature_id TEXT NOT NULL REFERENCES features (id) ON DELETE CASCADE,
    environment_id TEXT NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
    state TEXT NOT NULL,
    kind TEXT NOT NULL,
    source_environment_key TEXT,
    requester_id TEXT NOT NULL,
    requester_name TEXT NOT NULL,
    comment TEXT NOT NULL,
    reasons TEXT NOT NULL,
    before_targeting TEXT NOT NULL,
    after_targeting TEXT NOT NULL,
    target_version BIGINT NOT NULL,
    digest TEXT NOT NULL,
    decider_id TEXT,
    decider_name TEXT,
    decided_at BIGINT,
    staleness TEXT,
    revision BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX approvals_one_pending ON approvals (environment_id, feature_id) WHERE state = 'pending';
CREATE INDEX approvals_of_project ON approvals (project_id, id);
CREATE INDEX approvals_of_feature ON approvals (feature_id);
CREATE INDEX approvals_of_environment ON approvals (environment_id);

CREATE TABLE approval_comments (
    approval_id TEXT NOT NULL REFERENCES approvals (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    author_id TEXT NOT NULL,
    author_name TEXT NOT NULL,
    text TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (approval_id, position)
);

-- The phase that a feature is in, by its environment, which a pipeline passes once. None: the pipeline's first.
ALTER TABLE features ADD COLUMN phase_environment_id TEXT REFERENCES environments (id) ON DELETE SET NULL;

-- The version of what was answered; none where an answer has none. All that was answered before was new.
ALTER TABLE idempotency_records ADD COLUMN version BIGINT DEFAULT 1;
