-- oldest server: 8
-- Rotations of the master key, at most one of them unfinished. A check value recognises a key and reveals nothing about it. While a rotation is
-- unfinished, each of the two keys lies here, encrypted under the other one, so that a server with one of them can open both.
CREATE TABLE master_key_rotations (
  number BIGINT PRIMARY KEY CHECK (number > 1),
  check_value TEXT COLLATE "C" NOT NULL,
  former_check TEXT COLLATE "C" NOT NULL,
  began_at BIGINT NOT NULL,
  in_force_at BIGINT,
  signs_until BIGINT,
  finds_until BIGINT,
  resealed_at BIGINT,
  ended_at BIGINT,
  sealed_key TEXT,
  sealed_former TEXT
);

-- The number of the master key that the hash of the secret is made with.
ALTER TABLE api_keys ADD COLUMN master_key BIGINT NOT NULL DEFAULT 1;
ALTER TABLE operator_keys ADD COLUMN master_key BIGINT NOT NULL DEFAULT 1;

-- The secret of the S3 key pair, encrypted, if it was derived from a former master key.
ALTER TABLE api_keys ADD COLUMN s3_sealed TEXT;

-- The hash of the id under the current master key, if share_id is that under a former one. The row keeps its share_id, which requests under way use.
ALTER TABLE shares ADD COLUMN found_by TEXT COLLATE "C";
CREATE UNIQUE INDEX shares_found_by ON shares (found_by) WHERE found_by IS NOT NULL;
