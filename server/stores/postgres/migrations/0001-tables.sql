-- Instants are milliseconds since the epoch, sizes are bytes, flags are 0 and 1. Keys compare by their bytes.
-- Tables whose rows are counters leave room in their pages, so that an update touches no index.

CREATE TABLE accounts (
  account_id TEXT COLLATE "C" PRIMARY KEY,
  name TEXT NOT NULL,
  plan TEXT NOT NULL CHECK (plan IN ('none', 'hobby', 'standard', 'pro', 'enterprise')),
  created_at BIGINT NOT NULL,
  quota_bytes BIGINT CHECK (quota_bytes >= 0),
  used_bytes BIGINT NOT NULL DEFAULT 0 CHECK (used_bytes >= 0),
  used_objects BIGINT NOT NULL DEFAULT 0 CHECK (used_objects >= 0),
  reserved_bytes BIGINT NOT NULL DEFAULT 0 CHECK (reserved_bytes >= 0),
  -- Counts every change to the account's files.
  revision BIGINT NOT NULL DEFAULT 0,
  -- How many entries of activity the account ever had: the sequence of its newest.
  activity_count BIGINT NOT NULL DEFAULT 0,
  metered_from BIGINT NOT NULL DEFAULT 0,
  -- Up to when usage_days is complete; from then on used_bytes have been stored.
  settled_at BIGINT NOT NULL DEFAULT 0,
  -- The operator's own budget of the AI gateway for the account, in tokens a day; NULL for the plan's.
  ai_tokens_per_day BIGINT CHECK (ai_tokens_per_day > 0),
  -- Bytes on their way in that are not held against the quota: of unknown length, or in the place of a stored part.
  flowing_bytes BIGINT NOT NULL DEFAULT 0 CHECK (flowing_bytes >= 0)
) WITH (fillfactor = 50);

CREATE TABLE api_keys (
  key_id TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  name TEXT NOT NULL,
  -- Keyed hash of the secret; the secret itself is kept nowhere.
  hash BYTEA NOT NULL UNIQUE,
  last4 TEXT NOT NULL,
  scopes TEXT NOT NULL,
  resources TEXT,
  prefixes TEXT,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  expires_at BIGINT,
  revoked_at BIGINT,
  -- The public part of the key's S3 pair, also the salt of its secret. NULL for a key that has no pair.
  s3_salt TEXT COLLATE "C",
  -- Tells whether the master key is still the one that the pair was made under.
  s3_check TEXT
) WITH (fillfactor = 50);

CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at);
CREATE UNIQUE INDEX api_keys_by_s3_salt ON api_keys (s3_salt) WHERE s3_salt IS NOT NULL;

-- The bytes that object rows point to; copies share them.
CREATE TABLE contents (
  content_id TEXT COLLATE "C" PRIMARY KEY,
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0),
  pointing_rows BIGINT NOT NULL CHECK (pointing_rows > 0)
);

CREATE TABLE content_blobs (
  content_id TEXT COLLATE "C" NOT NULL REFERENCES contents ON DELETE CASCADE,
  position BIGINT NOT NULL,
  blob_id TEXT COLLATE "C" NOT NULL,
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0),
  -- The bytes themselves when they are few; otherwise they lie in the blob store under blob_id.
  inline BYTEA,
  -- A file of parts has one blob a part, whose checksum stays with it.
  checksum TEXT,
  PRIMARY KEY (content_id, position)
);

-- Most files are compressed already, so trying to compress them is in vain.
ALTER TABLE content_blobs ALTER COLUMN inline SET STORAGE EXTERNAL;

