-- When an operator stopped the account, and when one deleted it. A deleted account is removed 7 days later.
ALTER TABLE accounts ADD COLUMN suspended_at INTEGER;
ALTER TABLE accounts ADD COLUMN deleted_at INTEGER;
CREATE INDEX accounts_by_age ON accounts (created_at, account_id);
CREATE INDEX accounts_deleted ON accounts (deleted_at) WHERE deleted_at IS NOT NULL;

-- Keys of the operator's door. Of each secret only a keyed hash is stored.
CREATE TABLE operator_keys (
  operator_key_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  last4 TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;

-- What was done to the installation, and by whom. Each hash covers the row and the hash of the row before it: see
-- server/domain/audit/chain.ts. Rows are only ever added.
CREATE TABLE audit_log (
  sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  actor TEXT NOT NULL,
  actor_id TEXT,
  address TEXT,
  account_id TEXT,
  subject TEXT,
  details TEXT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

-- The end of the chain, so that a removed last row is noticed.
CREATE TABLE audit_head (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  sequence INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;
INSERT INTO audit_head VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000');

-- The last run of each background job, on any server or command line.
CREATE TABLE job_runs (
  job TEXT PRIMARY KEY,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL CHECK (duration_ms >= 0),
  -- How many items it did. NULL when it failed.
  count INTEGER
) STRICT;

-- The configuration of the last start, as "config check" shows it. The next start is compared with it.
CREATE TABLE started_settings (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  settings TEXT NOT NULL
) STRICT;
