-- Files that come in parts. All about the file is settled at the start. It becomes a row of objects when it is
-- completed.

-- Uploads in parts, until some time after they are completed or aborted.
CREATE TABLE chunked_uploads (
  upload_id TEXT COLLATE "C" PRIMARY KEY,           -- Its id.
  -- The account that the file goes to.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  -- The upload token that started it, which may be forgotten earlier. NULL: a key did.
  token_id TEXT COLLATE "C",
  space SMALLINT NOT NULL CHECK (space IN (0, 1)),  -- As in objects.
  key TEXT COLLATE "C" NOT NULL,                    -- As in objects.
  hash TEXT,                                        -- The random part that is added to the name. NULL: none.
  mark TEXT,                                        -- As in objects.
  extension TEXT NOT NULL,                          -- As in objects.
  expire_hours BIGINT CHECK (expire_hours > 0),     -- After how many hours the file is deleted. NULL: never.
  -- Whether it may replace a file at its address.
  may_replace BIGINT NOT NULL CHECK (may_replace IN (0, 1)),
  cache_control TEXT,                               -- As in objects.
  -- As in objects.
  disposition TEXT CHECK (disposition IN ('inline', 'attachment')),
  original_name TEXT,                               -- As in objects.
  metadata TEXT NOT NULL,                           -- As in objects.
  -- The largest file that a rule or a token allows. NULL: no such limit.
  cap_bytes BIGINT CHECK (cap_bytes > 0),
  cap_prefix TEXT,                                  -- The prefix of that rule.
  -- How far it is.
  state TEXT NOT NULL CHECK (state IN ('open', 'completed', 'aborted')),
  started_at BIGINT NOT NULL,                       -- When it was started.
  active_at BIGINT NOT NULL,                        -- When it was started or last got a part.
  -- When it was completed or aborted. NULL while it is open.
  closed_at BIGINT CHECK ((closed_at IS NULL) = (state = 'open')),
  -- Counts every change to its parts: the sequence of the part that came last.
  revision BIGINT NOT NULL DEFAULT 0,
  -- The sum of its parts, which is part of the account's reserved_bytes.
  stored_bytes BIGINT NOT NULL DEFAULT 0 CHECK (stored_bytes >= 0),
  -- What its completion answered, as JSON.
  outcome TEXT CHECK ((outcome IS NULL) = (state <> 'completed')),
  -- What its file carries and the checksum of its parts, if it was started over S3, as JSON.
  s3 TEXT,
  -- 1 while parts of a closed upload are left. They are removed a few at a time.
  has_parts_left BIGINT NOT NULL DEFAULT 0 CHECK (has_parts_left IN (0, 1)),
  content_id TEXT COLLATE "C",                      -- The content that took the blobs of its parts. NULL: none did.
  -- The length of the file, as it was said at the start. NULL: it was not said.
  declared_bytes BIGINT CHECK (declared_bytes > 0),
  -- What its protocol has to answer again if its bytes come in sequence, as JSON. NULL: they come in parts.
  serial TEXT,
  -- The request that may append to it at present. A newer one puts its own name here.
  writer TEXT,
  -- The id of what somebody without an account sends it to. NULL: an upload of the account itself.
  sent_to TEXT COLLATE "C"
) WITH (fillfactor = 50);
-- Open uploads to abort.
CREATE INDEX chunked_uploads_by_activity ON chunked_uploads (active_at) WHERE state = 'open';
-- Closed uploads to forget.
CREATE INDEX chunked_uploads_by_closing ON chunked_uploads (closed_at) WHERE closed_at IS NOT NULL;
-- Uploads of a token.
CREATE INDEX chunked_uploads_by_token ON chunked_uploads (token_id) WHERE token_id IS NOT NULL;
-- Open uploads of an account.
CREATE INDEX chunked_uploads_open ON chunked_uploads (account_id, started_at) WHERE state = 'open';
-- Open uploads that are sent to one of these.
CREATE INDEX chunked_uploads_sent ON chunked_uploads (sent_to) WHERE sent_to IS NOT NULL AND state = 'open';
-- Closed uploads whose parts are to be removed.
CREATE INDEX chunked_uploads_with_parts_left ON chunked_uploads (closed_at) WHERE has_parts_left = 1;
-- Closed uploads of an account, to remove them with it.
CREATE INDEX chunked_uploads_closed ON chunked_uploads (account_id) WHERE state <> 'open';

-- The parts of an upload.
CREATE TABLE chunked_parts (
  -- The upload.
  upload_id TEXT COLLATE "C" NOT NULL REFERENCES chunked_uploads ON DELETE CASCADE,
  part BIGINT NOT NULL CHECK (part BETWEEN 1 AND 10000), -- Its number. S3 numbers parts up to 10000.
  sequence BIGINT NOT NULL,                              -- Its place in the order in which the parts came.
  blob_id TEXT COLLATE "C" NOT NULL,                     -- As in content_blobs.
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0),    -- Its length. The only part of a file may be empty.
  md5 TEXT NOT NULL,                                     -- MD5 of its bytes, in hexadecimal.
  inline BYTEA,                                          -- As in content_blobs.
  checksum TEXT,                                         -- As in content_blobs.
  received_at BIGINT NOT NULL,                           -- When it came.
  -- 1: the server cut it, so it may be smaller than 5 MiB.
  is_cut BIGINT NOT NULL DEFAULT 0 CHECK (is_cut IN (0, 1)),
  crc32 BIGINT NOT NULL CHECK (crc32 BETWEEN 0 AND 4294967295), -- CRC-32 of its bytes.
  PRIMARY KEY (upload_id, part)
);
-- Whether a row names a blob of the store.
CREATE INDEX chunked_parts_by_blob ON chunked_parts (blob_id) WHERE inline IS NULL;
-- Most files are compressed already, so trying to compress them is in vain.
ALTER TABLE chunked_parts ALTER COLUMN inline SET STORAGE EXTERNAL;
