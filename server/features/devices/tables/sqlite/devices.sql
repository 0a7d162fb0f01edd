-- Requests of devices and command lines for a key.

-- Programs that ask for a key of their own. They are kept until a day after their time.
CREATE TABLE device_requests (
  device_hash BLOB PRIMARY KEY,                         -- Keyed hash of the code that the program polls with.
  user_hash BLOB NOT NULL UNIQUE,                       -- Keyed hash of the code that a person types.
  client_name TEXT NOT NULL,                            -- What the program calls itself.
  scopes TEXT NOT NULL CHECK (json_valid(scopes)),      -- What it wants to do, a JSON list.
  source_ip TEXT NOT NULL,                              -- Where its request came from.
  -- How far the request is.
  state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'refused', 'spent')),
  created_at INTEGER NOT NULL,                          -- When it made the request.
  expires_at INTEGER NOT NULL,                          -- When the codes end.
  interval_ms INTEGER NOT NULL CHECK (interval_ms > 0), -- How long it must wait between two polls.
  polled_at INTEGER,                                    -- When it last polled. NULL: never.
  -- The account of the person who decided. NULL until then.
  account_id TEXT REFERENCES accounts CHECK ((account_id IS NULL) = (state = 'pending')),
  -- The key of the person who decided. NULL until then.
  key_id TEXT REFERENCES api_keys CHECK ((key_id IS NULL) = (account_id IS NULL)),
  decided_from TEXT,                                    -- The address of the person who decided.
  decided_with TEXT                                     -- The browser of the person who decided.
) STRICT, WITHOUT ROWID;
-- Requests to forget.
CREATE INDEX device_requests_by_age ON device_requests (expires_at);
