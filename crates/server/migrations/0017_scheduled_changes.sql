-- A change that is to be made at a time: when, and when the service made it or gave it up. An earlier release does not know changes
-- that wait for their time, and cannot read them.

ALTER TABLE approvals ADD COLUMN scheduled_for BIGINT;
ALTER TABLE approvals ADD COLUMN settled_at BIGINT;

-- Only a request that is applied as soon as it is approved keeps others away. Scheduled ones build on each other.
DROP INDEX approvals_one_pending;
CREATE UNIQUE INDEX approvals_one_pending ON approvals (environment_id, feature_id)
    WHERE state = 'pending' AND scheduled_for IS NULL;
CREATE INDEX approvals_by_time ON approvals (scheduled_for) WHERE state = 'scheduled' OR state = 'pending';
