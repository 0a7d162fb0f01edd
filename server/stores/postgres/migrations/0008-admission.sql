-- oldest server: 3
-- Takes from counters as take_rates does, and then a slot for each request that was allowed, in the order of their ids.
-- Slots need not survive a crash of the database, unlike blocks, so a request that is allowed does not wait for the disk.
CREATE FUNCTION admit_requests(
  now_ms BIGINT, keys TEXT[], limits BIGINT[], window_ms BIGINT[], costs BIGINT[], block_ms BIGINT[],
  slot_key TEXT, slot_limit BIGINT, slot_ids TEXT[], leased_until BIGINT, slot_owner TEXT,
  OUT granted BIGINT, OUT used BIGINT[], OUT ends_at BIGINT[], OUT blocked_until BIGINT[], OUT slots_taken BIGINT
) LANGUAGE plpgsql AS $$
DECLARE
  others JSONB;
BEGIN
  granted := cardinality(slot_ids);
  slots_taken := 0;
  IF cardinality(keys) > 0 THEN
    SELECT taken.granted, taken.used, taken.ends_at, taken.blocked_until INTO granted, used, ends_at, blocked_until
    FROM take_rates(now_ms, cardinality(slot_ids), keys, limits, window_ms, costs, block_ms) AS taken;
  END IF;
  IF granted = cardinality(slot_ids) THEN
    PERFORM set_config('synchronous_commit', 'off', TRUE);
  END IF;
  IF granted = 0 THEN
    RETURN;
  END IF;
  LOOP
    SELECT held INTO others FROM slots WHERE key = slot_key FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO slots VALUES (slot_key, '{}') ON CONFLICT DO NOTHING;
  END LOOP;
  -- A repeated call does not count its own slots.
  SELECT coalesce(jsonb_object_agg(holder, lease), '{}') INTO others FROM jsonb_each(others) AS one (holder, lease)
  WHERE (lease ->> 0)::BIGINT > now_ms AND holder <> ALL (slot_ids);
  slots_taken := greatest(0, least(granted, slot_limit - (SELECT count(*) FROM jsonb_object_keys(others))));
  UPDATE slots SET held = others || (
    SELECT coalesce(jsonb_object_agg(id, jsonb_build_array(leased_until, slot_owner)), '{}')
    FROM unnest(slot_ids[1:slots_taken]) AS one (id)
  ) WHERE key = slot_key;
END $$;
