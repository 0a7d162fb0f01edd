-- The limits of a key in the AI gateway, as JSON; NULL for none.
ALTER TABLE api_keys ADD COLUMN ai_limits TEXT;

-- What the requests of each key to each model were charged for on a day in UTC, which is named by its midnight.
CREATE TABLE chat_usage_days (
  account_id TEXT NOT NULL REFERENCES accounts,
  day INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  -- The name under which callers know the model.
  model TEXT NOT NULL,
  requests INTEGER NOT NULL CHECK (requests >= 0),
  input_tokens INTEGER NOT NULL CHECK (input_tokens >= 0),
  output_tokens INTEGER NOT NULL CHECK (output_tokens >= 0),
  -- Requests that a cache answered. They are not in the other counts.
  cached_requests INTEGER NOT NULL DEFAULT 0 CHECK (cached_requests >= 0),
  -- The minute in which the latest of these requests began, and how many began in it.
  minute INTEGER NOT NULL,
  minute_requests INTEGER NOT NULL CHECK (minute_requests >= 0),
  PRIMARY KEY (account_id, day, key_id, model)
) STRICT, WITHOUT ROWID;

CREATE INDEX chat_usage_days_by_age ON chat_usage_days (day);

-- Daily limits of keys that were reached, so that each is told once. A changed limit is another one.
CREATE TABLE chat_reached_key_limits (
  key_id TEXT NOT NULL,
  limit_name TEXT NOT NULL CHECK (limit_name IN ('requests_per_day', 'tokens_per_day', 'spend_per_day')),
  day INTEGER NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (key_id, limit_name, day, value)
) STRICT, WITHOUT ROWID;

CREATE INDEX chat_reached_key_limits_by_age ON chat_reached_key_limits (day);
