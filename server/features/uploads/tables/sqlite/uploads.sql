-- Files that come in parts. All about the file is settled at the start. It becomes a row of objects when it is
-- completed.

-- Uploads in parts, until some time after they are completed or aborted.
CREATE TABLE chunked_uploads (
  upload_id TEXT PRIMARY KEY,                          -- Its id.
  account_id TEXT NOT NULL REFERENCES accounts,        -- The account that the file goes to.
  -- The upload token that started it, which may be forgotten earlier. NULL: a key did.
  token_id TEXT,
  space INTEGER NOT NULL CHECK (space IN (0, 1)),      -- As in objects.
  key TEXT NOT NULL,                                   -- As in objects.
  hash TEXT,                                           -- The random part that is added to the name. NULL: none.
  mark TEXT,                                           -- As in objects.
  extension TEXT NOT NULL,                             -- As in objects.
  expire_hours INTEGER CHECK (expire_hours > 0),       -- After how many hours the file is deleted. NULL: never.
  -- Whether it may replace a file at its address.
  may_replace INTEGER NOT NULL CHECK (may_replace IN (0, 1)),
  cache_control TEXT,                                  -- As in objects.
  -- As in objects.
  disposition TEXT CHECK (disposition IN ('inline', 'attachment')),
  original_name TEXT,                                  -- As in objects.
  metadata TEXT NOT NULL CHECK (json_valid(metadata)), -- As in objects.
  -- The largest file that a rule or a token allows. NULL: no such limit.
  cap_bytes INTEGER CHECK (cap_bytes > 0),
  cap_prefix TEXT,                                     -- The prefix of that rule.
  -- How far it is.
  state TEXT NOT NULL CHECK (state IN ('open', 'completed', 'aborted')),
  started_at INTEGER NOT NULL,                         -- When it was started.
  active_at INTEGER NOT NULL,                          -- When it was started or last got a part.
  -- When it was completed or aborted. NULL while it is open.
  closed_at INTEGER CHECK ((closed_at IS NULL) = (state = 'open')),
  -- Counts every change to its parts: the sequence of the part that came last.
  revision INTEGER NOT NULL DEFAULT 0,
  -- The sum of its parts, which is part of the account's reserved_bytes.
  stored_bytes INTEGER NOT NULL DEFAULT 0 CHECK (stored_bytes >= 0),
  -- What its completion answered, as JSON.
  outcome TEXT CHECK (json_valid(outcome) AND (outcome IS NULL) = (state <> 'completed')),
  -- What its file carries and the checksum of its parts, if it was started over S3, as JSON.
  s3 TEXT CHECK (json_valid(s3)),
  -- 1 while parts of a closed upload are left. They are removed a few at a time.
  has_parts_left INTEGER NOT NULL DEFAULT 0 CHECK (has_parts_left IN (0, 1)),
  content_id TEXT,                                     -- The content that took the blobs of its parts. NULL: none did.
  -- The length of the file, as it was said at the start. NULL: it was not said.
  declared_bytes INTEGER CHECK (declared_bytes > 0),
  -- What its protocol has to answer again if its bytes come in sequence, as JSON. NULL: they come in parts.
  serial TEXT CHECK (json_valid(serial)),
  -- The request that may append to it at present. A newer one puts its own name here.
  writer TEXT,
  -- The id of what somebody without an account sends it to. NULL: an upload of the account itself.
  sent_to TEXT
) STRICT, WITHOUT ROWID;
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
  upload_id TEXT NOT NULL REFERENCES chunked_uploads ON DELETE CASCADE,
  -- Its number. S3 numbers parts up to 10000.
  part INTEGER NOT NULL CHECK (part BETWEEN 1 AND 10000),
  sequence INTEGER NOT NULL,                            -- Its place in the order in which the parts came.
  blob_id TEXT NOT NULL,                                -- As in content_blobs.
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),  -- Its length. The only part of a file may be empty.
  md5 TEXT NOT NULL,                                    -- MD5 of its bytes, in hexadecimal.
  inline BLOB,                                          -- As in content_blobs.
  checksum TEXT,                                        -- As in content_blobs.
  received_at INTEGER NOT NULL,                         -- When it came.
  -- 1: the server cut it, so it may be smaller than 5 MiB.
  is_cut INTEGER NOT NULL DEFAULT 0 CHECK (is_cut IN (0, 1)),
  crc32 INTEGER NOT NULL CHECK (crc32 BETWEEN 0 AND 4294967295), -- CRC-32 of its bytes.
  PRIMARY KEY (upload_id, part)
) STRICT;
-- Whether a row names a blob of the store.
CREATE INDEX chunked_parts_by_blob ON chunked_parts (blob_id) WHERE inline IS NULL;