CREATE TABLE objects (
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  -- 0 public, 1 private, 2 legacy: the order in which lists show them.
  space BIGINT NOT NULL CHECK (space IN (0, 1, 2)),
  -- At most 1024 bytes: a row of an index has room for 2704.
  key TEXT COLLATE "C" NOT NULL CHECK (octet_length(key) <= 2048),
  content_id TEXT COLLATE "C" NOT NULL REFERENCES contents,
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0),
  etag TEXT NOT NULL,
  sha256 TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  cache_control TEXT,
  disposition TEXT CHECK (disposition IN ('inline', 'attachment')),
  original_name TEXT,
  metadata TEXT NOT NULL,
  -- What was added to a name to make the key: random hash, mark of the expiry, extension ('' for none). The extension is
  -- NULL in rows that came from an older version: their endings are read from the key.
  hash TEXT,
  mark TEXT,
  extension TEXT,
  -- Tells a file from another one that had its address before.
  incarnation TEXT NOT NULL DEFAULT '',
  -- What S3 clients set on a file and the REST API has no field for; NULL for files that they did not write.
  s3 TEXT,
  PRIMARY KEY (account_id, space, key)
);

CREATE INDEX objects_by_expiry ON objects (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX objects_by_content ON objects (content_id);
-- Files of an account by age, so that rules find what has become old without walking over all the others.
CREATE INDEX objects_by_age ON objects (account_id, created_at, space, key);
-- Files whose SHA-256 a job still computes.
CREATE INDEX objects_unhashed ON objects (content_id) WHERE sha256 IS NULL;

-- Blobs whose bytes no row names any more.
CREATE TABLE doomed_blobs (
  blob_id TEXT COLLATE "C" PRIMARY KEY
);

-- Quota held for uploads under way, and the blob that each flows into.
CREATE TABLE reservations (
  reservation_id TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0),
  blob_id TEXT COLLATE "C" NOT NULL,
  flowing_bytes BIGINT NOT NULL DEFAULT 0 CHECK (flowing_bytes >= 0)
) WITH (fillfactor = 50);

-- Rate limits that have to survive a restart: blocks, and windows over a minute.
CREATE TABLE limit_windows (
  key TEXT COLLATE "C" PRIMARY KEY,
  used BIGINT NOT NULL,
  ends_at BIGINT NOT NULL,
  blocked_until BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE activity (
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  -- Counts up within an account, and is never given twice.
  sequence BIGINT NOT NULL,
  type TEXT NOT NULL,
  at BIGINT NOT NULL,
  -- The file that it is about, as in objects; both null when it is about none.
  space BIGINT CHECK (space IN (0, 1, 2)),
  key TEXT COLLATE "C" CHECK ((key IS NULL) = (space IS NULL)),
  details TEXT NOT NULL,
  source_ip TEXT,
  user_agent TEXT,
  auth TEXT NOT NULL CHECK (auth IN ('api_key', 'upload_token', 's3', 'rule', 'system')),
  PRIMARY KEY (account_id, sequence)
);

CREATE INDEX activity_by_age ON activity (at);

-- What holds for files under a prefix; NULL where an option is not set.
CREATE TABLE rules (
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  -- With its trailing slash.
  prefix TEXT COLLATE "C" NOT NULL CHECK (prefix LIKE '_%/'),
  private BIGINT CHECK (private IN (0, 1)),
  expire_hours BIGINT CHECK (expire_hours > 0),
  max_size_bytes BIGINT CHECK (max_size_bytes > 0),
  extensions TEXT,
  cache_control TEXT,
  delete_after_days BIGINT CHECK (delete_after_days > 0),
  -- When it was saved in this form; automatic deletion begins 24 hours later.
  created_at BIGINT NOT NULL,
  -- The rule has seen all files that were written until then; NULL when it has not seen any since it was saved.
  swept_until BIGINT,
  PRIMARY KEY (account_id, prefix)
);

CREATE INDEX rules_that_delete ON rules (account_id) WHERE delete_after_days IS NOT NULL;

-- How much an account stored on each day of the month.
CREATE TABLE usage_days (
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  -- The midnight in UTC at which the day begins.
  day BIGINT NOT NULL,
  -- Bytes times milliseconds, in decimal: more than 64 bits.
  byte_ms TEXT NOT NULL,
  PRIMARY KEY (account_id, day)
) WITH (fillfactor = 50);

-- A jump of the clock that no operator has confirmed: while there is one, nothing is deleted by itself.
CREATE TABLE clock_jump (
  one BIGINT PRIMARY KEY CHECK (one = 1),
  noticed_at BIGINT NOT NULL,
  by_ms BIGINT NOT NULL
);

-- Clients that ask for a key of their own, until a day after their time ran out. Codes are kept as keyed hashes alone.
CREATE TABLE device_requests (
  device_hash BYTEA PRIMARY KEY,
  user_hash BYTEA NOT NULL UNIQUE,
  client_name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  source_ip TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'refused', 'spent')),
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  interval_ms BIGINT NOT NULL CHECK (interval_ms > 0),
  polled_at BIGINT,
  -- Who decided, from which address and with which client; null until then.
  account_id TEXT COLLATE "C" REFERENCES accounts CHECK ((account_id IS NULL) = (state = 'pending')),
  key_id TEXT COLLATE "C" REFERENCES api_keys CHECK ((key_id IS NULL) = (account_id IS NULL)),
  decided_from TEXT,
  decided_with TEXT
);

