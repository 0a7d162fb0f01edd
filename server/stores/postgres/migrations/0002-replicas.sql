-- The server processes that share this database. What belongs to one whose lease has ended is given back by the others.
CREATE TABLE replicas (
  replica_id TEXT COLLATE "C" PRIMARY KEY,
  leased_until BIGINT NOT NULL
) WITH (fillfactor = 50);

-- A process without a lease. Nobody gives back what belongs to it.
INSERT INTO replicas VALUES ('', 9223372036854775807);

-- A reservation cannot be made for a process that was given up, and a process cannot be forgotten before its reservations.
ALTER TABLE reservations ADD COLUMN owner TEXT COLLATE "C" NOT NULL DEFAULT '' REFERENCES replicas;
CREATE INDEX reservations_of_owner ON reservations (owner);

-- Uses of upload tokens that uploads under way have taken and may give back.
CREATE TABLE held_token_uses (
  token_id TEXT COLLATE "C" NOT NULL REFERENCES upload_tokens ON DELETE CASCADE,
  owner TEXT COLLATE "C" NOT NULL REFERENCES replicas,
  uses BIGINT NOT NULL CHECK (uses >= 0),
  PRIMARY KEY (token_id, owner)
);
CREATE INDEX held_token_uses_of_owner ON held_token_uses (owner);
INSERT INTO held_token_uses SELECT token_id, '', uses_held FROM upload_tokens WHERE uses_held > 0;
ALTER TABLE upload_tokens DROP COLUMN uses_held;

-- Who runs a background job. Each write of the job compares the epoch, so that a process that lost the job writes nothing.
CREATE TABLE job_leases (
  job TEXT COLLATE "C" PRIMARY KEY,
  epoch BIGINT NOT NULL,
  -- NULL while nobody runs it.
  owner TEXT COLLATE "C" REFERENCES replicas ON DELETE SET NULL,
  ended_at BIGINT NOT NULL
) WITH (fillfactor = 50);

