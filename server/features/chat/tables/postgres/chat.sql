-- The AI gateway: what was charged, and what is reserved for requests under way. A day is named by its midnight in UTC.

-- What an account was charged for on a day.
CREATE TABLE chat_days (
  -- The account.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  day BIGINT NOT NULL,                            -- The day.
  requests BIGINT NOT NULL CHECK (requests >= 0), -- Its requests.
  -- Tokens that were sent to models.
  input_tokens BIGINT NOT NULL CHECK (input_tokens >= 0),
  -- Tokens that models answered.
  output_tokens BIGINT NOT NULL CHECK (output_tokens >= 0),
  -- What they cost, in billionths of the currency.
  cost BIGINT NOT NULL CHECK (cost >= 0),
  last_started_at BIGINT NOT NULL,                -- When the latest of these requests began, for the pacing.
  PRIMARY KEY (account_id, day)
) WITH (fillfactor = 50);
-- Days to forget.
CREATE INDEX chat_days_by_age ON chat_days (day);

-- The sum of all accounts, so that no request has to add them up.
CREATE TABLE chat_installation_days (
  day BIGINT PRIMARY KEY,                    -- The day.
  tokens BIGINT NOT NULL CHECK (tokens >= 0) -- Input and output together.
) WITH (fillfactor = 50);

-- What the requests of each key to each model were charged for on a day.
CREATE TABLE chat_usage_days (
  -- The account.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  day BIGINT NOT NULL,                            -- The day.
  key_id TEXT COLLATE "C" NOT NULL,               -- The API key.
  model TEXT COLLATE "C" NOT NULL,                -- The name under which callers know the model.
  requests BIGINT NOT NULL CHECK (requests >= 0), -- Its requests.
  -- Tokens that were sent to the model.
  input_tokens BIGINT NOT NULL CHECK (input_tokens >= 0),
  -- Tokens that the model answered.
  output_tokens BIGINT NOT NULL CHECK (output_tokens >= 0),
  -- What they cost, in billionths of the currency.
  cost BIGINT NOT NULL CHECK (cost >= 0),
  -- Requests that a cache answered. They are not in the other counts.
  cached_requests BIGINT NOT NULL DEFAULT 0 CHECK (cached_requests >= 0),
  minute BIGINT NOT NULL,                         -- The minute in which the latest of these requests began.
  -- How many began in it.
  minute_requests BIGINT NOT NULL CHECK (minute_requests >= 0),
  PRIMARY KEY (account_id, day, key_id, model)
) WITH (fillfactor = 50);
-- Days to forget.
CREATE INDEX chat_usage_days_by_age ON chat_usage_days (day);

-- Parts of budgets that were reached, so that each is told once in its period. A raised limit is another one.
CREATE TABLE chat_reached_budgets (
  -- The account.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  -- Which budget.
  budget TEXT COLLATE "C" NOT NULL CHECK (budget IN ('daily_spend', 'daily_tokens', 'weekly_tokens', 'daily_cost')),
  starts_at BIGINT NOT NULL,   -- When the period began.
  token_limit BIGINT NOT NULL, -- The limit that was reached: tokens, or billionths of the currency.
  -- Which part of it, in percent.
  percent BIGINT NOT NULL CHECK (percent IN (80, 100)),
  PRIMARY KEY (account_id, budget, starts_at, token_limit, percent)
);
-- Periods to forget.
CREATE INDEX chat_reached_budgets_by_age ON chat_reached_budgets (starts_at);

-- Daily limits of keys that were reached, so that each is told once. A changed limit is another one.
CREATE TABLE chat_reached_key_limits (
  key_id TEXT COLLATE "C" NOT NULL, -- The API key.
  -- Which limit.
  limit_name TEXT COLLATE "C" NOT NULL
    CHECK (limit_name IN ('requests_per_day', 'tokens_per_day', 'spend_per_day', 'cost_per_day')),
  day BIGINT NOT NULL,              -- The day.
  value BIGINT NOT NULL,            -- The limit that was reached.
  PRIMARY KEY (key_id, limit_name, day, value)
);
-- Days to forget.
CREATE INDEX chat_reached_key_limits_by_age ON chat_reached_key_limits (day);

