-- Backups.

-- The last whole backup at each target.
CREATE TABLE backups (
  target TEXT PRIMARY KEY,      -- The target.
  generation TEXT NOT NULL,     -- The backup.
  completed_at INTEGER NOT NULL -- When it was whole.
) STRICT, WITHOUT ROWID;

-- The last run to each target, while it goes on and afterwards.
CREATE TABLE backup_runs (
  target TEXT PRIMARY KEY,        -- The target.
  run_id TEXT NOT NULL,           -- Its id.
  started_at INTEGER NOT NULL,    -- When it began.
  -- When its process last wrote the row. Without an end and long ago, the process was killed.
  seen_at INTEGER NOT NULL,
  ended_at INTEGER,               -- When it ended. NULL: it goes on.
  doing TEXT NOT NULL,            -- The step that it is at.
  step_began_at INTEGER NOT NULL, -- When that step began.
  done_bytes INTEGER,             -- Bytes that the step has done. NULL: nobody knows.
  total_bytes INTEGER,            -- Bytes of the whole step.
  done_files INTEGER,             -- Files that the step has done.
  total_files INTEGER,            -- Files of the whole step.
  error TEXT                      -- What went wrong. NULL: nothing.
) STRICT, WITHOUT ROWID;

-- While one of these has not expired, no bytes are removed: a backup is copying them.
CREATE TABLE blob_holds (
  hold_id TEXT PRIMARY KEY,   -- Its id.
  expires_at INTEGER NOT NULL -- When it expires.
) STRICT, WITHOUT ROWID;
