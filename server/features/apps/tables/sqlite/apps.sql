-- Applications of accounts.

-- Applications. Each account has one that is built in: its public files and links.
CREATE TABLE apps (
  app_id TEXT PRIMARY KEY,                               -- Its id.
  account_id TEXT NOT NULL REFERENCES accounts,          -- The account.
  name TEXT NOT NULL,                                    -- Its name, for people.
  created_at INTEGER NOT NULL,                           -- When it was made.
  -- 1: the one that is built in.
  is_built_in INTEGER NOT NULL CHECK (is_built_in IN (0, 1))
) STRICT, WITHOUT ROWID;
-- The applications of an account.
CREATE INDEX apps_of_account ON apps (account_id, created_at);
-- An account has one that is built in.
CREATE UNIQUE INDEX built_in_apps ON apps (account_id) WHERE is_built_in = 1;
