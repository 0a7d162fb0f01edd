-- Requests of accounts and bytes sent to them, on each day in UTC.
CREATE TABLE traffic_days (
  account_id TEXT NOT NULL REFERENCES accounts,
  -- The midnight in UTC at which the day begins.
  day INTEGER NOT NULL,
  requests INTEGER NOT NULL CHECK (requests >= 0),
  egress_bytes INTEGER NOT NULL CHECK (egress_bytes >= 0),
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX traffic_days_by_age ON traffic_days (day);

-- When the server began to count the account's requests. 0 for accounts that are younger than the counting.
ALTER TABLE accounts ADD COLUMN traffic_from INTEGER NOT NULL DEFAULT 0;
UPDATE accounts SET traffic_from = unixepoch() * 1000;
