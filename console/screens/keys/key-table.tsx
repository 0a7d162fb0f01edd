import { regenerateKey, revokeKey, type ApiKey, type ApiKeyWithSecret } from '#dist/modules/client/index.js';

import { ask, send } from '../../app/api.ts';
import { accountSession } from '../../app/session-state.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { confirm } from '../../ui/confirm.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { amounts, endsSoon } from './draft.ts';
import { LimitsDialog } from './limits-dialog.tsx';
import { showSecret } from './secret.tsx';

/** The keys, with what can be done with each. */
export function KeyTable({ keys, onChange }: { readonly keys: readonly ApiKey[]; readonly onChange: () => void }) {
  const { keys: text, common } = messages();
  const own = accountSession().key.id;
  if (keys.length === 0)
    return (
      <Empty icon="key" title={text.empty}>
        <p>{text.emptyLead}</p>
      </Empty>
    );
  return (
    <Table
      label={text.keys}
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        {
          title: text.name,
          cell: (key) => (
            <span class="key-name" dir="auto">
              {key.name}
              <code>…{key.last4}</code> {key.id === own && <span class="badge">{text.thisSession}</span>}
            </span>
          ),
        },
        { title: text.scopesTitle, cell: (key) => <Rights apiKey={key} /> },
        {
          title: text.lastUsed,
          cell: ({ last_used_at: at }) => (at === null ? text.notUsed : <Time at={at} isRelative />),
        },
        { title: text.expires, cell: ({ expires_at: at }) => (at === null ? common.never : <Expiry at={at} />) },
        { title: text.created, isExtra: true, cell: ({ created_at: at }) => <Time at={at} /> },
      ]}
      actions={(key) => (
        <Menu
          label={text.actionsOf(key.name)}
          items={[
            { label: text.changeLimits, icon: 'edit', onChoose: () => void changeLimits(key, onChange) },
            { label: text.regenerate, icon: 'refresh', onChoose: () => void regenerate(key, key.id === own, onChange) },
            {
              label: text.revoke,
              icon: 'trash',
              isDangerous: true,
              onChoose: () => void revoke(key, key.id === own, onChange),
            },
          ]}
        />
      )}
    />
  );
}

/** When a key ends. A list that was loaded earlier may have one that is over. */
function Expiry({ at }: { readonly at: string }) {
  const { keys } = messages();
  const isOver = Date.parse(at) <= Date.now();
  return (
    <>
      <Time at={at} /> {endsSoon(at) && <span class="badge">{isOver ? keys.expired : keys.soon}</span>}
    </>
  );
}

/** What a key may do, and where. */
function Rights({ apiKey: { scopes, prefixes, resources, ai } }: { readonly apiKey: ApiKey }) {
  const { keys } = messages();
  const names: Readonly<Record<string, string>> = keys.scopes;
  const set = amounts.filter((name) => ai?.[name] !== undefined);
  return (
    <span class="scopes">
      {scopes.map((scope) => (
        <span key={scope} class="badge" title={scope === '*' ? keys.fullHint : names[scope]}>
          {scope === '*' ? keys.full : scope}
        </span>
      ))}
      {prefixes && (
        <span class="hint">
          {keys.only} <bdi>{prefixes.join(', ')}</bdi>
        </span>
      )}
      {resources && (
        <span class="hint">
          {keys.onlyApps} {resources.join(', ')}
        </span>
      )}
      {ai && (
        <span class="hint">
          {keys.aiLimits}:{' '}
          {[...set.map((name) => `${keys.limits[name]} ${formatNumber(ai[name] ?? 0, 9)}`), ...(ai.models ?? [])].join(
            '; ',
          )}
        </span>
      )}
    </span>
  );
}

async function changeLimits(key: ApiKey, onChange: () => void): Promise<void> {
  const changed = await openDialog<ApiKey>((close) => <LimitsDialog apiKey={key} close={close} />);
  if (!changed) return;
  toast(messages().keys.limitsChanged);
  onChange();
}

async function regenerate(key: ApiKey, isOwn: boolean, onChange: () => void): Promise<void> {
  const { keys } = messages();
  let made: ApiKeyWithSecret | undefined;
  await confirm({
    title: keys.regenerateTitle(key.name),
    text: <Warning text={keys.regenerateText} isOwn={isOwn} />,
    action: keys.regenerate,
    run: async () => {
      made = await ask(regenerateKey({ path: { id: key.id } }));
    },
  });
  if (!made) return;
  await showSecret(made);
  onChange();
}

async function revoke(key: ApiKey, isOwn: boolean, onChange: () => void): Promise<void> {
  const { keys } = messages();
  const isDone = await confirm({
    title: keys.revokeTitle(key.name),
    text: <Warning text={keys.revokeText} isOwn={isOwn} />,
    action: keys.revoke,
    run: async () => void (await send(revokeKey({ path: { id: key.id } }))),
  });
  if (!isDone) return;
  toast(keys.revoked);
  onChange();
}

function Warning({ text, isOwn }: { readonly text: string; readonly isOwn: boolean }) {
  return (
    <>
      <p>{text}</p>
      {isOwn && (
        <p>
          <strong>{messages().keys.ownWarning}</strong>
        </p>
      )}
    </>
  );
}
