-- What an operator did, and what runs by itself.

-- What was done to the installation, and by whom. Rows are only added: see server/domain/audit/chain.ts.
CREATE TABLE audit_log (
  sequence BIGINT PRIMARY KEY CHECK (sequence > 0), -- Counts up without gaps.
  at BIGINT NOT NULL,                               -- When.
  action TEXT NOT NULL,                             -- What was done.
  actor TEXT NOT NULL,                              -- The kind of whoever did it.
  actor_id TEXT,                                    -- Their id. NULL: they have none.
  address TEXT,                                     -- Where they did it from. NULL: on the machine.
  account_id TEXT,                                  -- The account that it was done to. NULL: none.
  subject TEXT,                                     -- The id of the thing that it was done to. NULL: none.
  details TEXT NOT NULL,                            -- What else there is to say, as JSON.
  previous_hash TEXT NOT NULL,                      -- The hash of the row before.
  hash TEXT NOT NULL                                -- Covers this row and the row before.
);

-- The end of the chain, so that a removed last row is noticed. Its lock puts the rows in order.
CREATE TABLE audit_head (
  one BIGINT PRIMARY KEY CHECK (one = 1), -- There is one row.
  sequence BIGINT NOT NULL,               -- That of the last entry.
  hash TEXT NOT NULL                      -- That of the last entry.
) WITH (fillfactor = 50);
INSERT INTO audit_head VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000');

-- A jump of the clock that no operator has confirmed. While there is one, nothing is deleted by itself.
CREATE TABLE clock_jump (
  one BIGINT PRIMARY KEY CHECK (one = 1), -- There is one row at most.
  noticed_at BIGINT NOT NULL,             -- When it was noticed.
  by_ms BIGINT NOT NULL                   -- How far the clock jumped.
);

-- The last run of each background job, on any server or command line.
CREATE TABLE job_runs (
  job TEXT COLLATE "C" PRIMARY KEY,                     -- The name of the job.
  started_at BIGINT NOT NULL,                           -- When it began.
  duration_ms BIGINT NOT NULL CHECK (duration_ms >= 0), -- How long it took.
  count BIGINT                                          -- How many items it did. NULL: it failed.
) WITH (fillfactor = 50);

-- The configuration of the last start, as `config check` shows it. The next start is compared with it.
CREATE TABLE started_settings (
  one BIGINT PRIMARY KEY CHECK (one = 1), -- There is one row at most.
  settings TEXT NOT NULL                  -- The settings, as JSON.
);

-- Tells the backups of this installation from those of others. The first backup makes it.
CREATE TABLE installation (
  one BIGINT PRIMARY KEY CHECK (one = 1),   -- There is one row at most.
  installation_id TEXT COLLATE "C" NOT NULL -- The id.
);
