-- How much an account stored on each day of the month. What was stored before this migration is not known.
ALTER TABLE accounts ADD COLUMN metered_from INTEGER NOT NULL DEFAULT 0;
-- Up to when usage_days is complete; from then on used_bytes have been stored.
ALTER TABLE accounts ADD COLUMN settled_at INTEGER NOT NULL DEFAULT 0;
UPDATE accounts SET metered_from = CAST(unixepoch('subsec') * 1000 AS INTEGER), settled_at = CAST(unixepoch('subsec') * 1000 AS INTEGER);

CREATE TABLE usage_days (
  account_id TEXT NOT NULL REFERENCES accounts,
  -- The midnight in UTC at which the day begins.
  day INTEGER NOT NULL,
  -- Bytes times milliseconds, in decimal: more than 64 bits.
  byte_ms TEXT NOT NULL,
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;
