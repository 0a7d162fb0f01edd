-- The root keys of encrypted blobs. Each is wrapped by a key-encryption key that only the operator has, and by the old and
-- the new one while that key is changed.
CREATE TABLE root_keys (
  root_id TEXT NOT NULL,
  key_id  TEXT NOT NULL,
  wrapped BLOB NOT NULL,
  made_at INTEGER NOT NULL,
  PRIMARY KEY (root_id, key_id)
) STRICT, WITHOUT ROWID;
