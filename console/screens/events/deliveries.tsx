import { useState } from 'preact/hooks';

import { listWebhookDeliveries, type WebhookDelivery } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { hasAllScopes } from '../../app/session-state.ts';
import { usePages } from '../../app/use-pages.ts';
import { words } from '../../app/words.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Choice } from '../../ui/field.tsx';
import { Menu } from '../../ui/menu.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toastError } from '../../ui/toasts.tsx';
import { usePolling } from '../../ui/use-polling.ts';
import { openDelivery } from './delivery-dialog.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { replayOne } from './replay.tsx';

const pageSize = 50;

/** The deliveries of a webhook, newest event first. The first page is read again and again. */
export function Deliveries({ id, turn }: { readonly id: string; readonly turn: number }) {
  const text = words().events;
  const [state, setState] = useState<WebhookDelivery['state'] | ''>('');
  const pages = usePages(
    async (cursor, signal) => {
      const query = { limit: pageSize, ...(state !== '' && { state }), ...(cursor !== undefined && { cursor }) };
      const page = await ask(listWebhookDeliveries({ path: { id }, query, signal }));
      return { items: page.deliveries, next: page.continuationToken };
    },
    [id, state, turn],
  );
  const deliveries = pages.items ?? [];
  // A new event becomes a delivery a moment after it has happened.
  usePolling(deliveries.length <= pageSize, 4000, pages.reload);
  return (
    <>
      <div class="filters">
        <Choice<WebhookDelivery['state'] | ''>
          label={text.state}
          value={state}
          options={[
            ['', text.anyState],
            ['pending', text.deliveryStates.pending],
            ['delivered', text.deliveryStates.delivered],
            ['failed', text.deliveryStates.failed],
          ]}
          onChoose={setState}
        />
        <Button icon="refresh" onClick={pages.reload}>
          {text.refresh}
        </Button>
      </div>
      {!pages.items && pages.error === undefined && <Skeleton />}
      {pages.items?.length === 0 && (
        <Empty icon="bell" title={text.noDeliveries}>
          <p>{text.noDeliveriesHint}</p>
        </Empty>
      )}
      {deliveries.length > 0 && (
        <Table<WebhookDelivery>
          label={text.deliveries}
          rows={deliveries}
          keyOf={({ event }) => event}
          columns={[
            {
              key: 'type',
              title: text.type,
              cell: (delivery) => (
                <button
                  type="button"
                  class="link"
                  onClick={() => void openDelivery(id, delivery).then((isReplayed) => isReplayed && pages.reload())}
                >
                  <code>{delivery.type}</code>
                </button>
              ),
            },
            { key: 'state', title: text.state, cell: (delivery) => <DeliveryState delivery={delivery} /> },
            {
              key: 'answer',
              title: text.response,
              cell: ({ status, error }) => (
                <>
                  {status ?? ''} {error !== null && <span class="problem-text">{error}</span>}
                </>
              ),
            },
            {
              key: 'duration',
              title: text.responseTime,
              cell: ({ duration_ms: ms }) => (ms === null ? '' : text.milliseconds(formatNumber(ms))),
              isNumber: true,
            },
            {
              key: 'attempts',
              title: text.attempts,
              cell: ({ attempts }) => formatNumber(attempts),
              isNumber: true,
              isExtra: true,
            },
            { key: 'at', title: text.when, cell: ({ timestamp }) => <Time at={timestamp} /> },
          ]}
          {...(hasAllScopes('blob:read', 'blob:write') && {
            actions: (delivery: WebhookDelivery) => (
              <Menu
                label={text.actionsOf(delivery.type)}
                items={[
                  {
                    label: text.sendAgain,
                    icon: 'refresh',
                    onChoose: () => void replayOne(id, delivery.event).then(pages.reload).catch(toastError),
                  },
                ]}
              />
            ),
          })}
        />
      )}
      <More pages={pages} />
    </>
  );
}
