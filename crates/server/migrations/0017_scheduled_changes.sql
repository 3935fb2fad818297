-- A change that is to be made at a time: when, and when the service made it or gave it up. An earlier release does not know changes
-- that wait for their time, and cannot read them.

ALTER TABLE approvals ADD COLUMN scheduled_for BIGINT;
ALTER TABLE approvals ADD COLUMN settled_at BIGINT;
CREATE INDEX approvals_by_time ON approvals (scheduled_for) WHERE state = 'scheduled' OR state = 'pending';