CREATE INDEX device_requests_by_age ON device_requests (expires_at);

-- Who is signed in at the approval page.
CREATE TABLE sessions (
  hash BYTEA PRIMARY KEY,
  -- As api_keys.hash: with another secret the key has another one, and the session is over.
  key_hash BYTEA NOT NULL,
  expires_at BIGINT NOT NULL,
  wrong_codes BIGINT NOT NULL DEFAULT 0 CHECK (wrong_codes >= 0)
);

CREATE INDEX sessions_by_age ON sessions (expires_at);

CREATE TABLE upload_tokens (
  token_id TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  -- The key that minted it.
  key_id TEXT COLLATE "C" NOT NULL REFERENCES api_keys,
  -- Keyed hash of the secret; the secret itself is kept nowhere.
  hash BYTEA NOT NULL UNIQUE,
  pins TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  -- When its key got another secret.
  ended_at BIGINT,
  max_uses BIGINT NOT NULL,
  uses_left BIGINT NOT NULL CHECK (uses_left >= 0),
  -- Uses that uploads under way have taken and may give back.
  uses_held BIGINT NOT NULL DEFAULT 0 CHECK (uses_held >= 0)
) WITH (fillfactor = 50);

CREATE INDEX upload_tokens_by_expiry ON upload_tokens (expires_at);
CREATE INDEX upload_tokens_by_key ON upload_tokens (key_id);

-- What `legacy import` has brought over, also when it has gone elsewhere since.
CREATE TABLE legacy_imports (
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  key TEXT COLLATE "C" NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (account_id, key)
);

-- Files that come in parts. Everything about the file is settled at the start; only when it is completed does it become
-- a row of objects.
CREATE TABLE chunked_uploads (
  upload_id TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  -- The upload token that opened it, which may be forgotten before the upload is; NULL for a key.
  token_id TEXT COLLATE "C",
  space BIGINT NOT NULL CHECK (space IN (0, 1)),
  key TEXT COLLATE "C" NOT NULL,
  -- What was added to the name to make the key, as in objects.
  hash TEXT,
  mark TEXT,
  extension TEXT NOT NULL,
  expire_hours BIGINT CHECK (expire_hours > 0),
  may_replace BIGINT NOT NULL CHECK (may_replace IN (0, 1)),
  cache_control TEXT,
  disposition TEXT CHECK (disposition IN ('inline', 'attachment')),
  original_name TEXT,
  metadata TEXT NOT NULL,
  -- What a rule or a token lets it grow to, and the rule's prefix.
  cap_bytes BIGINT CHECK (cap_bytes > 0),
  cap_prefix TEXT,
  state TEXT NOT NULL CHECK (state IN ('open', 'completed', 'aborted')),
  started_at BIGINT NOT NULL,
  -- When it was started or last got a part.
  active_at BIGINT NOT NULL,
  closed_at BIGINT CHECK ((closed_at IS NULL) = (state = 'open')),
  -- Counts every change to its parts; also the sequence of the part that came last.
  revision BIGINT NOT NULL DEFAULT 0,
  -- The sum of its parts, which is part of the account's reserved_bytes.
  stored_bytes BIGINT NOT NULL DEFAULT 0 CHECK (stored_bytes >= 0),
  -- What its completion answered.
  outcome TEXT CHECK ((outcome IS NULL) = (state <> 'completed')),
  -- Uploads that were begun over S3: what their file will carry, and the checksum that their parts have.
  s3 TEXT,
  -- The parts of a closed upload go a few at a time: 1 while there are some left.
  has_parts_left BIGINT NOT NULL DEFAULT 0 CHECK (has_parts_left IN (0, 1)),
  -- The content that took the blobs of its parts; NULL when none did.
  content_id TEXT COLLATE "C",
  -- What the parts of an upload have to come to, as it was said at the start; NULL when nobody said.
  declared_bytes BIGINT CHECK (declared_bytes > 0)
) WITH (fillfactor = 50);

