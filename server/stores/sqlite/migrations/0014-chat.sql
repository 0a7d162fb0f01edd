-- The operator's own budget of the AI gateway for an account, in tokens a day; NULL for the plan's.
ALTER TABLE accounts ADD COLUMN ai_tokens_per_day INTEGER CHECK (ai_tokens_per_day > 0);

-- What an account was charged for on a day in UTC, which is named by its midnight.
CREATE TABLE chat_days (
  account_id TEXT NOT NULL REFERENCES accounts,
  day INTEGER NOT NULL,
  requests INTEGER NOT NULL CHECK (requests >= 0),
  input_tokens INTEGER NOT NULL CHECK (input_tokens >= 0),
  output_tokens INTEGER NOT NULL CHECK (output_tokens >= 0),
  -- When the latest of these requests began, for the pacing.
  last_started_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX chat_days_by_age ON chat_days (day);

-- The sum of all accounts, so that no request has to add them up.
CREATE TABLE chat_installation_days (
  day INTEGER PRIMARY KEY,
  tokens INTEGER NOT NULL CHECK (tokens >= 0)
) STRICT;

-- Room that is held for requests under way. Once it has expired it counts nowhere: its process is gone.
CREATE TABLE chat_leases (
  lease_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts,
  started_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- The day that it will be charged to: the one on which it began.
  day INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL CHECK (input_tokens >= 0),
  output_tokens INTEGER NOT NULL CHECK (output_tokens > 0)
) STRICT, WITHOUT ROWID;

CREATE INDEX chat_leases_of_account ON chat_leases (account_id);
-- With what an installation that has a capacity adds up for each request.
CREATE INDEX chat_leases_by_expiry ON chat_leases (expires_at, day, input_tokens, output_tokens);