-- Requests to models, without their contents. Only if the operator keeps them.
CREATE TABLE ai_requests (
  -- The account.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  at BIGINT NOT NULL,                   -- When it began.
  row_id TEXT COLLATE "C" NOT NULL,     -- Tells requests of the same millisecond apart.
  request_id TEXT COLLATE "C" NOT NULL, -- The id that the caller saw.
  key_id TEXT COLLATE "C" NOT NULL,     -- The API key.
  model TEXT COLLATE "C" NOT NULL,      -- The name under which callers know the model.
  -- Which operation.
  operation TEXT COLLATE "C" NOT NULL CHECK (operation IN ('chat', 'responses', 'messages', 'embeddings')),
  is_streamed BIGINT NOT NULL,          -- 1: the response came in pieces.
  outcome TEXT COLLATE "C" NOT NULL,    -- How it ended.
  input_tokens BIGINT NOT NULL,         -- Tokens that were sent to the model.
  output_tokens BIGINT NOT NULL,        -- Tokens that the model answered.
  cost BIGINT NOT NULL,                 -- What they cost, in billionths of the currency.
  is_cached BIGINT NOT NULL,            -- 1: a cache answered.
  duration_ms BIGINT NOT NULL,          -- How long it took.
  first_token_ms BIGINT,                -- How long the first token took. NULL: there was none.
  attempts BIGINT NOT NULL,             -- How many servers of models were tried.
  left_out TEXT COLLATE "C",            -- What was left out of it. NULL: nothing.
  PRIMARY KEY (account_id, at, row_id)
);
-- Requests to forget.
CREATE INDEX ai_requests_by_age ON ai_requests (at);

-- Tokens reserved for requests under way. They are free again when their process is given up.
CREATE TABLE chat_leases (
  lease_id TEXT COLLATE "C" PRIMARY KEY, -- Its id.
  -- The process of the request.
  owner TEXT COLLATE "C" NOT NULL REFERENCES replicas ON DELETE CASCADE,
  -- The account.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  started_at BIGINT NOT NULL,            -- When the request began.
  expires_at BIGINT NOT NULL,            -- When it counts no more: its process is gone.
  day BIGINT NOT NULL,                   -- The day that it will be charged to: the one on which it began.
  -- Tokens that are reserved for the request.
  input_tokens BIGINT NOT NULL CHECK (input_tokens >= 0),
  -- Tokens that are reserved for the response.
  output_tokens BIGINT NOT NULL CHECK (output_tokens > 0),
  -- The most that they can cost, in billionths of the currency.
  cost BIGINT NOT NULL CHECK (cost >= 0)
) WITH (fillfactor = 50);
-- What an account holds.
CREATE INDEX chat_leases_of_account ON chat_leases (account_id);
-- What a process that is gone had reserved.
CREATE INDEX chat_leases_of_owner ON chat_leases (owner);
-- What an installation that has a capacity adds up for each request.
CREATE INDEX chat_leases_by_expiry ON chat_leases (expires_at, day, input_tokens, output_tokens);

-- The keys of requests under way, only for keys with limits. A row without its lease counts nowhere.
CREATE TABLE chat_key_leases (
  lease_id TEXT COLLATE "C" PRIMARY KEY, -- The lease.
  key_id TEXT COLLATE "C" NOT NULL,      -- The API key.
  expires_at BIGINT NOT NULL             -- As in chat_leases.
) WITH (fillfactor = 50);
-- What a key holds.
CREATE INDEX chat_key_leases_of_key ON chat_key_leases (key_id);
-- Rows to forget.
CREATE INDEX chat_key_leases_by_expiry ON chat_key_leases (expires_at);

-- The row that requests lock when the installation has a capacity.
CREATE TABLE chat_installation (
  one INTEGER PRIMARY KEY CHECK (one = 1) -- There is one row.
);
INSERT INTO chat_installation VALUES (1);