CREATE INDEX chunked_uploads_open ON chunked_uploads (account_id, started_at) WHERE state = 'open';
CREATE INDEX chunked_uploads_by_activity ON chunked_uploads (active_at) WHERE state = 'open';
CREATE INDEX chunked_uploads_by_token ON chunked_uploads (token_id) WHERE token_id IS NOT NULL;
CREATE INDEX chunked_uploads_by_closing ON chunked_uploads (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX chunked_uploads_with_parts_left ON chunked_uploads (closed_at) WHERE has_parts_left = 1;

CREATE TABLE chunked_parts (
  upload_id TEXT COLLATE "C" NOT NULL REFERENCES chunked_uploads ON DELETE CASCADE,
  -- S3 numbers parts up to 10000, and its only part may be empty.
  part BIGINT NOT NULL CHECK (part BETWEEN 1 AND 10000),
  -- In which order the parts of the upload came.
  sequence BIGINT NOT NULL,
  blob_id TEXT COLLATE "C" NOT NULL,
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0),
  md5 TEXT NOT NULL,
  -- As in content_blobs.
  inline BYTEA,
  -- The algorithm that the upload names, a colon, and the value in base64.
  checksum TEXT,
  received_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (upload_id, part)
);

ALTER TABLE chunked_parts ALTER COLUMN inline SET STORAGE EXTERNAL;

-- Links to files. Their states follow from these columns and from the file: see server/domain/shares/share.ts.
CREATE TABLE shares (
  -- The keyed hash of the id that opens the link.
  share_id TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  space BIGINT NOT NULL CHECK (space IN (0, 1, 2)),
  key TEXT COLLATE "C" NOT NULL,
  -- The file that had that address when the link was made.
  incarnation TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  max_downloads BIGINT CHECK (max_downloads > 0),
  remaining BIGINT CHECK (remaining BETWEEN 0 AND max_downloads AND (remaining IS NULL) = (max_downloads IS NULL)),
  password_hash TEXT,
  landing BIGINT NOT NULL CHECK (landing IN (0, 1)),
  revoked_at BIGINT,
  -- Set when the file leaves its address, so that such links are not looked through each time; 0 alone proves nothing.
  is_gone BIGINT NOT NULL DEFAULT 0 CHECK (is_gone IN (0, 1)),
  -- The id itself, encrypted, so that its owner sees the address again.
  sealed_id TEXT
) WITH (fillfactor = 50);

-- However many links an account has used up, these hold little beside the thousand active ones.
CREATE INDEX shares_with_downloads ON shares (account_id, expires_at)
  WHERE revoked_at IS NULL AND is_gone = 0 AND remaining IS DISTINCT FROM 0;
CREATE INDEX shares_of_file ON shares (account_id, space, key, expires_at)
  WHERE revoked_at IS NULL AND is_gone = 0 AND remaining IS DISTINCT FROM 0;
CREATE INDEX shares_spent ON shares (account_id, created_at, share_id) WHERE revoked_at IS NULL AND remaining = 0;
CREATE INDEX shares_by_expiry ON shares (expires_at);

