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
  revoked_at INTEGER,
  -- Set when the file leaves its address, so that such links are not looked through each time; 0 alone proves nothing.
  is_gone INTEGER NOT NULL DEFAULT 0 CHECK (is_gone IN (0, 1))
) STRICT, WITHOUT ROWID;

-- However many links an account has used up, these hold little beside the thousand active ones.
CREATE INDEX shares_with_downloads ON shares (account_id, expires_at) WHERE revoked_at IS NULL AND is_gone = 0 AND remaining IS NOT 0;
CREATE INDEX shares_of_file ON shares (account_id, space, key, expires_at) WHERE revoked_at IS NULL AND is_gone = 0 AND remaining IS NOT 0;
CREATE INDEX shares_spent ON shares (account_id, created_at, share_id) WHERE revoked_at IS NULL AND remaining = 0;
CREATE INDEX shares_by_expiry ON shares (expires_at);

-- A thousand of an account are active at most; these are among those of the file that last longest. So the work has a bound.
CREATE TRIGGER shares_lose_deleted_file AFTER DELETE ON objects BEGIN
  UPDATE shares SET is_gone = 1 WHERE share_id IN (
    SELECT share_id FROM shares
    WHERE account_id = OLD.account_id AND space = OLD.space AND key = OLD.key AND revoked_at IS NULL AND is_gone = 0 AND remaining IS NOT 0
    ORDER BY expires_at DESC LIMIT 1000);
END;

-- Another file at the address of one that had expired; writing over a file in place keeps its incarnation.
CREATE TRIGGER shares_lose_replaced_file AFTER INSERT ON objects BEGIN
  UPDATE shares SET is_gone = 1 WHERE share_id IN (
    SELECT share_id FROM shares
    WHERE account_id = NEW.account_id AND space = NEW.space AND key = NEW.key AND revoked_at IS NULL AND is_gone = 0 AND remaining IS NOT 0
    ORDER BY expires_at DESC LIMIT 1000) AND incarnation <> NEW.incarnation;
END;

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
