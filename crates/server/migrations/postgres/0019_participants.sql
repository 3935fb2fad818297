-- PostgreSQL's tables of participants, which the other engine has in its own form: each a number of 64 bits from a keyed hash, with the
-- place of the first variant, and 1 where the participant was given another one later.

CREATE TABLE participants (
    experiment BIGINT NOT NULL,
    participant BIGINT NOT NULL,
    variant BIGINT NOT NULL,
    crossed BIGINT NOT NULL,
    PRIMARY KEY (experiment, participant)
);

-- How often a participant has reached a goal of the experiment.
CREATE TABLE conversions (
    experiment BIGINT NOT NULL,
    participant BIGINT NOT NULL,
    goal BIGINT NOT NULL,
    times BIGINT NOT NULL,
    PRIMARY KEY (experiment, participant, goal)
);
