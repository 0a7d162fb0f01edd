-- oldest server: 8
-- The limits of a key in the AI gateway, as JSON; NULL for none.
ALTER TABLE api_keys ADD COLUMN ai_limits TEXT;

-- What the requests of each key to each model were charged for on a day in UTC, which is named by its midnight.
CREATE TABLE chat_usage_days (
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  day BIGINT NOT NULL,
  key_id TEXT COLLATE "C" NOT NULL,
  -- The name under which callers know the model.
  model TEXT COLLATE "C" NOT NULL,
  requests BIGINT NOT NULL CHECK (requests >= 0),
  input_tokens BIGINT NOT NULL CHECK (input_tokens >= 0),
  output_tokens BIGINT NOT NULL CHECK (output_tokens >= 0),
  -- Requests that a cache answered. They are not in the other counts.
  cached_requests BIGINT NOT NULL DEFAULT 0 CHECK (cached_requests >= 0),
  -- The minute in which the latest of these requests began, and how many began in it.
  minute BIGINT NOT NULL,
  minute_requests BIGINT NOT NULL CHECK (minute_requests >= 0),
  PRIMARY KEY (account_id, day, key_id, model)
) WITH (fillfactor = 50);

CREATE INDEX chat_usage_days_by_age ON chat_usage_days (day);

-- Daily limits of keys that were reached, so that each is told once. A changed limit is another one.
CREATE TABLE chat_reached_key_limits (
  key_id TEXT COLLATE "C" NOT NULL,
  limit_name TEXT COLLATE "C" NOT NULL CHECK (limit_name IN ('requests_per_day', 'tokens_per_day', 'spend_per_day')),
  day BIGINT NOT NULL,
  value BIGINT NOT NULL,
  PRIMARY KEY (key_id, limit_name, day, value)
);

CREATE INDEX chat_reached_key_limits_by_age ON chat_reached_key_limits (day);

-- The keys of requests under way, only for keys with limits. They are in a table of their own, because servers of the version
-- before pass whole rows of chat_leases. A row whose lease has ended counts nowhere, and is removed later.
CREATE TABLE chat_key_leases (
  lease_id TEXT COLLATE "C" PRIMARY KEY,
  key_id TEXT COLLATE "C" NOT NULL,
  expires_at BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE INDEX chat_key_leases_of_key ON chat_key_leases (key_id);
CREATE INDEX chat_key_leases_by_expiry ON chat_key_leases (expires_at);

-- Does what hold_chat() does, if the totals of the key are within its bounds too. Returns them as well. The lock of the account
-- serializes all requests of its keys. Minutes have 60,000 milliseconds.
CREATE FUNCTION hold_chat_of_key(
  lease chat_leases, now_ms BIGINT, monday BIGINT, week_end BIGINT, since BIGINT, spend_weight BIGINT, has_capacity BOOLEAN,
  max_running BIGINT, latest_start BIGINT, max_requests BIGINT, max_today BIGINT, max_week BIGINT, max_spend BIGINT,
  max_installation_running BIGINT, max_installation_tokens BIGINT,
  of_key TEXT, max_key_minute BIGINT, max_key_requests BIGINT, max_key_today BIGINT, max_key_spend BIGINT,
  OUT is_held BOOLEAN, OUT running BIGINT, OUT last_started_at BIGINT,
  OUT used_today BIGINT[], OUT used_week BIGINT[], OUT held_today BIGINT[], OUT held_week BIGINT[], OUT installation BIGINT[],
  OUT key_used BIGINT[], OUT key_held BIGINT[], OUT key_minute BIGINT
) LANGUAGE plpgsql AS $$
DECLARE
  this_minute BIGINT := lease.started_at / 60000 * 60000;
  minute_used BIGINT;
  minute_held BIGINT;
  fits BOOLEAN;
BEGIN
  IF has_capacity THEN
    PERFORM 1 FROM chat_installation FOR UPDATE;
  END IF;
  PERFORM 1 FROM accounts WHERE account_id = lease.account_id FOR NO KEY UPDATE;
  -- One statement, because a request that ends moves its tokens from one of these tables to the other.
  SELECT charged.today, charged.minute, held.today, held.minute INTO key_used, minute_used, key_held, minute_held
  FROM (
    SELECT ARRAY[coalesce(sum(requests), 0), coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0)]::BIGINT[] AS today,
      coalesce(sum(minute_requests) FILTER (WHERE days.minute = this_minute), 0)::BIGINT AS minute
    FROM chat_usage_days AS days WHERE account_id = lease.account_id AND day = lease.day AND key_id = of_key
  ) AS charged, (
    SELECT ARRAY[count(*) FILTER (WHERE day = lease.day), coalesce(sum(input_tokens) FILTER (WHERE day = lease.day), 0),
        coalesce(sum(output_tokens) FILTER (WHERE day = lease.day), 0)]::BIGINT[] AS today,
      count(*) FILTER (WHERE started_at / 60000 * 60000 = this_minute) AS minute
    FROM chat_key_leases AS of_keys JOIN chat_leases AS leases USING (lease_id)
    WHERE of_keys.key_id = of_key AND lease_id <> lease.lease_id AND leases.expires_at > now_ms
  ) AS held;
  key_minute := minute_used + minute_held;
  fits := (max_key_minute IS NULL OR key_minute <= max_key_minute)
    AND (max_key_requests IS NULL OR key_used[1] + key_held[1] <= max_key_requests)
    AND (max_key_today IS NULL OR key_used[2] + key_used[3] + key_held[2] + key_held[3] <= max_key_today)
    AND (max_key_spend IS NULL OR key_used[2] + key_held[2] + spend_weight * (key_used[3] + key_held[3]) <= max_key_spend);
  -- A bound that no request is within: the totals are needed, and nothing may be held.
  SELECT held.is_held, held.running, held.last_started_at, held.used_today, held.used_week, held.held_today, held.held_week,
    held.installation
  INTO is_held, running, last_started_at, used_today, used_week, held_today, held_week, installation
  FROM hold_chat(lease, now_ms, monday, week_end, since, spend_weight, has_capacity,
    CASE WHEN fits THEN max_running ELSE -1 END, latest_start, max_requests, max_today, max_week, max_spend,
    max_installation_running, max_installation_tokens) AS held;
  IF is_held THEN
    INSERT INTO chat_key_leases VALUES (lease.lease_id, of_key, lease.expires_at)
    ON CONFLICT (lease_id) DO UPDATE SET expires_at = excluded.expires_at;
  END IF;
