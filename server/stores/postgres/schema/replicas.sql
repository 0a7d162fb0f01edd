-- The servers that share the database.

-- Server processes. What belongs to one whose lease has ended is released by the others.
CREATE TABLE replicas (
  -- Its id. Empty: a process without a lease. Nobody releases what belongs to it.
  replica_id TEXT COLLATE "C" PRIMARY KEY,
  leased_until BIGINT NOT NULL,            -- When its lease ends.
  version INTEGER NOT NULL,                -- The newest migration that it knows.
  host TEXT,                               -- The name of its machine. NULL: a command, not a server.
  product_version TEXT,                    -- Its version of Cubby.
  started_at BIGINT,                       -- When its process was started.
  seen_at BIGINT,                          -- When it last renewed its lease.
  pool_size INTEGER,                       -- Connections that it may open.
  pool_in_use INTEGER,                     -- Connections in use, at that moment.
  pool_waiting INTEGER,                    -- Callers that waited for one.
  -- Microseconds of a round trip to the database. NULL: not measured yet.
  round_trip_us INTEGER,
  clock_lag_ms BIGINT                      -- Milliseconds that its clock was behind the database's.
) WITH (fillfactor = 50);
INSERT INTO replicas (replica_id, leased_until, version) VALUES ('', 9223372036854775807, 0);

-- Who runs a background job. Its writes compare the epoch: a process that lost it writes nothing.
CREATE TABLE job_leases (
  job TEXT COLLATE "C" PRIMARY KEY, -- The name of the job.
  epoch BIGINT NOT NULL,            -- Counts up with every taking.
  -- The process that runs it. NULL: nobody does.
  owner TEXT COLLATE "C" REFERENCES replicas ON DELETE SET NULL,
  ended_at BIGINT NOT NULL          -- When its last run ended.
) WITH (fillfactor = 50);

-- Accounts that a background job works on at the moment, if several processes share its accounts out among them. A
-- process that lost its row writes nothing.
CREATE TABLE account_leases (
  job TEXT COLLATE "C" NOT NULL,       -- The name of the job.
  leased_id TEXT COLLATE "C" NOT NULL, -- The account. It may be gone: the job may be the one that removes it.
  -- The process that works on it.
  owner TEXT COLLATE "C" NOT NULL REFERENCES replicas ON DELETE CASCADE,
  PRIMARY KEY (job, leased_id)
);
-- What a process that is gone worked on.
CREATE INDEX account_leases_of_owner ON account_leases (owner);
