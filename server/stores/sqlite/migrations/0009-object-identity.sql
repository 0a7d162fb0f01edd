-- What Cubby has added to a name to make the key: random hash, mark of the expiry, extension ('' for none). The extension
-- is NULL in rows from before: their endings are read from the key.
ALTER TABLE objects ADD COLUMN hash TEXT;
ALTER TABLE objects ADD COLUMN mark TEXT;
ALTER TABLE objects ADD COLUMN extension TEXT;

-- Tells a file from another one that had its address before.
ALTER TABLE objects ADD COLUMN incarnation TEXT NOT NULL DEFAULT '';
UPDATE objects SET incarnation = lower(hex(randomblob(13)));

-- What `legacy import` has brought over, also when it has gone elsewhere since.
CREATE TABLE legacy_imports (
  account_id TEXT NOT NULL REFERENCES accounts,
  key TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;

INSERT INTO legacy_imports SELECT account_id, key, sha256 FROM objects WHERE space = 2 AND sha256 IS NOT NULL;
