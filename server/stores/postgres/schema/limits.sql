-- Counters of requests and of failures.

-- Rate limits that survive a restart: blocks, and windows over a minute.
CREATE TABLE limit_windows (
  key TEXT COLLATE "C" PRIMARY KEY, -- What is counted, and for whom.
  used BIGINT NOT NULL,             -- What was used of the window.
  ends_at BIGINT NOT NULL,          -- When the window ends.
  blocked_until BIGINT NOT NULL     -- Until when all is refused. 0: nothing is.
) WITH (fillfactor = 50);
-- Windows to forget.
CREATE INDEX limit_windows_by_end ON limit_windows (ends_at);

-- Counts of rate limits, not logged: they begin anew after a failover. Blocks are in limit_windows.
CREATE UNLOGGED TABLE rates (
  key TEXT COLLATE "C" PRIMARY KEY, -- What is counted, and for whom.
  used BIGINT NOT NULL,             -- What was used of the window.
  ends_at BIGINT NOT NULL,          -- When the window ends.
  booked BIGINT NOT NULL DEFAULT 0  -- Requests that wait for the next window. It begins when the present one ends.
) WITH (fillfactor = 50);
-- Counts to forget.
CREATE INDEX rates_by_end ON rates (ends_at);

-- Slots of simultaneous requests.
CREATE TABLE slots (
  key TEXT COLLATE "C" PRIMARY KEY, -- What they are slots of.
  -- {"<id>": [<until>, "<replica>"]}. One that waits has its place and the limit behind these.
  leases JSONB NOT NULL
) WITH (fillfactor = 50);

-- Takes from all counters as often as all have space, at most `times` times. If there is one counter and it lets
-- requests wait, the others book places in its next window, up to `max_booked` in all. The keys are sorted, so that two
-- calls never wait for each other. A loop, because a sweep may remove a row between the insert and the lock.
CREATE FUNCTION take_places(
  now_ms BIGINT, times BIGINT, keys TEXT[], limits BIGINT[], window_ms BIGINT[], costs BIGINT[], block_ms BIGINT[],
  max_booked BIGINT,
  OUT granted BIGINT, OUT places BIGINT, OUT used BIGINT[], OUT ends_at BIGINT[], OUT blocked_until BIGINT[]
) LANGUAGE plpgsql AS $$
DECLARE
  awaited BIGINT[];
BEGIN
  LOOP
    SELECT array_agg(locked.used ORDER BY array_position(keys, locked.key)),
      array_agg(locked.ends_at ORDER BY array_position(keys, locked.key)),
      array_agg(locked.booked ORDER BY array_position(keys, locked.key)) INTO used, ends_at, awaited
    FROM (
      SELECT rates.* FROM rates WHERE rates.key = ANY (keys) ORDER BY array_position(keys, rates.key) FOR UPDATE
    ) AS locked;
    EXIT WHEN cardinality(used) = cardinality(keys);
    INSERT INTO rates SELECT one.key, 0, 0, 0 FROM unnest(keys) WITH ORDINALITY AS one (key, place) ORDER BY one.place
    ON CONFLICT DO NOTHING;
  END LOOP;
  -- Read after the locks: a block is made under them.
  SELECT array_agg(coalesce(windows.blocked_until, 0) ORDER BY one.place) INTO blocked_until
  FROM unnest(keys) WITH ORDINALITY AS one (key, place) LEFT JOIN limit_windows AS windows ON windows.key = one.key;
  granted := times;
  FOR n IN 1 .. cardinality(keys) LOOP
    IF awaited[n] > 0 AND ends_at[n] <= now_ms THEN
      used[n] := awaited[n];
      awaited[n] := 0;
      ends_at[n] := ends_at[n] + window_ms[n];
    END IF;
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
  places := 0;
  IF granted < times AND cardinality(keys) = 1 AND blocked_until[1] <= now_ms THEN
    places := greatest(0, least(times - granted, least(max_booked, limits[1]) - awaited[1]));
    awaited[1] := awaited[1] + places;
  END IF;
  FOR n IN 1 .. cardinality(keys) LOOP
    used[n] := used[n] + granted * costs[n];
    IF granted + places < times AND block_ms[n] IS NOT NULL AND blocked_until[n] <= now_ms
      AND used[n] + costs[n] > limits[n]
    THEN
      blocked_until[n] := now_ms + block_ms[n];
      INSERT INTO limit_windows AS windows (key, used, ends_at, blocked_until)
      VALUES (keys[n], used[n], ends_at[n], blocked_until[n])
      ON CONFLICT (key) DO UPDATE
      SET used = excluded.used, ends_at = excluded.ends_at, blocked_until = excluded.blocked_until;
    END IF;
  END LOOP;
  IF granted + places > 0 THEN
    UPDATE rates SET used = taken.used, ends_at = taken.ends_at, booked = taken.booked
    FROM unnest(keys, take_places.used, take_places.ends_at, awaited) AS taken (key, used, ends_at, booked)
    WHERE rates.key = taken.key;
  END IF;
END $$;

