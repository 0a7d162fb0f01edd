import type { OperatorReplicas } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

type Replica = OperatorReplicas['replicas'][number];

/** The servers that run, with their jobs, and their way to the database if it is on the network. */
export function ReplicasCard({ replicas }: { readonly replicas: readonly Replica[] }) {
  const text = messages().overview.replicas;
  const hasDatabase = replicas.some(({ pool }) => pool !== null);
  return (
    <section class="card">
      <h2>{text.title}</h2>
      {hasDatabase && <p class="hint">{text.hint}</p>}
      <Table<Replica>
        label={text.title}
        rows={replicas}
        keyOf={({ id }) => id}
        columns={[
          { title: text.host, cell: ({ host, id }) => <code title={id}>{host}</code> },
          { title: messages().overview.version, cell: ({ version }) => version },
          { title: text.since, cell: ({ started_at: at }) => <Time at={at} isRelative /> },
          { title: text.seen, cell: ({ seen_at: at }) => <Time at={at} isRelative />, isExtra: true },
          ...(hasDatabase ? ofDatabase() : []),
        ]}
      />
    </section>
  );
}

function ofDatabase() {
  const text = messages().overview.replicas;
  const milliseconds = (value: number | null, digits: number) =>
    value === null ? '' : text.milliseconds(formatNumber(value, digits));
  return [
    { title: text.jobs, cell: ({ leases }: Replica) => jobsOf(leases) },
    {
      title: text.connections,
      cell: ({ pool }: Replica) => pool && messages().overview.done(formatNumber(pool.in_use), formatNumber(pool.size)),
      isNumber: true,
    },
    { title: text.waiting, cell: ({ pool }: Replica) => pool && formatNumber(pool.waiting), isNumber: true },
    {
      title: text.roundTrip,
      cell: ({ round_trip_ms: value }: Replica) => milliseconds(value, 2),
      isNumber: true,
    },
    { title: text.clockLag, cell: ({ clock_lag_ms: value }: Replica) => milliseconds(value, 0), isNumber: true },
  ];
}

/** The names of jobs, once each. A server may work on several accounts of one. */
function jobsOf(leases: Replica['leases']): string {
  return [...new Set(leases.map(({ job }) => job))].join(', ');
}
