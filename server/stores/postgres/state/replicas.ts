import type { DatabaseLink, Replicas, ReplicaState } from '#server/domain/ports/replicas.ts';
import { databaseMs, type StateDatabase } from './database.ts';

type ReplicaRow = readonly [
  id: string,
  host: string,
  version: string,
  startedAt: number,
  seenAt: number,
  poolSize: number,
  poolInUse: number,
  poolWaiting: number,
  roundTripUs: number | null,
  clockLagMs: number | null,
];

type LeaseRow = readonly [owner: string, job: string, accountId: string | null];

/** The servers over the database. Those whose lease has ended are left out, and so are commands. */
export function postgresReplicas(database: StateDatabase, ownLink: () => DatabaseLink | null): Replicas {
  return {
    ownLink,
    async list() {
      // Of the same turn, so they take one round trip.
      const [rows, leases] = await Promise.all([
        database.read<ReplicaRow>(live, []),
        database.read<LeaseRow>(leased, []),
      ]);
      return rows.map((row) => replicaOf(row, leases));
    },
  };
}

function replicaOf(row: ReplicaRow, leases: readonly LeaseRow[]): ReplicaState {
  const [id, host, version, startedAt, seenAt, size, inUse, waiting, roundTripUs, clockLagMs] = row;
  return {
    ...{ id, host, version, startedAt, seenAt },
    leases: leases.filter(([owner]) => owner === id).map(([, job, accountId]) => ({ job, accountId })),
    pool: { size, inUse, waiting },
    link: roundTripUs === null || clockLagMs === null ? null : { roundTripMs: roundTripUs / 1_000, clockLagMs },
  };
}

const live = `SELECT replica_id, host, product_version, started_at, seen_at, coalesce(pool_size, 0),
    coalesce(pool_in_use, 0), coalesce(pool_waiting, 0), round_trip_us, clock_lag_ms
  FROM replicas WHERE host IS NOT NULL AND leased_until > ${databaseMs} ORDER BY started_at, replica_id`;

const leased = `SELECT owner, job, NULL FROM job_leases WHERE owner IS NOT NULL
  UNION ALL SELECT owner, job, leased_id FROM account_leases ORDER BY 2, 3`;
