import { useState } from 'preact/hooks';

import { listWebhookDeliveries, type WebhookDelivery } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { hasAllScopes } from '../../app/session-state.ts';
import { usePages } from '../../app/use-pages.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Choice } from '../../ui/field.tsx';
import { Listed } from '../../ui/listed.tsx';
import { Menu } from '../../ui/menu.tsx';
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
  const text = messages().webhooks;
  const [state, setState] = useState<WebhookDelivery['state'] | ''>('');
  const pages = usePages(
    async (after, signal) => {
      const query = { limit: pageSize, ...(state !== '' && { state }), ...after };
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
      <Listed
        pages={pages}
        empty={
          <Empty icon="bell" title={text.noDeliveries}>
            <p>{text.noDeliveriesHint}</p>
          </Empty>
        }
      >
        {(items) => <DeliveryTable id={id} deliveries={items} onReplay={pages.reload} />}
      </Listed>
    </>
  );
}

function DeliveryTable({
  id,
  deliveries,
  onReplay,
}: {
  readonly id: string;
  readonly deliveries: readonly WebhookDelivery[];
  readonly onReplay: () => void;
}) {
  const text = messages().webhooks;
  const open = (delivery: WebhookDelivery) =>
    void openDelivery(id, delivery).then((isReplayed) => isReplayed && onReplay());
  const replay = (event: string) => void replayOne(id, event).then(onReplay).catch(toastError);
  return (
    <Table<WebhookDelivery>
      label={text.deliveries}
      rows={deliveries}
      keyOf={({ event }) => event}
      columns={[
        {
          title: text.type,
          cell: (delivery) => (
            <button type="button" class="link" onClick={() => open(delivery)}>
              <code>{delivery.type}</code>
            </button>
          ),
        },
        { title: text.state, cell: (delivery) => <DeliveryState delivery={delivery} /> },
        {
          title: text.response,
          cell: ({ status, error }) => (
            <>
              {status ?? ''} {error !== null && <span class="problem-text">{error}</span>}
            </>
          ),
        },
        {
          title: text.responseTime,
          cell: ({ duration_ms: ms }) => (ms === null ? '' : text.milliseconds(formatNumber(ms))),
          isNumber: true,
        },
        { title: text.attempts, cell: ({ attempts }) => formatNumber(attempts), isNumber: true, isExtra: true },
        { title: text.when, cell: ({ timestamp }) => <Time at={timestamp} /> },
      ]}
      {...(hasAllScopes('blob:read', 'blob:write') && {
        actions: ({ type, event }: WebhookDelivery) => (
          <Menu
            label={text.actionsOf(type)}
            items={[{ label: text.sendAgain, icon: 'refresh', onChoose: () => replay(event) }]}
          />
        ),
      })}
    />
  );
}
