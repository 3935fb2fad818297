-- When a client key or a server key was last used, to the minute. An earlier release neither writes nor reads it.

ALTER TABLE sdk_keys ADD COLUMN last_used_at BIGINT;
