-- oldest server: 3
-- The root keys of encrypted blobs. Each is wrapped by a key-encryption key that only the operator has, and by the old and
-- the new one while that key is changed. Before the first one is made, older servers are shut out.
CREATE TABLE root_keys (
  root_id TEXT COLLATE "C" NOT NULL,
  key_id  TEXT COLLATE "C" NOT NULL,
  wrapped BYTEA NOT NULL,
  made_at BIGINT NOT NULL,
  PRIMARY KEY (root_id, key_id)
);