END $$;

-- Does what settle_chat() does, and adds the charge to the usage of the key and the model.
CREATE FUNCTION settle_chat_of_key(
  lease TEXT, input BIGINT, output BIGINT, monday BIGINT, week_end BIGINT, spend_weight BIGINT,
  spend_limit BIGINT, day_limit BIGINT, week_limit BIGINT, of_key TEXT, of_model TEXT
) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
  held chat_leases;
  spend_used BIGINT;
  day_used BIGINT;
  week_used BIGINT;
BEGIN
  SELECT * INTO held FROM chat_leases WHERE lease_id = lease;
  IF NOT FOUND THEN
    RETURN TRUE;
  END IF;
  PERFORM 1 FROM accounts WHERE account_id = held.account_id FOR NO KEY UPDATE;
  SELECT coalesce(sum(input_tokens + spend_weight * output_tokens) FILTER (WHERE day = held.day), 0),
    coalesce(sum(input_tokens + output_tokens) FILTER (WHERE day = held.day), 0),
    coalesce(sum(input_tokens + output_tokens), 0)
  INTO spend_used, day_used, week_used
  FROM chat_days WHERE account_id = held.account_id AND day >= monday AND day < week_end;
  IF spend_used + input + spend_weight * output >= spend_limit
    OR day_used + input + output >= day_limit OR week_used + input + output >= week_limit THEN
    RETURN FALSE;
  END IF;
  DELETE FROM chat_key_leases WHERE lease_id = lease;
  DELETE FROM chat_leases WHERE lease_id = lease;
  IF NOT FOUND THEN
    RETURN TRUE;
  END IF;
  INSERT INTO chat_days AS kept (account_id, day, requests, input_tokens, output_tokens, last_started_at)
  VALUES (held.account_id, held.day, 1, input, output, held.started_at)
  ON CONFLICT (account_id, day) DO UPDATE SET requests = kept.requests + 1,
    input_tokens = kept.input_tokens + excluded.input_tokens,
    output_tokens = kept.output_tokens + excluded.output_tokens,
    last_started_at = greatest(kept.last_started_at, excluded.last_started_at);
  INSERT INTO chat_usage_days AS kept
    (account_id, day, key_id, model, requests, input_tokens, output_tokens, minute, minute_requests)
  VALUES (held.account_id, held.day, of_key, of_model, 1, input, output, held.started_at / 60000 * 60000, 1)
  ON CONFLICT (account_id, day, key_id, model) DO UPDATE SET requests = kept.requests + 1,
    input_tokens = kept.input_tokens + excluded.input_tokens,
    output_tokens = kept.output_tokens + excluded.output_tokens,
    minute_requests = CASE WHEN excluded.minute > kept.minute THEN 1
      WHEN excluded.minute = kept.minute THEN kept.minute_requests + 1 ELSE kept.minute_requests END,
    minute = greatest(kept.minute, excluded.minute);
  INSERT INTO chat_installation_days AS kept (day, tokens) VALUES (held.day, input + output)
  ON CONFLICT (day) DO UPDATE SET tokens = kept.tokens + excluded.tokens;
  RETURN TRUE;
END $$;
