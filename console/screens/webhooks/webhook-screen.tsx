import {
  deleteWebhook,
  getWebhook,
  regenerateWebhookSecret,
  runWebhookTest,
  updateWebhook,
  type EventWebhook,
} from '#dist/modules/client/index.js';
import { useState } from 'preact/hooks';

import { ask, send } from '../../app/api.ts';
import { href, navigate } from '../../app/router.ts';
import { hasAllScopes, hasScope } from '../../app/session-state.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { Screen } from '../../ui/screen.tsx';
import { showSecret } from '../../ui/secret-dialog.tsx';
import { toast, toastError } from '../../ui/toasts.tsx';
import { Deliveries } from './deliveries.tsx';
import { replayRange } from './replay.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import { changeWebhook } from './webhook-form.tsx';

/** One webhook: what it gets, how it does, and its deliveries. */
export function WebhookScreen({ id }: { readonly id: string }) {
  const text = messages().webhooks;
  const [turn, setTurn] = useState(0);
  const webhook = useResource((signal) => ask(getWebhook({ path: { id }, signal })), [id]);
  const known = webhook.data;
  const again = () => {
    setTurn((before) => before + 1);
    webhook.reload();
  };
  return (
    <Screen
      title={<bdi>{known?.url ?? text.webhook}</bdi>}
      lead={<a href={href(['events'])}>{messages().screens.events}</a>}
      actions={known && hasScope('blob:write') && <Actions webhook={known} onChange={webhook.set} onTurn={again} />}
    >
      <Loaded resource={webhook}>
        {(loaded) => (
          <div class="stack">
            <WebhookFacts webhook={loaded} />
            <section class="deliveries">
              <h2>{text.deliveries}</h2>
              <Deliveries id={id} turn={turn} />
            </section>
          </div>
        )}
      </Loaded>
    </Screen>
  );
}

async function disable(set: (enabled: boolean) => Promise<void>): Promise<void> {
  const text = messages().webhooks;
  await confirm({ title: text.disable, text: text.disableText, action: text.disable, run: () => set(false) });
}

async function rotate(webhook: EventWebhook, reload: () => void): Promise<void> {
  const text = messages().webhooks;
  let secret: string | undefined;
  await confirm({
    title: text.rotate,
    text: text.rotateText,
    action: text.rotate,
    isDangerous: false,
    run: async () => {
      ({ secret } = await ask(regenerateWebhookSecret({ path: { id: webhook.id } })));
    },
  });
  if (secret === undefined) return;
  reload();
  await showSecret(text.secret, text.secretOnce, secret);
}

async function remove(webhook: EventWebhook): Promise<void> {
  const text = messages().webhooks;
  const isDone = await confirm({
    title: text.remove,
    text: (
      <>
        <p>
          <code>{webhook.url}</code>
        </p>
        <p>{text.removeText}</p>
      </>
    ),
    action: text.remove,
    run: async () => void (await send(deleteWebhook({ path: { id: webhook.id } }))),
  });
  if (isDone) navigate(href(['events']));
}

/** What can be done with a webhook. `onTurn` is told what the server has changed by itself. */
function Actions({
  webhook,
  onChange,
  onTurn,
}: {
  readonly webhook: EventWebhook;
  readonly onChange: (webhook: EventWebhook) => void;
  readonly onTurn: () => void;
}) {
  const text = messages().webhooks;
  const path = { id: webhook.id };
  const setEnabled = async (enabled: boolean) => onChange(await ask(updateWebhook({ path, body: { enabled } })));
  const test = async () => {
    await ask(runWebhookTest({ path }));
    toast(text.testSent);
    onTurn();
  };
  // With these a webhook would send what its key may not read.
  const changes: readonly MenuItem[] = [
    {
      label: text.change,
      icon: 'edit',
      onChoose: () => void changeWebhook(webhook).then((made) => made && onChange(made)),
    },
    webhook.enabled
      ? { label: text.disable, icon: 'pause', onChoose: () => void disable(setEnabled) }
      : { label: text.enable, icon: 'play', onChoose: () => void setEnabled(true).catch(toastError) },
    { label: text.replay, icon: 'refresh', onChoose: () => void replayRange(webhook.id).then(onTurn) },
  ];
  return (
    <>
      <ActionButton icon="play" run={test}>
        {text.test}
      </ActionButton>
      <Menu
        label={text.actions}
        items={[
          ...(hasAllScopes('blob:read', 'blob:write') ? changes : []),
          { label: text.rotate, icon: 'key', onChoose: () => void rotate(webhook, onTurn) },
          { label: text.remove, icon: 'trash', isDangerous: true, onChoose: () => void remove(webhook) },
        ]}
      />
    </>
  );
}
