-- What an operator did, and what runs by itself.

-- What was done to the installation, and by whom. Rows are only added: see server/domain/audit/chain.ts.
CREATE TABLE audit_log (
  sequence INTEGER PRIMARY KEY CHECK (sequence > 0), -- Counts up without gaps.
  at INTEGER NOT NULL,                               -- When.
  action TEXT NOT NULL,                              -- What was done.
  actor TEXT NOT NULL,                               -- The kind of whoever did it.
  actor_id TEXT,                                     -- Their id. NULL: they have none.
  address TEXT,                                      -- Where they did it from. NULL: on the machine.
  account_id TEXT,                                   -- The account that it was done to. NULL: none.
  subject TEXT,                                      -- The id of the thing that it was done to. NULL: none.
  details TEXT NOT NULL,                             -- What else there is to say, as JSON.
  previous_hash TEXT NOT NULL,                       -- The hash of the row before.
  hash TEXT NOT NULL                                 -- Covers this row and the row before.
) STRICT;

-- The end of the chain, so that a removed last row is noticed. Its lock puts the rows in order.
CREATE TABLE audit_head (
  one INTEGER PRIMARY KEY CHECK (one = 1), -- There is one row.
  sequence INTEGER NOT NULL,               -- That of the last entry.
  hash TEXT NOT NULL                       -- That of the last entry.
) STRICT;
INSERT INTO audit_head VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000');

-- A jump of the clock that no operator has confirmed. While there is one, nothing is deleted by itself.
CREATE TABLE clock_jump (
  one INTEGER PRIMARY KEY CHECK (one = 1), -- There is one row at most.
  noticed_at INTEGER NOT NULL,             -- When it was noticed.
  by_ms INTEGER NOT NULL                   -- How far the clock jumped.
) STRICT;

-- The last run of each background job, on any server or command line.
CREATE TABLE job_runs (
  job TEXT PRIMARY KEY,                                  -- The name of the job.
  started_at INTEGER NOT NULL,                           -- When it began.
  duration_ms INTEGER NOT NULL CHECK (duration_ms >= 0), -- How long it took.
  count INTEGER                                          -- How many items it did. NULL: it failed.
) STRICT;

-- The configuration of the last start, as `config check` shows it. The next start is compared with it.
CREATE TABLE started_settings (
  one INTEGER PRIMARY KEY CHECK (one = 1), -- There is one row at most.
  settings TEXT NOT NULL                   -- The settings, as JSON.
) STRICT;

-- Tells the backups of this installation from those of others. The first backup makes it.
CREATE TABLE installation (
  one INTEGER PRIMARY KEY CHECK (one = 1), -- There is one row at most.
  installation_id TEXT NOT NULL            -- The id.
) STRICT;