-- Downloads of capped links that were spent, each with the bytes that its client may still fetch.
CREATE TABLE share_downloads (
  download_id TEXT COLLATE "C" PRIMARY KEY,
  share_id TEXT COLLATE "C" NOT NULL REFERENCES shares ON UPDATE CASCADE ON DELETE CASCADE,
  address TEXT COLLATE "C" NOT NULL,
  user_agent TEXT NOT NULL,
  content_id TEXT COLLATE "C" NOT NULL,
  opened_at BIGINT NOT NULL,
  -- When bytes were last taken: a slow answer takes some for as long as it runs.
  used_at BIGINT NOT NULL,
  left_bytes BIGINT NOT NULL CHECK (left_bytes >= 0)
) WITH (fillfactor = 50);

CREATE INDEX share_downloads_by_client ON share_downloads (share_id, address, opened_at);
CREATE INDEX share_downloads_by_use ON share_downloads (used_at);

-- What an account was charged for on a day in UTC, which is named by its midnight.
CREATE TABLE chat_days (
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  day BIGINT NOT NULL,
  requests BIGINT NOT NULL CHECK (requests >= 0),
  input_tokens BIGINT NOT NULL CHECK (input_tokens >= 0),
  output_tokens BIGINT NOT NULL CHECK (output_tokens >= 0),
  -- When the latest of these requests began, for the pacing.
  last_started_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, day)
) WITH (fillfactor = 50);

CREATE INDEX chat_days_by_age ON chat_days (day);

-- The sum of all accounts, so that no request has to add them up.
CREATE TABLE chat_installation_days (
  day BIGINT PRIMARY KEY,
  tokens BIGINT NOT NULL CHECK (tokens >= 0)
) WITH (fillfactor = 50);

