-- How many entries of activity the account ever had: the sequence of its newest.
ALTER TABLE accounts ADD COLUMN activity_count INTEGER NOT NULL DEFAULT 0;

CREATE TABLE activity (
  account_id TEXT NOT NULL REFERENCES accounts,
  -- Counts up within an account, and is never given twice.
  sequence INTEGER NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- The file that it is about, as in objects; both null when it is about none.
  space INTEGER CHECK (space IN (0, 1, 2)),
  key TEXT CHECK ((key IS NULL) = (space IS NULL)),
  details TEXT NOT NULL CHECK (json_valid(details)),
  source_ip TEXT,
  user_agent TEXT,
  auth TEXT NOT NULL CHECK (auth IN ('api_key', 'upload_token', 's3', 'rule', 'system')),
  PRIMARY KEY (account_id, sequence)
) STRICT, WITHOUT ROWID;

CREATE INDEX activity_by_age ON activity (at);
