import { useState } from 'preact/hooks';

import {
  createAccountKey,
  listAccountKeys,
  revokeAccountKey,
  type OperatorKeyOfAccount,
  type OperatorNewKeyWithSecret,
} from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { FieldsDialog, textIn } from '../../ui/fields-dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { showSecret } from '../../ui/secret-dialog.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { keyKinds, type KeyKind } from './key-kinds.ts';

const tones = { live: 'good', expired: '', revoked: 'bad' } as const;

/** The keys of an account. */
export function AccountKeys({ accountId }: { readonly accountId: string }) {
  const text = messages().accounts;
  const keys = useResource((signal) => ask(listAccountKeys({ path: { account_id: accountId }, signal })), [accountId]);
  const create = async () => {
    const made = await openDialog<OperatorNewKeyWithSecret>((close) => <NewKey accountId={accountId} close={close} />);
    if (!made) return;
    keys.reload();
    await showSecret(text.newKey, text.keyOnce, made.api_key);
  };
  const revoke = async (key: OperatorKeyOfAccount) => {
    await confirm({
      title: text.revokeTitle(key.name),
      text: text.revokeText(key.last4),
      action: text.revoke,
      run: async () => {
        await ask(revokeAccountKey({ path: { id: key.key_id } }));
        keys.reload();
      },
    });
  };
  return (
    <>
      <div class="filters">
        <Button icon="plus" onClick={() => void create()}>
          {text.newKey}
        </Button>
      </div>
      <Loaded resource={keys}>
        {({ keys: found }) => <KeyTable keys={found} onRevoke={(key) => void revoke(key)} />}
      </Loaded>
    </>
  );
}

function NewKey({
  accountId,
  close,
}: {
  readonly accountId: string;
  readonly close: (made?: OperatorNewKeyWithSecret) => void;
}) {
  const text = messages().accounts;
  const [kind, setKind] = useState<KeyKind>('all');
  return (
    <FieldsDialog<OperatorNewKeyWithSecret>
      title={text.newKey}
      action={text.newKey}
      close={close}
      run={(fields) => {
        const days = textIn(fields, 'days');
        const body = {
          name: textIn(fields, 'name') ?? '',
          scopes: [...keyKinds[kind]] as never,
          ...(days !== undefined && { expires_in: `${days}d` }),
        };
        return ask(createAccountKey({ path: { account_id: accountId }, body }));
      }}
    >
      <Field label={text.name} name="name" required maxLength={64} autofocus autocomplete="off" />
      <Choice<KeyKind>
        label={text.may}
        value={kind}
        options={(['all', 'files', 'readFiles', 'ai', 'deploys'] as const).map((one) => [one, text.keyKinds[one]])}
        onChoose={setKind}
      />
      <Field label={text.days} hint={text.daysHint} name="days" type="number" min={1} max={3650} step={1} />
    </FieldsDialog>
  );
}

function KeyTable({
  keys,
  onRevoke,
}: {
  readonly keys: readonly OperatorKeyOfAccount[];
  readonly onRevoke: (key: OperatorKeyOfAccount) => void;
}) {
  const { accounts: text, common } = messages();
  if (keys.length === 0) return <Empty icon="key" title={text.noKeys} />;
  return (
    <Table<OperatorKeyOfAccount>
      label={text.keys}
      rows={keys}
      keyOf={({ key_id: id }) => id}
      columns={[
        {
          title: text.name,
          cell: ({ name, last4 }) => (
            <>
              <bdi>{name}</bdi> <code>…{last4}</code>
            </>
          ),
        },
        {
          title: text.state,
          cell: ({ state }) => <span class={`badge ${tones[state]}`}>{text.keyStates[state]}</span>,
        },
        { title: text.scopes, cell: ({ scopes }) => <code>{scopes.join(', ')}</code> },
        { title: text.lastUsed, cell: ({ last_used_at: at }) => (at ? <Time at={at} isRelative /> : common.never) },
        { title: text.expires, cell: ({ expires_at: at }) => (at ? <Time at={at} /> : common.never), isExtra: true },
      ]}
      actions={(key) =>
        key.state === 'live' && (
          <Button kind="quiet" onClick={() => onRevoke(key)}>
            {text.revoke}
            <span class="visually-hidden"> {key.name}</span>
          </Button>
        )
      }
    />
  );
}
