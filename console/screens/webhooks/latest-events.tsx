import { useState } from 'preact/hooks';

import type { Event } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Choice } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { hrefOfEvent } from './event-dialog.tsx';
import { aboutOf } from './event-about.ts';
import { eventGroups } from './event-types.ts';
import { useLatestEvents } from './use-latest-events.ts';

/** What has happened in the account, newest first, as it happens. */
export function LatestEvents() {
  const text = messages().webhooks;
  const [turn, setTurn] = useState(0);
  const [group, setGroup] = useState('');
  const [paused, setPaused] = useState<readonly Event[]>();
  const { events, isOnlyNew, error } = useLatestEvents(turn);
  const shown = (paused ?? events)?.filter(({ type }) => group === '' || type.startsWith(`${group}.`));
  const waiting = paused && events ? events.findIndex(({ id }) => id === paused[0]?.id) : 0;
  return (
    <>
      <div class="filters">
        <Choice
          label={text.kind}
          value={group}
          options={[['', text.allKinds], ...[...eventGroups.keys()].map((name) => [name, `${name}.*`] as const)]}
          onChoose={setGroup}
        />
        <Button icon={paused ? 'play' : 'pause'} onClick={() => setPaused(paused ? undefined : events)}>
          {paused ? text.resume : text.pause}
        </Button>
        <span class="quiet live-state" role="status">
          {paused ? text.paused(formatNumber(Math.max(0, waiting))) : error === undefined && text.live}
        </span>
      </div>
      {error !== undefined && <Problem error={error} onRetry={() => setTurn(turn + 1)} />}
      {isOnlyNew && <p class="note">{text.onlyNew}</p>}
      {!shown && error === undefined && <Skeleton />}
      {shown?.length === 0 && (
        <Empty icon="bell" title={text.noEvents}>
          <p>{text.noEventsHint}</p>
        </Empty>
      )}
      {shown && shown.length > 0 && (
        <Table<Event>
          label={text.latest}
          rows={shown}
          keyOf={({ id }) => id}
          columns={[
            {
              title: text.type,
              cell: (event) => (
                <a href={hrefOfEvent(event.id)}>
                  <code>{event.type}</code>
                </a>
              ),
            },
            { title: text.about, cell: ({ data }) => <bdi>{aboutOf(data)}</bdi> },
            { title: text.when, cell: ({ timestamp }) => <Time at={timestamp} /> },
          ]}
        />
      )}
    </>
  );
}