-- Reserves the tokens of a request if all totals are within its bounds, and returns the totals. The lock is a statement
-- of its own, so that the next one sees what the holder before has written.
CREATE FUNCTION reserve_chat(
  lease chat_leases, now_ms BIGINT, monday BIGINT, week_end BIGINT, since BIGINT, spend_weight BIGINT,
  has_capacity BOOLEAN, max_running BIGINT, latest_start BIGINT, max_requests BIGINT, max_today BIGINT,
  max_week BIGINT, max_spend BIGINT, max_cost BIGINT, max_installation_running BIGINT, max_installation_tokens BIGINT,
  OUT is_reserved BOOLEAN, OUT running BIGINT, OUT last_started_at BIGINT,
  OUT used_today BIGINT[], OUT used_week BIGINT[], OUT reserved_today BIGINT[], OUT reserved_week BIGINT[],
  OUT installation BIGINT[]
) LANGUAGE plpgsql AS $$
BEGIN
  IF has_capacity THEN
    PERFORM 1 FROM chat_installation FOR UPDATE;
  END IF;
  PERFORM 1 FROM accounts WHERE account_id = lease.account_id FOR NO KEY UPDATE;
  -- One statement, because a request that ends moves its tokens from one of these tables to the other.
  SELECT reserved.running, greatest(reserved.last_started_at, charged.last_started_at),
    charged.today, charged.week, reserved.today, reserved.week
  INTO running, last_started_at, used_today, used_week, reserved_today, reserved_week
  FROM (
    SELECT max(days.last_started_at) AS last_started_at,
      ARRAY[coalesce(sum(requests) FILTER (WHERE day = lease.day), 0),
        coalesce(sum(input_tokens) FILTER (WHERE day = lease.day), 0),
        coalesce(sum(output_tokens) FILTER (WHERE day = lease.day), 0),
        coalesce(sum(cost) FILTER (WHERE day = lease.day), 0)]::BIGINT[] AS today,
      ARRAY[coalesce(sum(requests) FILTER (WHERE day >= monday AND day < week_end), 0),
        coalesce(sum(input_tokens) FILTER (WHERE day >= monday AND day < week_end), 0),
        coalesce(sum(output_tokens) FILTER (WHERE day >= monday AND day < week_end), 0),
        coalesce(sum(cost) FILTER (WHERE day >= monday AND day < week_end), 0)]::BIGINT[] AS week
    FROM chat_days AS days WHERE account_id = lease.account_id AND day >= since
  ) AS charged, (
    SELECT count(*) AS running, max(started_at) AS last_started_at,
      ARRAY[count(*) FILTER (WHERE day = lease.day), coalesce(sum(input_tokens) FILTER (WHERE day = lease.day), 0),
        coalesce(sum(output_tokens) FILTER (WHERE day = lease.day), 0),
        coalesce(sum(cost) FILTER (WHERE day = lease.day), 0)]::BIGINT[] AS today,
      ARRAY[count(*) FILTER (WHERE day >= monday AND day < week_end),
        coalesce(sum(input_tokens) FILTER (WHERE day >= monday AND day < week_end), 0),
        coalesce(sum(output_tokens) FILTER (WHERE day >= monday AND day < week_end), 0),
        coalesce(sum(cost) FILTER (WHERE day >= monday AND day < week_end), 0)]::BIGINT[] AS week
    FROM chat_leases AS leases
    WHERE account_id = lease.account_id AND lease_id <> lease.lease_id AND expires_at > now_ms
  ) AS reserved;
  installation := ARRAY[0, 0, 0];
  IF has_capacity THEN
    SELECT ARRAY[count(*), (SELECT coalesce(max(tokens), 0) FROM chat_installation_days WHERE day = lease.day),
      coalesce(sum(input_tokens + output_tokens) FILTER (WHERE day = lease.day), 0)]::BIGINT[]
    INTO installation FROM chat_leases WHERE lease_id <> lease.lease_id AND expires_at > now_ms;
  END IF;
  is_reserved := running <= max_running
    AND (last_started_at IS NULL OR last_started_at > lease.started_at OR last_started_at <= latest_start)
    AND (max_requests IS NULL OR used_today[1] + reserved_today[1] <= max_requests)
    AND used_today[2] + used_today[3] + reserved_today[2] + reserved_today[3] <= max_today
    AND used_week[2] + used_week[3] + reserved_week[2] + reserved_week[3] <= max_week
    AND used_today[2] + reserved_today[2] + spend_weight * (used_today[3] + reserved_today[3]) <= max_spend
    AND (max_cost IS NULL OR used_today[4] + reserved_today[4] <= max_cost)
    AND (max_installation_running IS NULL OR installation[1] <= max_installation_running)
    AND (max_installation_tokens IS NULL OR installation[2] + installation[3] <= max_installation_tokens);
  IF is_reserved THEN
    INSERT INTO chat_leases SELECT lease.*
    ON CONFLICT (lease_id) DO UPDATE SET input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
      cost = excluded.cost, started_at = excluded.started_at, expires_at = excluded.expires_at, day = excluded.day;
  END IF;
END $$;

