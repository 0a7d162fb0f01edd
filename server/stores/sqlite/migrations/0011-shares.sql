-- Links to files. Their states follow from these columns and from the file: see server/domain/shares/share.ts.
CREATE TABLE shares (
  share_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts,
  space INTEGER NOT NULL CHECK (space IN (0, 1, 2)),
  key TEXT NOT NULL,
  -- The file that had that address when the link was made.
  incarnation TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  max_downloads INTEGER CHECK (max_downloads > 0),
  remaining INTEGER CHECK (remaining BETWEEN 0 AND max_downloads AND (remaining IS NULL) = (max_downloads IS NULL)),
  password_hash TEXT,
  landing INTEGER NOT NULL CHECK (landing IN (0, 1)),
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX shares_by_account ON shares (account_id, expires_at) WHERE revoked_at IS NULL;
CREATE INDEX shares_by_expiry ON shares (expires_at);

-- Downloads of capped links that were spent, each with the runs of bytes that it has covered, so that it can be resumed.
CREATE TABLE share_downloads (
  download_id TEXT PRIMARY KEY,
  share_id TEXT NOT NULL REFERENCES shares ON DELETE CASCADE,
  address TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  content_id TEXT NOT NULL,
  spent_at INTEGER NOT NULL,
  pieces TEXT NOT NULL CHECK (json_valid(pieces)),
  resent_bytes INTEGER NOT NULL CHECK (resent_bytes >= 0)
) STRICT, WITHOUT ROWID;

CREATE INDEX share_downloads_by_client ON share_downloads (share_id, address, spent_at);
CREATE INDEX share_downloads_by_age ON share_downloads (spent_at);
