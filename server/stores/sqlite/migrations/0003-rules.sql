-- What holds for files under a prefix; NULL where an option is not set.
CREATE TABLE rules (
  account_id TEXT NOT NULL REFERENCES accounts,
  -- With its trailing slash.
  prefix TEXT NOT NULL CHECK (prefix LIKE '_%/'),
  private INTEGER CHECK (private IN (0, 1)),
  expire_hours INTEGER CHECK (expire_hours > 0),
  max_size_bytes INTEGER CHECK (max_size_bytes > 0),
  extensions TEXT CHECK (json_valid(extensions)),
  cache_control TEXT,
  delete_after_days INTEGER CHECK (delete_after_days > 0),
  -- When it was saved in this form; automatic deletion begins 24 hours later.
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, prefix)
) STRICT, WITHOUT ROWID;

CREATE INDEX rules_that_delete ON rules (account_id) WHERE delete_after_days IS NOT NULL;
