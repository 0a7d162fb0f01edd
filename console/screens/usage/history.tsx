import { useMemo, useState } from 'preact/hooks';

import { getUsageHistory, type UsageDay } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { saveCsv } from '../../app/csv.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { formatDay, formatNumber, formatSize } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Chart } from '../../ui/chart.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Table } from '../../ui/table.tsx';
import { everyDay, firstOf, type Range } from './days.ts';
import { RangeChoice } from './range-choice.tsx';

/** The stored and the sent bytes of each day, the files and the requests: charts, the numbers, and a file of them. */
export function StorageHistory() {
  const { usage } = messages();
  const [range, setRange] = useState<Range>('30');
  const history = useResource((signal) => ask(getUsageHistory({ query: { from: firstOf(range) }, signal })), [range]);
  const days = history.data?.days;
  return (
    <section class="card" aria-labelledby="usage-history">
      <h2 id="usage-history">{usage.history}</h2>
      <p class="hint">{usage.historyLead}</p>
      <div class="range">
        <RangeChoice value={range} onChoose={setRange} />
        <Button icon="download" disabled={!days?.length} onClick={() => save(days ?? [])}>
          {usage.save}
        </Button>
      </div>
      <Loaded resource={history}>
        {({ days: found }) =>
          found.length === 0 ? <Empty icon="chart" title={usage.noHistory} /> : <Charts days={found} />
        }
      </Loaded>
    </section>
  );
}

function save(days: readonly UsageDay[]): void {
  const rows = days.map(({ day, storage, objects, requests, egress_bytes: sent }) => [
    day,
    storage,
    objects,
    requests,
    sent,
  ]);
  saveCsv('cubby-usage.csv', ['day', 'mean_bytes', 'mean_files', 'requests', 'egress_bytes'], rows);
}

function Charts({ days }: { readonly days: readonly UsageDay[] }) {
  const { usage } = messages();
  const all = useMemo(() => everyDay(days), [days]);
  const names = useMemo(() => all.map(({ day }) => day), [all]);
  const sizes = useMemo(() => all.map(({ storage }) => storage), [all]);
  const files = useMemo(() => all.map(({ objects }) => objects), [all]);
  const requests = useMemo(() => all.map((day) => day.requests), [all]);
  const sent = useMemo(() => all.map((day) => day.egress_bytes), [all]);
  const count = (value: number) => formatNumber(value, 1);
  const counted = (value: number | null, format: (value: number) => string) =>
    value === null ? usage.notCounted : format(value);
  return (
    <>
      <div class="usage-charts">
        <Chart label={usage.storage} days={names} values={sizes} format={formatSize} kind="line" isSize />
        <Chart label={usage.files} days={names} values={files} format={count} kind="line" />
        <Chart label={usage.requests} days={names} values={requests} format={formatNumber} kind="bars" />
        <Chart label={usage.sent} days={names} values={sent} format={formatSize} kind="bars" isSize />
      </div>
      <details class="numbers">
        <summary>{usage.numbers}</summary>
        <Table
          label={usage.history}
          rows={days.toReversed()}
          keyOf={({ day }) => day}
          columns={[
            { title: usage.day, cell: ({ day }) => formatDay(day) },
            { title: usage.storage, isNumber: true, cell: ({ storage }) => formatSize(storage) },
            { title: usage.files, isNumber: true, cell: ({ objects }) => counted(objects, count) },
            { title: usage.requests, isNumber: true, cell: (day) => counted(day.requests, formatNumber) },
            { title: usage.sent, isNumber: true, cell: (day) => counted(day.egress_bytes, formatSize) },
          ]}
        />
      </details>
    </>
  );
}
