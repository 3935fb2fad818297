-- The type that typed SDKs give a feature's values: `boolean` for the variants on and off, else `string`. A release that does
-- not know the column writes none; then the variants decide, as they did before.
ALTER TABLE features ADD COLUMN type TEXT;
UPDATE features SET type = CASE WHEN variants IN ('["on","off"]', '["off","on"]') THEN 'boolean' ELSE 'string' END;

-- An approval of a change of a feature's record, as JSON: `{"before": …, "after": …}`; `after` is null for a deletion. None:
-- the approval is for a change of targeting.
ALTER TABLE approvals ADD COLUMN feature_change TEXT;
ALTER TABLE approvals ADD COLUMN decider_token_id TEXT;
ALTER TABLE approvals ADD COLUMN decider_token_creator_id TEXT;

-- Who created a token: one that the requester of a change created for someone else cannot approve the change. What the audit
-- log knows of earlier tokens is copied.
ALTER TABLE access_tokens ADD COLUMN creator_id TEXT;
UPDATE access_tokens SET creator_id = (SELECT MIN(a.user_id) FROM audit_log a
    WHERE a.action = 'token.create' AND a.resource = 'tokens/' || access_tokens.id);
ALTER TABLE audit_log ADD COLUMN token_id TEXT;
ALTER TABLE audit_log ADD COLUMN token_creator_id TEXT;

-- A one-time link with which an invited person creates their own token. Only the hash of its secret is stored.
CREATE TABLE setup_links (
    hash TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    creator_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX setup_links_of_user ON setup_links (user_id);
