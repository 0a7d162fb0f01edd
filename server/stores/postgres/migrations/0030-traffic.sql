-- oldest server: 8
-- Requests of accounts and bytes sent to them, on each day in UTC.
CREATE TABLE traffic_days (
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  -- The midnight in UTC at which the day begins.
  day BIGINT NOT NULL,
  requests BIGINT NOT NULL CHECK (requests >= 0),
  egress_bytes BIGINT NOT NULL CHECK (egress_bytes >= 0),
  PRIMARY KEY (account_id, day)
) WITH (fillfactor = 50);

CREATE INDEX traffic_days_by_age ON traffic_days (day);

-- When the server began to count the account's requests. 0 for accounts that are younger than the counting.
ALTER TABLE accounts ADD COLUMN IF NOT EXISTS traffic_from BIGINT NOT NULL DEFAULT 0;
UPDATE accounts SET traffic_from = CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT);
