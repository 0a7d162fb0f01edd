import { listWebhooks, type EventWebhook } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { href, navigate } from '../../app/router.ts';
import { hasAllScopes } from '../../app/session-state.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { showSecret } from '../../ui/secret-dialog.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { askForWebhook } from './webhook-form.tsx';
import { WebhookState } from './webhook-state.tsx';

export function WebhookList() {
  const text = messages().webhooks;
  const webhooks = useResource((signal) => ask(listWebhooks({ signal })), []);
  const create = async () => {
    const made = await askForWebhook();
    if (!made) return;
    await showSecret(text.secret, text.secretOnce, made.secret);
    navigate(href(['events', made.id]));
  };
  const button = hasAllScopes('blob:read', 'blob:write') && (
    <Button kind="first" icon="plus" onClick={() => void create()}>
      {text.create}
    </Button>
  );
  return (
    <Loaded resource={webhooks}>
      {({ webhooks: found }) =>
        found.length === 0 ? (
          <Empty icon="bell" title={text.none}>
            <p>{text.noneHint}</p>
            {button}
          </Empty>
        ) : (
          <>
            <div class="actions before-list">{button}</div>
            <WebhookTable webhooks={found} />
          </>
        )
      }
    </Loaded>
  );
}

function WebhookTable({ webhooks }: { readonly webhooks: readonly EventWebhook[] }) {
  const text = messages().webhooks;
  return (
    <Table<EventWebhook>
      label={messages().screens.events}
      rows={webhooks}
      keyOf={({ id }) => id}
      columns={[
        {
          title: text.address,
          cell: (webhook) => (
            <>
              <a href={href(['events', webhook.id])}>
                <bdi>{webhook.url}</bdi>
              </a>
              {webhook.description !== '' && (
                <p class="hint">
                  <bdi>{webhook.description}</bdi>
                </p>
              )}
            </>
          ),
        },
        { title: text.state, cell: (webhook) => <WebhookState webhook={webhook} /> },
        { title: text.types, cell: ({ types }) => (types ? types.join(', ') : text.allKinds), isExtra: true },
        { title: text.pending, cell: ({ pending }) => formatNumber(pending), isNumber: true },
        {
          title: text.lastSuccess,
          cell: ({ last_success_at: at }) => (at ? <Time at={at} isRelative /> : messages().common.never),
        },
      ]}
    />
  );
}
