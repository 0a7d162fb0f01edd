CREATE TABLE upload_tokens (
  token_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts,
  -- The key that minted it.
  key_id TEXT NOT NULL REFERENCES api_keys,
  -- Keyed hash of the secret; the secret itself is kept nowhere.
  hash BLOB NOT NULL UNIQUE,
  pins TEXT NOT NULL CHECK (json_valid(pins)),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- When its key got another secret.
  ended_at INTEGER,
  max_uses INTEGER NOT NULL,
  uses_left INTEGER NOT NULL CHECK (uses_left >= 0),
  -- Uses that uploads under way have taken and may give back.
  uses_held INTEGER NOT NULL DEFAULT 0 CHECK (uses_held >= 0)
) STRICT, WITHOUT ROWID;

CREATE INDEX upload_tokens_by_expiry ON upload_tokens (expires_at);
CREATE INDEX upload_tokens_by_key ON upload_tokens (key_id);
