-- Outbound integrations: where changes are told of outside, what waits for each of them, and what became of it.

CREATE TABLE integrations (
    id TEXT PRIMARY KEY,
    organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    enabled BIGINT NOT NULL,
    region TEXT NOT NULL,
    -- Both keys, encrypted with a data key.
    credentials TEXT NOT NULL,
    environment_ids TEXT NOT NULL,
    last_delivery_at BIGINT,
    last_delivery_success BIGINT,
    last_delivery_detail TEXT,
    -- Who delivers. The fence counts the holders, the beat their signs of life.
    lease_holder TEXT NOT NULL,
    lease_fence BIGINT NOT NULL,
    lease_beat BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX integrations_of_organisation ON integrations (organisation_id, id);

-- What is to be delivered to an integration, in the order of position. `entry` names the change, which is queued once.
CREATE TABLE deliveries (
    integration_id TEXT NOT NULL REFERENCES integrations (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    entry TEXT NOT NULL,
    at BIGINT NOT NULL,
    change TEXT NOT NULL,
    is_test BIGINT NOT NULL,
    state TEXT NOT NULL,
    attempts TEXT NOT NULL,
    settled_at BIGINT,
    PRIMARY KEY (integration_id, position),
    UNIQUE (integration_id, entry)
);
CREATE INDEX deliveries_by_state ON deliveries (integration_id, state, position);
-- Length and age of the backlog, however long it is.
CREATE INDEX deliveries_waiting ON deliveries (integration_id, at) WHERE state = 'waiting';

-- The last position of each organisation with an integration. Who fans out locks its row, so that one does at a time.
CREATE TABLE fan_outs (
    organisation_id TEXT PRIMARY KEY REFERENCES organisations (id) ON DELETE CASCADE,
    position BIGINT NOT NULL
);

-- How far each environment's outbox has been fanned out. It refers to nothing, so that nobody waits for it.
CREATE TABLE fan_out_cursors (
    environment_id TEXT PRIMARY KEY,
    version BIGINT NOT NULL
);
