-- Counts the events of an account: the sequence of its newest one.
ALTER TABLE accounts ADD COLUMN event_count INTEGER NOT NULL DEFAULT 0 CHECK (event_count >= 0);

-- What has happened in an account, added in the transaction of the change.
CREATE TABLE events (
  account_id TEXT NOT NULL REFERENCES accounts,
  -- Counts up within the account without gaps, in the order of the commits.
  sequence INTEGER NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- The key of its file. NULL if it is about none.
  key TEXT,
  -- JSON, as clients see it.
  data TEXT NOT NULL,
  PRIMARY KEY (account_id, sequence)
) STRICT, WITHOUT ROWID;

CREATE INDEX events_by_age ON events (at);
