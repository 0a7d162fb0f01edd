-- Backups.

-- The last whole backup at each target.
CREATE TABLE backups (
  target TEXT COLLATE "C" PRIMARY KEY,  -- The target.
  generation TEXT COLLATE "C" NOT NULL, -- The backup.
  completed_at BIGINT NOT NULL          -- When it was whole.
);

-- The last run to each target, while it goes on and afterwards.
CREATE TABLE backup_runs (
  target TEXT COLLATE "C" PRIMARY KEY, -- The target.
  run_id TEXT COLLATE "C" NOT NULL,    -- Its id.
  started_at BIGINT NOT NULL,          -- When it began.
  -- When its process last wrote the row. Without an end and long ago, the process was killed.
  seen_at BIGINT NOT NULL,
  ended_at BIGINT,                     -- When it ended. NULL: it goes on.
  doing TEXT COLLATE "C" NOT NULL,     -- The step that it is at.
  step_began_at BIGINT NOT NULL,       -- When that step began.
  done_bytes BIGINT,                   -- Bytes that the step has done. NULL: nobody knows.
  total_bytes BIGINT,                  -- Bytes of the whole step.
  done_files BIGINT,                   -- Files that the step has done.
  total_files BIGINT,                  -- Files of the whole step.
  error TEXT COLLATE "C"               -- What went wrong. NULL: nothing.
);

-- While one of these has not expired, no bytes are removed: a backup is copying them.
CREATE TABLE blob_holds (
  hold_id TEXT COLLATE "C" PRIMARY KEY, -- Its id.
  expires_at BIGINT NOT NULL            -- When it expires.
);
