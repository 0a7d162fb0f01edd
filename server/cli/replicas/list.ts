import type { Command } from 'commander';

import type { ReplicaState } from '#server/domain/ports/replicas.ts';
import { replicasView } from '#server/handlers/operator/views/replicas.ts';
import { columns, instant } from '../columns.ts';
import type { Answer, Operator, Stores } from '../operator.ts';

export function addReplicasList(parent: Command, operator: Operator): void {
  operator.list(
    parent
      .command('list')
      .description('show the servers that run, with their jobs, connections, round trips to the database and clocks'),
    list,
  );
}

async function list({ replicas }: Stores): Promise<Answer> {
  const found = await replicas.list();
  const header = ['ID', 'HOST', 'VERSION', 'SINCE', 'SEEN', 'CONNECTIONS', 'ROUND TRIP', 'CLOCK', 'JOBS'];
  return {
    json: replicasView(found),
    text: found.length === 0 ? 'No server runs.' : columns([header, ...found.map(row)]),
  };
}

function row({ id, host, version, startedAt, seenAt, leases, pool, link }: ReplicaState): string[] {
  const waiting = pool && pool.waiting > 0 ? `, ${pool.waiting} wait` : '';
  return [
    ...[id, host, version, instant(startedAt), instant(seenAt)],
    pool ? `${pool.inUse} of ${pool.size}${waiting}` : '',
    link ? `${link.roundTripMs.toFixed(2)} ms` : '',
    link ? clockText(link.clockLagMs) : '',
    jobsText(leases),
  ];
}

function clockText(lagMs: number): string {
  if (lagMs === 0) return 'exact';
  return `${Math.abs(lagMs)} ms ${lagMs > 0 ? 'behind' : 'ahead'}`;
}

/** A job with its number of accounts, if it has some of them. */
function jobsText(leases: ReplicaState['leases']): string {
  return [...Map.groupBy(leases, ({ job }) => job)]
    .map(([job, all]) => (all.some(({ accountId }) => accountId === null) ? job : `${job} (${all.length})`))
    .join(', ');
}