-- Applications of accounts. Each account has one that is built in: its public files and links.
CREATE TABLE apps (
  app_id TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  is_built_in BIGINT NOT NULL CHECK (is_built_in IN (0, 1)),
  -- Counts up with every change of the application's webhook and of its deploys, so that what is cached of them is known
  -- to be old.
  deploy_revision BIGINT NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE INDEX apps_of_account ON apps (account_id, created_at);
CREATE UNIQUE INDEX built_in_apps ON apps (account_id) WHERE is_built_in = 1;

-- Applications for which the edge has answered errors, under short numbers, since each count carries one.
CREATE TABLE edge_apps (
  app_no BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  app_id TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES apps,
  -- Counts up with every change of the application's counts.
  revision BIGINT NOT NULL
) WITH (fillfactor = 50);

-- Paths as they are counted, and on which days (counted from 1970, in UTC) of which applications.
CREATE TABLE edge_paths (
  path_id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  path TEXT COLLATE "C" NOT NULL UNIQUE
);

CREATE TABLE edge_path_days (
  app_no BIGINT NOT NULL REFERENCES edge_apps,
  day BIGINT NOT NULL,
  path_id BIGINT NOT NULL REFERENCES edge_paths,
  PRIMARY KEY (app_no, day, path_id)
);

CREATE INDEX edge_days_of_path ON edge_path_days (path_id);

-- Errors of each second (resolution 0), minute (1), hour (2) and day (3), numbered from 1970 on; each row of a coarser
-- resolution is the sum of the finer ones. Methods are numbers: see server/domain/edge-errors/edge-error.ts.
CREATE TABLE edge_errors (
  app_no BIGINT NOT NULL REFERENCES edge_apps,
  resolution BIGINT NOT NULL CHECK (resolution BETWEEN 0 AND 3),
  at BIGINT NOT NULL,
  status BIGINT NOT NULL CHECK (status BETWEEN 400 AND 599),
  method BIGINT NOT NULL,
  count BIGINT NOT NULL CHECK (count > 0),
  PRIMARY KEY (app_no, resolution, at, status, method)
) WITH (fillfactor = 50);

-- The same, by path: of each unit one row with all its kinds of errors, since a month may hold hundreds of thousands of
-- them. Pairs of numbers of 64 bits: kind (server/domain/edge-errors/path-kind.ts) and count.
CREATE TABLE edge_path_errors (
  app_no BIGINT NOT NULL REFERENCES edge_apps,
  resolution BIGINT NOT NULL CHECK (resolution BETWEEN 0 AND 3),
  at BIGINT NOT NULL,
  counts BYTEA NOT NULL CHECK (length(counts) % 16 = 0),
  PRIMARY KEY (app_no, resolution, at)
);

-- How far access logs have been read; see server/domain/edge-errors/log-checkpoint.ts.
CREATE TABLE edge_logs (
  log_id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  app_id TEXT COLLATE "C" NOT NULL REFERENCES apps,
  path TEXT NOT NULL,
  inode TEXT NOT NULL,
  "offset" BIGINT NOT NULL CHECK ("offset" >= 0),
  lines BIGINT NOT NULL CHECK (lines >= 0),
  head_sha256 TEXT NOT NULL,
  tail_sha256 TEXT NOT NULL,
  moved_at BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE INDEX edge_logs_of_app ON edge_logs (app_id);
CREATE INDEX edge_logs_by_age ON edge_logs (moved_at);

-- Where repository hosts deliver the pushes of an application. What is sealed can be read with the master key alone.
CREATE TABLE git_webhooks (
  app_id TEXT COLLATE "C" PRIMARY KEY REFERENCES apps,
  code_hash BYTEA NOT NULL UNIQUE,
  sealed_code TEXT NOT NULL,
  sealed_token TEXT NOT NULL,
  sealed_secret TEXT,
  -- Scheme, host and port of the repository that was pushed with a signature, or cloned, first: nobody else is sent the
  -- token.
  token_origin TEXT,
  -- When the last push was queued.
  pushed_at BIGINT
);

CREATE TABLE deploys (
  sequence BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  deploy_id TEXT COLLATE "C" NOT NULL UNIQUE,
  app_id TEXT COLLATE "C" NOT NULL REFERENCES apps,
  state TEXT NOT NULL CHECK (state IN ('pending', 'running', 'success', 'error', 'superseded')),
  branch TEXT COLLATE "C" NOT NULL,
  commit_id TEXT NOT NULL,
  message TEXT,
  -- Where it can be cloned from, and whose words for a credential its host understands.
  repository TEXT,
  host TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  -- How often it was begun; it is not begun again before due_at.
  tries BIGINT NOT NULL CHECK (tries >= 0),
  due_at BIGINT NOT NULL,
  -- Who runs it, and until when it is theirs if they say nothing more.
  lease_id TEXT COLLATE "C",
  leased_until BIGINT,
  CHECK ((state = 'running') = (lease_id IS NOT NULL) AND (lease_id IS NULL) = (leased_until IS NULL))
);

CREATE INDEX deploys_of_app ON deploys (app_id, sequence);
CREATE INDEX deploys_of_branch ON deploys (app_id, branch, sequence);
-- Of a branch one waits and one runs, at most.
CREATE UNIQUE INDEX deploys_waiting ON deploys (app_id, branch) WHERE state = 'pending';
CREATE UNIQUE INDEX deploys_running ON deploys (app_id, branch) WHERE state = 'running';
CREATE INDEX deploys_in_turn ON deploys (sequence) WHERE state = 'pending';
CREATE INDEX deploys_leased ON deploys (leased_until) WHERE state = 'running';

-- Deliveries that were answered 200: by the id that the host sent, and by their bytes.
CREATE TABLE git_deliveries (
  app_id TEXT COLLATE "C" NOT NULL REFERENCES apps,
  hash BYTEA NOT NULL,
  deploy_ids TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (app_id, hash)
);

CREATE INDEX git_deliveries_by_age ON git_deliveries (at);

-- What the master key gives for a fixed text. Another key gives something else, and is refused at the start.
CREATE TABLE master_key_check (
  one BIGINT PRIMARY KEY CHECK (one = 1),
  value TEXT NOT NULL
);
