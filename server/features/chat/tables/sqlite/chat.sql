-- The AI gateway: what was charged, and what is reserved for requests under way. A day is named by its midnight in UTC.

-- What an account was charged for on a day.
CREATE TABLE chat_days (
  account_id TEXT NOT NULL REFERENCES accounts,    -- The account.
  day INTEGER NOT NULL,                            -- The day.
  requests INTEGER NOT NULL CHECK (requests >= 0), -- Its requests.
  -- Tokens that were sent to models.
  input_tokens INTEGER NOT NULL CHECK (input_tokens >= 0),
  -- Tokens that models answered.
  output_tokens INTEGER NOT NULL CHECK (output_tokens >= 0),
  -- What they cost, in billionths of the currency.
  cost INTEGER NOT NULL CHECK (cost >= 0),
  last_started_at INTEGER NOT NULL,                -- When the latest of these requests began, for the pacing.
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;
-- Days to forget.
CREATE INDEX chat_days_by_age ON chat_days (day);

-- The sum of all accounts, so that no request has to add them up.
CREATE TABLE chat_installation_days (
  day INTEGER PRIMARY KEY,                    -- The day.
  tokens INTEGER NOT NULL CHECK (tokens >= 0) -- Input and output together.
) STRICT;

-- What the requests of each key to each model were charged for on a day.
CREATE TABLE chat_usage_days (
  account_id TEXT NOT NULL REFERENCES accounts,    -- The account.
  day INTEGER NOT NULL,                            -- The day.
  key_id TEXT NOT NULL,                            -- The API key.
  model TEXT NOT NULL,                             -- The name under which callers know the model.
  requests INTEGER NOT NULL CHECK (requests >= 0), -- Its requests.
  -- Tokens that were sent to the model.
  input_tokens INTEGER NOT NULL CHECK (input_tokens >= 0),
  -- Tokens that the model answered.
  output_tokens INTEGER NOT NULL CHECK (output_tokens >= 0),
  -- What they cost, in billionths of the currency.
  cost INTEGER NOT NULL CHECK (cost >= 0),
  -- Requests that a cache answered. They are not in the other counts.
  cached_requests INTEGER NOT NULL DEFAULT 0 CHECK (cached_requests >= 0),
  minute INTEGER NOT NULL,                         -- The minute in which the latest of these requests began.
  -- How many began in it.
  minute_requests INTEGER NOT NULL CHECK (minute_requests >= 0),
  PRIMARY KEY (account_id, day, key_id, model)
) STRICT, WITHOUT ROWID;
-- Days to forget.
CREATE INDEX chat_usage_days_by_age ON chat_usage_days (day);

-- Parts of budgets that were reached, so that each is told once in its period. A raised limit is another one.
CREATE TABLE chat_reached_budgets (
  account_id TEXT NOT NULL REFERENCES accounts, -- The account.
  -- Which budget.
  budget TEXT NOT NULL CHECK (budget IN ('daily_spend', 'daily_tokens', 'weekly_tokens', 'daily_cost')),
  starts_at INTEGER NOT NULL,                   -- When the period began.
  token_limit INTEGER NOT NULL,                 -- The limit that was reached: tokens, or billionths of the currency.
  -- Which part of it, in percent.
  percent INTEGER NOT NULL CHECK (percent IN (80, 100)),
  PRIMARY KEY (account_id, budget, starts_at, token_limit, percent)
) STRICT, WITHOUT ROWID;
-- Periods to forget.
CREATE INDEX chat_reached_budgets_by_age ON chat_reached_budgets (starts_at);

-- Daily limits of keys that were reached, so that each is told once. A changed limit is another one.
CREATE TABLE chat_reached_key_limits (
  key_id TEXT NOT NULL,   -- The API key.
  -- Which limit.
  limit_name TEXT NOT NULL
    CHECK (limit_name IN ('requests_per_day', 'tokens_per_day', 'spend_per_day', 'cost_per_day')),
  day INTEGER NOT NULL,   -- The day.
  value INTEGER NOT NULL, -- The limit that was reached.
  PRIMARY KEY (key_id, limit_name, day, value)
) STRICT, WITHOUT ROWID;
-- Days to forget.
CREATE INDEX chat_reached_key_limits_by_age ON chat_reached_key_limits (day);

-- Requests to models, without their contents. Only if the operator keeps them.
CREATE TABLE ai_requests (
  account_id TEXT NOT NULL REFERENCES accounts, -- The account.
  at INTEGER NOT NULL,                          -- When it began.
  row_id TEXT NOT NULL,                         -- Tells requests of the same millisecond apart.
  request_id TEXT NOT NULL,                     -- The id that the caller saw.
  key_id TEXT NOT NULL,                         -- The API key.
  model TEXT NOT NULL,                          -- The name under which callers know the model.
  -- Which operation.
  operation TEXT NOT NULL CHECK (operation IN ('chat', 'responses', 'messages', 'embeddings')),
  is_streamed INTEGER NOT NULL,                 -- 1: the response came in pieces.
  outcome TEXT NOT NULL,                        -- How it ended.
  input_tokens INTEGER NOT NULL,                -- Tokens that were sent to the model.
  output_tokens INTEGER NOT NULL,               -- Tokens that the model answered.
  cost INTEGER NOT NULL,                        -- What they cost, in billionths of the currency.
  is_cached INTEGER NOT NULL,                   -- 1: a cache answered.
  duration_ms INTEGER NOT NULL,                 -- How long it took.
  first_token_ms INTEGER,                       -- How long the first token took. NULL: there was none.
  attempts INTEGER NOT NULL,                    -- How many servers of models were tried.
  left_out TEXT,                                -- What was left out of it. NULL: nothing.
  PRIMARY KEY (account_id, at, row_id)
) STRICT, WITHOUT ROWID;
-- Requests to forget.
CREATE INDEX ai_requests_by_age ON ai_requests (at);
