-- Applications of accounts.

-- Applications. Each account has one that is built in: its public files and links.
CREATE TABLE apps (
  app_id TEXT COLLATE "C" PRIMARY KEY,       -- Its id.
  -- The account.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  name TEXT NOT NULL,                        -- Its name, for people.
  created_at BIGINT NOT NULL,                -- When it was made.
  -- 1: the one that is built in.
  is_built_in BIGINT NOT NULL CHECK (is_built_in IN (0, 1))
);
-- The applications of an account.
CREATE INDEX apps_of_account ON apps (account_id, created_at);
-- An account has one that is built in.
CREATE UNIQUE INDEX built_in_apps ON apps (account_id) WHERE is_built_in = 1;