-- Does what reserve_chat() does, if the totals of the key are within its bounds too. Returns them as well. The lock of
-- the account serializes all requests of its keys. Minutes have 60,000 milliseconds.
CREATE FUNCTION reserve_chat_of_key(
  lease chat_leases, now_ms BIGINT, monday BIGINT, week_end BIGINT, since BIGINT, spend_weight BIGINT,
  has_capacity BOOLEAN, max_running BIGINT, latest_start BIGINT, max_requests BIGINT, max_today BIGINT,
  max_week BIGINT, max_spend BIGINT, max_cost BIGINT, max_installation_running BIGINT, max_installation_tokens BIGINT,
  of_key TEXT, max_key_minute BIGINT, max_key_requests BIGINT, max_key_today BIGINT, max_key_spend BIGINT,
  max_key_cost BIGINT,
  OUT is_reserved BOOLEAN, OUT running BIGINT, OUT last_started_at BIGINT,
  OUT used_today BIGINT[], OUT used_week BIGINT[], OUT reserved_today BIGINT[], OUT reserved_week BIGINT[],
  OUT installation BIGINT[], OUT key_used BIGINT[], OUT key_reserved BIGINT[], OUT key_minute BIGINT
) LANGUAGE plpgsql AS $$
DECLARE
  this_minute BIGINT := lease.started_at / 60000 * 60000;
  minute_used BIGINT;
  minute_reserved BIGINT;
  fits BOOLEAN;
BEGIN
  IF has_capacity THEN
    PERFORM 1 FROM chat_installation FOR UPDATE;
  END IF;
  PERFORM 1 FROM accounts WHERE account_id = lease.account_id FOR NO KEY UPDATE;
  -- One statement, because a request that ends moves its tokens from one of these tables to the other.
  SELECT charged.today, charged.minute, reserved.today, reserved.minute
  INTO key_used, minute_used, key_reserved, minute_reserved
  FROM (
    SELECT
      ARRAY[coalesce(sum(requests), 0), coalesce(sum(input_tokens), 0),
        coalesce(sum(output_tokens), 0), coalesce(sum(cost), 0)]::BIGINT[] AS today,
      coalesce(sum(minute_requests) FILTER (WHERE days.minute = this_minute), 0)::BIGINT AS minute
    FROM chat_usage_days AS days WHERE account_id = lease.account_id AND day = lease.day AND key_id = of_key
  ) AS charged, (
    SELECT ARRAY[count(*) FILTER (WHERE day = lease.day), coalesce(sum(input_tokens) FILTER (WHERE day = lease.day), 0),
        coalesce(sum(output_tokens) FILTER (WHERE day = lease.day), 0),
        coalesce(sum(cost) FILTER (WHERE day = lease.day), 0)]::BIGINT[] AS today,
      count(*) FILTER (WHERE started_at / 60000 * 60000 = this_minute) AS minute
    FROM chat_key_leases AS of_keys JOIN chat_leases AS leases USING (lease_id)
    WHERE of_keys.key_id = of_key AND lease_id <> lease.lease_id AND leases.expires_at > now_ms
  ) AS reserved;
  key_minute := minute_used + minute_reserved;
  fits := (max_key_minute IS NULL OR key_minute <= max_key_minute)
    AND (max_key_requests IS NULL OR key_used[1] + key_reserved[1] <= max_key_requests)
    AND (max_key_today IS NULL OR key_used[2] + key_used[3] + key_reserved[2] + key_reserved[3] <= max_key_today)
    AND (max_key_spend IS NULL
      OR key_used[2] + key_reserved[2] + spend_weight * (key_used[3] + key_reserved[3]) <= max_key_spend)
    AND (max_key_cost IS NULL OR key_used[4] + key_reserved[4] <= max_key_cost);
  -- A bound that no request is within: the totals are needed, and nothing may be reserved.
  SELECT reserved.is_reserved, reserved.running, reserved.last_started_at, reserved.used_today, reserved.used_week,
    reserved.reserved_today, reserved.reserved_week, reserved.installation
  INTO is_reserved, running, last_started_at, used_today, used_week, reserved_today, reserved_week, installation
  FROM reserve_chat(lease, now_ms, monday, week_end, since, spend_weight, has_capacity,
    CASE WHEN fits THEN max_running ELSE -1 END, latest_start, max_requests, max_today, max_week, max_spend,
    max_cost, max_installation_running, max_installation_tokens) AS reserved;
  IF is_reserved THEN
    INSERT INTO chat_key_leases VALUES (lease.lease_id, of_key, lease.expires_at)
    ON CONFLICT (lease_id) DO UPDATE SET expires_at = excluded.expires_at;
  END IF;
END $$;
