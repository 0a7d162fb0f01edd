-- oldest server: 8
-- Counts the events of an account: the sequence of its newest one.
ALTER TABLE accounts ADD COLUMN event_count BIGINT NOT NULL DEFAULT 0 CHECK (event_count >= 0);

-- What has happened in an account, added in the transaction of the change.
CREATE TABLE events (
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  -- Counts up within the account without gaps, in the order of the commits.
  sequence BIGINT NOT NULL,
  type TEXT NOT NULL,
  at BIGINT NOT NULL,
  -- The key of its file. NULL if it is about none.
  key TEXT COLLATE "C",
  -- JSON, as clients see it.
  data TEXT NOT NULL,
  PRIMARY KEY (account_id, sequence)
);

CREATE INDEX events_by_age ON events (at);
