-- Applications of accounts. Each account has one that is built in: its public files and links.
CREATE TABLE apps (
  app_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  is_built_in INTEGER NOT NULL CHECK (is_built_in IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX apps_of_account ON apps (account_id, created_at);
CREATE UNIQUE INDEX built_in_apps ON apps (account_id) WHERE is_built_in = 1;

INSERT INTO apps SELECT 'app_' || account_id, account_id, 'files and links', created_at, 1 FROM accounts;
