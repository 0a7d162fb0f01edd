-- Tokens that let others upload.

-- Tokens, until some time after they end.
CREATE TABLE upload_tokens (
  token_id TEXT COLLATE "C" PRIMARY KEY,                -- Its id.
  -- The account that files go to.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  key_id TEXT COLLATE "C" NOT NULL REFERENCES api_keys, -- The API key that made it.
  hash BYTEA NOT NULL UNIQUE,                           -- Keyed hash of the secret.
  pins TEXT NOT NULL,                                   -- What its uploads may be, as JSON.
  created_at BIGINT NOT NULL,                           -- When it was made.
  expires_at BIGINT NOT NULL,                           -- When it ends by itself.
  -- When it ended early, with the secret of its key. NULL: it did not.
  ended_at BIGINT,
  max_uses BIGINT NOT NULL,                             -- How many uploads it allows.
  uses_left BIGINT NOT NULL CHECK (uses_left >= 0)      -- How many of them are left.
) WITH (fillfactor = 50);
-- Tokens to forget.
CREATE INDEX upload_tokens_by_expiry ON upload_tokens (expires_at);
-- Tokens that end with their key.
CREATE INDEX upload_tokens_by_key ON upload_tokens (key_id);
-- The tokens of an account, to remove them with it.
CREATE INDEX upload_tokens_of_account ON upload_tokens (account_id);

-- Uses that uploads under way have taken and may return.
CREATE TABLE reserved_token_uses (
  -- The token.
  token_id TEXT COLLATE "C" NOT NULL REFERENCES upload_tokens ON DELETE CASCADE,
  owner TEXT COLLATE "C" NOT NULL REFERENCES replicas, -- The server process of the uploads. Empty: the only one.
  uses BIGINT NOT NULL CHECK (uses >= 0),              -- How many uses it has reserved.
  PRIMARY KEY (token_id, owner)
);
-- What a process that is gone had reserved.
CREATE INDEX reserved_token_uses_of_owner ON reserved_token_uses (owner);
