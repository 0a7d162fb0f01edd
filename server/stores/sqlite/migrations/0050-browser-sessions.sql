-- Browsers that are signed in at the console. `hash` is that of the secret in the cookie.
CREATE TABLE browser_sessions (
  session_id TEXT PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  -- NULL at the operator's door, where key_id is that of an operator key.
  account_id TEXT,
  key_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  source_ip TEXT NOT NULL,
  user_agent TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX browser_sessions_of_account ON browser_sessions (account_id, created_at);
CREATE INDEX browser_sessions_of_key ON browser_sessions (key_id);
CREATE INDEX browser_sessions_by_age ON browser_sessions (expires_at);