-- Drops what has expired at `now_ms`, and gives free slots to those that wait, in their order. Each of them is
-- notified, and has the slot for `lease_ms` after the end of its wait.
CREATE FUNCTION settle_slots(leases JSONB, now_ms BIGINT, lease_ms BIGINT) RETURNS JSONB LANGUAGE plpgsql AS $$
DECLARE
  settled JSONB;
  taken BIGINT;
  waiter RECORD;
BEGIN
  SELECT coalesce(jsonb_object_agg(id, lease), '{}'), count(*) FILTER (WHERE jsonb_array_length(lease) = 2)
  INTO settled, taken FROM jsonb_each(leases) AS one (id, lease) WHERE (lease ->> 0)::BIGINT > now_ms;
  FOR waiter IN
    SELECT id, lease, (lease ->> 3)::BIGINT AS slot_limit FROM jsonb_each(settled) AS one (id, lease)
    WHERE jsonb_array_length(lease) = 4 ORDER BY (lease ->> 2)::BIGINT
  LOOP
    EXIT WHEN taken >= waiter.slot_limit;
    settled := settled || jsonb_build_object(
      waiter.id, jsonb_build_array((waiter.lease ->> 0)::BIGINT + lease_ms, waiter.lease ->> 1)
    );
    taken := taken + 1;
    PERFORM pg_notify('cubby_slots', waiter.id);
  END LOOP;
  RETURN settled;
END $$;

-- Takes from counters as take_places does, and then a slot for each request that may go on at once, in the order of
-- their ids. Slots need not survive a crash of the database, unlike blocks.
CREATE FUNCTION admit_places(
  now_ms BIGINT, keys TEXT[], limits BIGINT[], window_ms BIGINT[], costs BIGINT[], block_ms BIGINT[], max_booked BIGINT,
  slot_key TEXT, slot_limit BIGINT, slot_ids TEXT[], lease_ms BIGINT, slot_owner TEXT,
  OUT granted BIGINT, OUT places BIGINT, OUT used BIGINT[], OUT ends_at BIGINT[], OUT blocked_until BIGINT[],
  OUT slots_taken BIGINT
) LANGUAGE plpgsql AS $$
DECLARE
  others JSONB;
BEGIN
  granted := cardinality(slot_ids);
  places := 0;
  slots_taken := 0;
  IF cardinality(keys) > 0 THEN
    SELECT taken.granted, taken.places, taken.used, taken.ends_at, taken.blocked_until
    INTO granted, places, used, ends_at, blocked_until
    FROM take_places(now_ms, cardinality(slot_ids), keys, limits, window_ms, costs, block_ms, max_booked) AS taken;
  END IF;
  IF granted + places = cardinality(slot_ids) THEN
    PERFORM set_config('synchronous_commit', 'off', TRUE);
  END IF;
  IF granted = 0 THEN
    RETURN;
  END IF;
  LOOP
    SELECT leases INTO others FROM slots WHERE key = slot_key FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO slots VALUES (slot_key, '{}') ON CONFLICT DO NOTHING;
  END LOOP;
  -- A repeated call does not count its own slots.
  others := settle_slots(others - slot_ids, now_ms, lease_ms);
  slots_taken := greatest(0, least(granted, slot_limit - (SELECT count(*) FROM jsonb_object_keys(others))));
  UPDATE slots SET leases = others || (
    SELECT coalesce(jsonb_object_agg(id, jsonb_build_array(now_ms + lease_ms, slot_owner)), '{}')
    FROM unnest(slot_ids[1:slots_taken]) AS one (id)
  ) WHERE key = slot_key;
END $$;

-- Takes a slot, or waits for one behind the others. Returns 'taken', 'waiting', or 'full' if `max_waiting` wait.
CREATE FUNCTION wait_for_slot(
  now_ms BIGINT, slot_key TEXT, slot_limit BIGINT, slot_id TEXT, waits_until BIGINT, max_waiting BIGINT,
  lease_ms BIGINT, slot_owner TEXT
) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  others JSONB;
  waiting BIGINT;
  last_place BIGINT;
  own JSONB;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', TRUE);
  LOOP
    SELECT leases INTO others FROM slots WHERE key = slot_key FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO slots VALUES (slot_key, '{}') ON CONFLICT DO NOTHING;
  END LOOP;
  -- A repeated call does not wait for itself.
  others := settle_slots(others - slot_id, now_ms, lease_ms);
  SELECT count(*), coalesce(max((lease ->> 2)::BIGINT), 0) INTO waiting, last_place
  FROM jsonb_each(others) AS one (id, lease) WHERE jsonb_array_length(lease) = 4;
  IF (SELECT count(*) FROM jsonb_object_keys(others)) < slot_limit THEN
    own := jsonb_build_array(now_ms + lease_ms, slot_owner);
  ELSIF waiting < max_waiting THEN
    own := jsonb_build_array(waits_until, slot_owner, last_place + 1, slot_limit);
  END IF;
  UPDATE slots SET leases = CASE WHEN own IS NULL THEN others ELSE others || jsonb_build_object(slot_id, own) END
  WHERE key = slot_key;
  RETURN CASE jsonb_array_length(own) WHEN 2 THEN 'taken' WHEN 4 THEN 'waiting' ELSE 'full' END;
END $$;
