import type { ReplicaState } from '#server/domain/ports/replicas.ts';
import { timestamp } from '../../wire.ts';

/** Returns the servers as the operator's API and `--json` show them. */
export function replicasView(replicas: readonly ReplicaState[]) {
  return {
    replicas: replicas.map(({ id, host, version, startedAt, seenAt, leases, pool, link }) => ({
      ...{ id, host, version },
      started_at: timestamp(startedAt),
      seen_at: timestamp(seenAt),
      leases: leases.map(({ job, accountId }) => ({ job, account_id: accountId })),
      pool: pool && { size: pool.size, in_use: pool.inUse, waiting: pool.waiting },
      round_trip_ms: link && Math.round(link.roundTripMs * 1_000) / 1_000,
      clock_lag_ms: link && link.clockLagMs,
    })),
  };
}
