import { useState } from 'preact/hooks';

import { getNetworkErrors, type EdgeErrors as Errors } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { StackedChart } from '../../ui/stacked-chart.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Choice, Tick } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Table } from '../../ui/table.tsx';
import { classesOver, windowUntil, type WindowName } from './edge-window.ts';

/** The error responses of the edge for an application: over time, by status and by path. */
export function EdgeErrors({ appId }: { readonly appId: string }) {
  const text = messages().edgeErrors;
  const [span, setSpan] = useState<WindowName>('day');
  const [has4xx, setHas4xx] = useState(true);
  const errors = useResource(
    (signal) => {
      const query = { ...windowUntil(Date.now(), span), include_4xx: has4xx };
      return ask(getNetworkErrors({ path: { app_id: appId }, query, signal }));
    },
    [appId, span, has4xx],
  );
  return (
    <>
      <div class="filters">
        <Choice<WindowName>
          label={text.window}
          value={span}
          options={[
            ['hour', text.windows.hour],
            ['day', text.windows.day],
            ['week', text.windows.week],
            ['month', text.windows.month],
          ]}
          onChoose={setSpan}
        />
        <Tick
          label={text.with4xx}
          checked={has4xx}
          onChange={({ currentTarget }) => setHas4xx(currentTarget.checked)}
        />
        <Button icon="refresh" isBusy={errors.isLoading} onClick={errors.reload}>
          {text.refresh}
        </Button>
      </div>
      <Loaded resource={errors}>
        {(found) =>
          found.summary.total === 0 ? (
            <Empty icon="check" title={text.noErrors}>
              <p>{text.noErrorsHint}</p>
            </Empty>
          ) : (
            <Breakdown errors={found} has4xx={has4xx} />
          )
        }
      </Loaded>
    </>
  );
}

function Breakdown({ errors, has4xx }: { readonly errors: Errors; readonly has4xx: boolean }) {
  const text = messages().edgeErrors;
  const { times, client, server } = classesOver(errors.timeseries);
  const statuses = (counts: Errors['by_status']) =>
    counts.map(({ status, requests }) => `${status}: ${formatNumber(requests)}`).join(', ');
  return (
    <div class="stack">
      <section class="card">
        <h2>{text.overTime(formatNumber(errors.summary.total))}</h2>
        <StackedChart
          label={text.overTime(formatNumber(errors.summary.total))}
          times={times}
          series={[
            { label: text.serverErrors, color: 'var(--problem)', values: server },
            ...(has4xx ? [{ label: text.clientErrors, color: 'var(--line)', values: client }] : []),
          ]}
        />
      </section>
      <h2>{text.byStatus}</h2>
      <Table
        label={text.byStatus}
        rows={errors.by_status}
        keyOf={({ status }) => String(status)}
        columns={[
          { title: text.status, cell: ({ status }) => status },
          { title: text.requests, cell: ({ requests }) => formatNumber(requests), isNumber: true },
        ]}
      />
      <h2>{text.byPath}</h2>
      <Table
        label={text.byPath}
        rows={errors.top_paths}
        keyOf={({ path, method }) => `${method} ${path}`}
        columns={[
          {
            title: text.path,
            cell: ({ method, path }) => (
              <>
                {method} <code>{path === '__other__' ? text.otherPaths : path}</code>
              </>
            ),
          },
          { title: text.status, cell: ({ by_status: counts }) => statuses(counts) },
          { title: text.requests, cell: ({ total }) => formatNumber(total), isNumber: true },
        ]}
      />
    </div>
  );
}
