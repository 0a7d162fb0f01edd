-- oldest server: 8
-- Budgets of the AI gateway that were reached, so that each is told once in its period. A raised limit is another one.
CREATE TABLE chat_reached_budgets (
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  budget TEXT COLLATE "C" NOT NULL CHECK (budget IN ('daily_spend', 'daily_tokens', 'weekly_tokens')),
  starts_at BIGINT NOT NULL,
  token_limit BIGINT NOT NULL,
  PRIMARY KEY (account_id, budget, starts_at, token_limit)
);

CREATE INDEX chat_reached_budgets_by_age ON chat_reached_budgets (starts_at);

-- Removes a lease and charges for it, unless that reaches a budget: then it changes nothing and returns false, and the
-- caller does the same together with the event. The lock is a statement of its own, so that the next one sees what the
-- holder before has charged. All charges of an account hold it.
CREATE FUNCTION settle_chat(
  lease TEXT, input BIGINT, output BIGINT, monday BIGINT, week_end BIGINT, spend_weight BIGINT,
  spend_limit BIGINT, day_limit BIGINT, week_limit BIGINT
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
  INSERT INTO chat_installation_days AS kept (day, tokens) VALUES (held.day, input + output)
  ON CONFLICT (day) DO UPDATE SET tokens = kept.tokens + excluded.tokens;
  RETURN TRUE;
END $$;
