-- oldest server: 3
-- The last backup to each target, while it runs and after it.
CREATE TABLE backup_runs (
  target        TEXT COLLATE "C" PRIMARY KEY,
  run_id        TEXT COLLATE "C" NOT NULL,
  started_at    BIGINT NOT NULL,
  -- When its process last wrote the row. Without an end and long after it, the process was killed.
  seen_at       BIGINT NOT NULL,
  ended_at      BIGINT,
  doing         TEXT COLLATE "C" NOT NULL,
  step_began_at BIGINT NOT NULL,
  -- NULL if nobody knows how much the step is.
  done_bytes    BIGINT,
  total_bytes   BIGINT,
  done_files    BIGINT,
  total_files   BIGINT,
  error         TEXT COLLATE "C"
);

ALTER TABLE scrub ADD COLUMN read_files BIGINT NOT NULL DEFAULT 0;
-- When an operator asked for this round, so that it does not wait for its days.
ALTER TABLE scrub ADD COLUMN requested_at BIGINT;
ALTER TABLE scrub ADD COLUMN ended_at BIGINT;

-- Stopped accounts whose public files the CDN has yet to drop, and how far their purges are written.
CREATE TABLE account_purges (
  account_id TEXT COLLATE "C" PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  space      BIGINT NOT NULL,
  -- NULL before the first file of the space.
  last_key   TEXT COLLATE "C"
);
