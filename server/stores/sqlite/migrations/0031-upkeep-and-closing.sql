-- The last backup to each target, while it runs and after it.
CREATE TABLE backup_runs (
  target        TEXT PRIMARY KEY,
  run_id        TEXT NOT NULL,
  started_at    INTEGER NOT NULL,
  -- When its process last wrote the row. Without an end and long after it, the process was killed.
  seen_at       INTEGER NOT NULL,
  ended_at      INTEGER,
  doing         TEXT NOT NULL,
  step_began_at INTEGER NOT NULL,
  -- NULL if nobody knows how much the step is.
  done_bytes    INTEGER,
  total_bytes   INTEGER,
  done_files    INTEGER,
  total_files   INTEGER,
  error         TEXT
) STRICT, WITHOUT ROWID;

ALTER TABLE scrub ADD COLUMN read_files INTEGER NOT NULL DEFAULT 0;
-- When an operator asked for this round, so that it does not wait for its days.
ALTER TABLE scrub ADD COLUMN requested_at INTEGER;
ALTER TABLE scrub ADD COLUMN ended_at INTEGER;

-- Stopped accounts whose public files the CDN has yet to drop, and how far their purges are written.
CREATE TABLE account_purges (
  account_id TEXT PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  space      INTEGER NOT NULL,
  -- NULL before the first file of the space.
  last_key   TEXT
) STRICT, WITHOUT ROWID;
