-- API keys, operator keys, and who is signed in with one. Of a secret only a keyed hash is stored.

-- Keys of accounts.
CREATE TABLE api_keys (
  key_id TEXT COLLATE "C" PRIMARY KEY,  -- Its id.
  -- The account that it belongs to.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  name TEXT NOT NULL,                   -- Its name, for people.
  hash BYTEA NOT NULL UNIQUE,           -- Keyed hash of the secret.
  last4 TEXT NOT NULL,                  -- The last four characters of the secret, for people.
  scopes TEXT NOT NULL,                 -- What it may do, a JSON list.
  resources TEXT,                       -- The kinds of things it may touch, a JSON list. NULL: all.
  prefixes TEXT,                        -- The folders that it may touch, a JSON list. NULL: all.
  created_at BIGINT NOT NULL,           -- When it was created.
  last_used_at BIGINT,                  -- When it was last used, to the minute. NULL: never.
  expires_at BIGINT,                    -- When it ends by itself. NULL: never.
  revoked_at BIGINT,                    -- When it was revoked. NULL: it was not.
  -- The public part of its S3 key pair, also the salt of that secret. NULL: it has no pair.
  s3_salt TEXT COLLATE "C",
  s3_check TEXT,                        -- Recognises the master key that the pair was made under.
  master_key BIGINT NOT NULL DEFAULT 1, -- The number of the master key that `hash` is made with.
  -- The secret of the pair, encrypted, if it was derived from a former master key.
  s3_sealed TEXT,
  ai_limits TEXT                        -- Its limits in the AI gateway, as JSON. NULL: none.
) WITH (fillfactor = 50);
-- The keys of an account.
CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at);
-- The key of an S3 request.
CREATE UNIQUE INDEX api_keys_by_s3_salt ON api_keys (s3_salt) WHERE s3_salt IS NOT NULL;

-- Keys of the operator's door.
CREATE TABLE operator_keys (
  operator_key_id TEXT COLLATE "C" PRIMARY KEY, -- Its id.
  name TEXT NOT NULL,                           -- Its name, for people.
  hash BYTEA NOT NULL UNIQUE,                   -- Keyed hash of the secret.
  last4 TEXT NOT NULL,                          -- The last four characters of the secret, for people.
  created_at BIGINT NOT NULL,                   -- When it was created.
  last_used_at BIGINT,                          -- When it was last used. NULL: never.
  expires_at BIGINT,                            -- When it ends by itself. NULL: never.
  revoked_at BIGINT,                            -- When it was revoked. NULL: it was not.
  master_key BIGINT NOT NULL DEFAULT 1          -- The number of the master key that `hash` is made with.
) WITH (fillfactor = 50);

-- Browsers that are signed in at the console.
CREATE TABLE browser_sessions (
  session_id TEXT COLLATE "C" PRIMARY KEY, -- Its id, for lists.
  hash BYTEA NOT NULL UNIQUE,              -- Keyed hash of the secret in the cookie.
  account_id TEXT COLLATE "C",             -- The account. NULL at the operator's door.
  -- The API key that it was started with; at the operator's door, the operator key.
  key_id TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,              -- When it was started.
  last_used_at BIGINT NOT NULL,            -- When it was last used.
  expires_at BIGINT NOT NULL,              -- When it ends by itself.
  source_ip TEXT NOT NULL,                 -- The address that it was started from.
  user_agent TEXT                          -- The browser that it was started with.
);
-- Sessions to forget.
CREATE INDEX browser_sessions_by_age ON browser_sessions (expires_at);
-- The sessions of an account.
CREATE INDEX browser_sessions_of_account ON browser_sessions (account_id, created_at);
-- Sessions that end with their key.
CREATE INDEX browser_sessions_of_key ON browser_sessions (key_id);

-- Who is signed in at the page that approves devices.
CREATE TABLE sessions (
  hash BYTEA PRIMARY KEY,     -- Keyed hash of the secret in the cookie.
  key_hash BYTEA NOT NULL,    -- As api_keys.hash. A key with another secret has another hash, which ends the session.
  expires_at BIGINT NOT NULL, -- When it ends by itself.
  -- Wrong codes of devices so far.
  wrong_codes BIGINT NOT NULL DEFAULT 0 CHECK (wrong_codes >= 0)
);
-- Sessions to forget.
CREATE INDEX sessions_by_age ON sessions (expires_at);
