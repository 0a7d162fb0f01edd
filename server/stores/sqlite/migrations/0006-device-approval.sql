-- Clients that ask for a key of their own, until a day after their time ran out. Codes are kept as keyed hashes alone.
CREATE TABLE device_requests (
  device_hash BLOB PRIMARY KEY,
  user_hash BLOB NOT NULL UNIQUE,
  client_name TEXT NOT NULL,
  scopes TEXT NOT NULL CHECK (json_valid(scopes)),
  source_ip TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'refused', 'spent')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  interval_ms INTEGER NOT NULL CHECK (interval_ms > 0),
  polled_at INTEGER,
  -- Who decided, from which address and with which client; null until then.
  account_id TEXT REFERENCES accounts CHECK ((account_id IS NULL) = (state = 'pending')),
  key_id TEXT REFERENCES api_keys CHECK ((key_id IS NULL) = (account_id IS NULL)),
  decided_from TEXT,
  decided_with TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX device_requests_by_age ON device_requests (expires_at);

-- Who is signed in at the approval page.
CREATE TABLE sessions (
  hash BLOB PRIMARY KEY,
  -- As api_keys.hash: with another secret the key has another one, and the session is over.
  key_hash BLOB NOT NULL,
  expires_at INTEGER NOT NULL,
  wrong_codes INTEGER NOT NULL DEFAULT 0 CHECK (wrong_codes >= 0)
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_age ON sessions (expires_at);