-- Counts of rate limits. Unlogged: they begin anew after a failover. Blocks are in limit_windows, which is logged.
CREATE UNLOGGED TABLE rates (
  key TEXT COLLATE "C" PRIMARY KEY,
  used BIGINT NOT NULL,
  ends_at BIGINT NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX rates_by_end ON rates (ends_at);

-- Takes from all counters as often as all have room, at most `times` times. The keys are sorted, so that two calls never
-- wait for each other. A loop, because a sweep may remove a row between the insert and the lock.
CREATE FUNCTION take_rates(
  now_ms BIGINT, times BIGINT, keys TEXT[], limits BIGINT[], window_ms BIGINT[], costs BIGINT[], block_ms BIGINT[],
  OUT granted BIGINT, OUT used BIGINT[], OUT ends_at BIGINT[], OUT blocked_until BIGINT[]
) LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    SELECT array_agg(locked.used ORDER BY array_position(keys, locked.key)),
      array_agg(locked.ends_at ORDER BY array_position(keys, locked.key)) INTO used, ends_at
    FROM (
      SELECT rates.* FROM rates WHERE rates.key = ANY (keys) ORDER BY array_position(keys, rates.key) FOR UPDATE
    ) AS locked;
    EXIT WHEN cardinality(used) = cardinality(keys);
    INSERT INTO rates SELECT one.key, 0, 0 FROM unnest(keys) WITH ORDINALITY AS one (key, place) ORDER BY one.place
    ON CONFLICT DO NOTHING;
  END LOOP;
  -- Read after the locks: a block is made under them.
  SELECT array_agg(coalesce(windows.blocked_until, 0) ORDER BY one.place) INTO blocked_until
  FROM unnest(keys) WITH ORDINALITY AS one (key, place) LEFT JOIN limit_windows AS windows ON windows.key = one.key;
  granted := times;
  FOR n IN 1 .. cardinality(keys) LOOP
    IF ends_at[n] <= now_ms THEN
      used[n] := 0;
      ends_at[n] := now_ms + window_ms[n];
    END IF;
    IF blocked_until[n] > now_ms OR used[n] > limits[n] THEN
      granted := 0;
    ELSIF costs[n] > 0 THEN
      granted := least(granted, (limits[n] - used[n]) / costs[n]);
    END IF;
  END LOOP;
  FOR n IN 1 .. cardinality(keys) LOOP
    used[n] := used[n] + granted * costs[n];
    IF granted < times AND block_ms[n] IS NOT NULL AND blocked_until[n] <= now_ms AND used[n] + costs[n] > limits[n] THEN
      blocked_until[n] := now_ms + block_ms[n];
      INSERT INTO limit_windows AS windows (key, used, ends_at, blocked_until)
      VALUES (keys[n], used[n], ends_at[n], blocked_until[n])
      ON CONFLICT (key) DO UPDATE SET used = excluded.used, ends_at = excluded.ends_at, blocked_until = excluded.blocked_until;
    END IF;
  END LOOP;
  IF granted > 0 THEN
    UPDATE rates SET used = taken.used, ends_at = taken.ends_at
    FROM unnest(keys, take_rates.used, take_rates.ends_at) AS taken (key, used, ends_at) WHERE rates.key = taken.key;
  END IF;
END $$;

-- Slots of simultaneous requests: {"<id>": [<leased until>, "<replica>"]}.
CREATE TABLE slots (
  key TEXT COLLATE "C" PRIMARY KEY,
  held JSONB NOT NULL
) WITH (fillfactor = 50);

-- Counters of tries of passwords: windows, and delays with their series.
CREATE TABLE password_tries (
  key TEXT COLLATE "C" PRIMARY KEY,
  count BIGINT NOT NULL,
  until BIGINT NOT NULL,
  series TEXT NOT NULL,
  forgotten_at BIGINT NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX password_tries_by_age ON password_tries (forgotten_at);

-- Tokens that are reserved for requests of the AI gateway under way. They are free again when their process is given up.
CREATE TABLE chat_leases (
  lease_id TEXT COLLATE "C" PRIMARY KEY,
  owner TEXT COLLATE "C" NOT NULL REFERENCES replicas ON DELETE CASCADE,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  started_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  day BIGINT NOT NULL,
  input_tokens BIGINT NOT NULL CHECK (input_tokens >= 0),
  output_tokens BIGINT NOT NULL CHECK (output_tokens > 0)
) WITH (fillfactor = 50);
CREATE INDEX chat_leases_of_account ON chat_leases (account_id);
CREATE INDEX chat_leases_of_owner ON chat_leases (owner);
-- With what an installation that has a capacity adds up for each request.
CREATE INDEX chat_leases_by_expiry ON chat_leases (expires_at, day, input_tokens, output_tokens);

-- The row that requests lock when the installation has a capacity.
CREATE TABLE chat_installation (one INTEGER PRIMARY KEY CHECK (one = 1));
INSERT INTO chat_installation VALUES (1);

-- Reserves the tokens of a request if all totals are within its bounds, and returns the totals. The lock is a statement of
-- its own, so that the next one sees what the holder before has written.
CREATE FUNCTION hold_chat(
  lease chat_leases, now_ms BIGINT, monday BIGINT, week_end BIGINT, since BIGINT, spend_weight BIGINT, has_capacity BOOLEAN,
  max_running BIGINT, latest_start BIGINT, max_requests BIGINT, max_today BIGINT, max_week BIGINT, max_spend BIGINT,
  max_installation_running BIGINT, max_installation_tokens BIGINT,
  OUT is_held BOOLEAN, OUT running BIGINT, OUT last_started_at BIGINT,
  OUT used_today BIGINT[], OUT used_week BIGINT[], OUT held_today BIGINT[], OUT held_week BIGINT[], OUT installation BIGINT[]
) LANGUAGE plpgsql AS $$
BEGIN
  IF has_capacity THEN
    PERFORM 1 FROM chat_installation FOR UPDATE;
  END IF;
  PERFORM 1 FROM accounts WHERE account_id = lease.account_id FOR NO KEY UPDATE;
  -- One statement, because a request that ends moves its tokens from one of these tables to the other.
  SELECT held.running, greatest(held.last_started_at, charged.last_started_at),
    charged.today, charged.week, held.today, held.week
  INTO running, last_started_at, used_today, used_week, held_today, held_week
  FROM (
    SELECT max(days.last_started_at) AS last_started_at,
      ARRAY[coalesce(sum(requests) FILTER (WHERE day = lease.day), 0), coalesce(sum(input_tokens) FILTER (WHERE day = lease.day), 0),
        coalesce(sum(output_tokens) FILTER (WHERE day = lease.day), 0)]::BIGINT[] AS today,
      ARRAY[coalesce(sum(requests) FILTER (WHERE day >= monday AND day < week_end), 0),
        coalesce(sum(input_tokens) FILTER (WHERE day >= monday AND day < week_end), 0),
        coalesce(sum(output_tokens) FILTER (WHERE day >= monday AND day < week_end), 0)]::BIGINT[] AS week
    FROM chat_days AS days WHERE account_id = lease.account_id AND day >= since
  ) AS charged, (
    SELECT count(*) AS running, max(started_at) AS last_started_at,
      ARRAY[count(*) FILTER (WHERE day = lease.day), coalesce(sum(input_tokens) FILTER (WHERE day = lease.day), 0),
        coalesce(sum(output_tokens) FILTER (WHERE day = lease.day), 0)]::BIGINT[] AS today,
      ARRAY[count(*) FILTER (WHERE day >= monday AND day < week_end),
        coalesce(sum(input_tokens) FILTER (WHERE day >= monday AND day < week_end), 0),
        coalesce(sum(output_tokens) FILTER (WHERE day >= monday AND day < week_end), 0)]::BIGINT[] AS week
    FROM chat_leases AS leases
    WHERE account_id = lease.account_id AND lease_id <> lease.lease_id AND expires_at > now_ms
  ) AS held;
  installation := ARRAY[0, 0, 0];
  IF has_capacity THEN
    SELECT ARRAY[count(*), (SELECT coalesce(max(tokens), 0) FROM chat_installation_days WHERE day = lease.day),
      coalesce(sum(input_tokens + output_tokens) FILTER (WHERE day = lease.day), 0)]::BIGINT[]
    INTO installation FROM chat_leases WHERE lease_id <> lease.lease_id AND expires_at > now_ms;
  END IF;
  is_held := running <= max_running
    AND (last_started_at IS NULL OR last_started_at > lease.started_at OR last_started_at <= latest_start)
    AND (max_requests IS NULL OR used_today[1] + held_today[1] <= max_requests)
    AND used_today[2] + used_today[3] + held_today[2] + held_today[3] <= max_today
    AND used_week[2] + used_week[3] + held_week[2] + held_week[3] <= max_week
    AND used_today[2] + held_today[2] + spend_weight * (used_today[3] + held_today[3]) <= max_spend
    AND (max_installation_running IS NULL OR installation[1] <= max_installation_running)
    AND (max_installation_tokens IS NULL OR installation[2] + installation[3] <= max_installation_tokens);
  IF is_held THEN
    INSERT INTO chat_leases SELECT lease.*
    ON CONFLICT (lease_id) DO UPDATE SET input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
      started_at = excluded.started_at, expires_at = excluded.expires_at, day = excluded.day;
  END IF;
END $$;
