import { getAccount, type OperatorAccount } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { href } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { words } from '../../app/words.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AccountApps } from './account-apps.tsx';
import { AccountFacts } from './account-facts.tsx';
import { AccountKeys } from './account-keys.tsx';
import { AccountUsage } from './account-usage.tsx';
import { changeAccount } from './change-account.tsx';
import { closeAccount } from './close-account.tsx';

/** One account: its plan and state, its keys, its applications and its usage. */
export function AccountScreen({ accountId, tab }: { readonly accountId: string; readonly tab: string }) {
  const text = words().accounts;
  const account = useResource<OperatorAccount & { readonly live_keys?: number }>(
    (signal) => ask(getAccount({ path: { account_id: accountId }, signal })),
    [accountId],
  );
  const known = account.data;
  const close = (how: Parameters<typeof closeAccount>[1]) => () =>
    void closeAccount(known!, how).then((changed) => changed && account.set({ ...known, ...changed }));
  const items: MenuItem[] = known
    ? [
        ...(known.state === 'active'
          ? [{ label: text.closing.suspend.action, icon: 'pause' as const, onChoose: close('suspend') }]
          : []),
        ...(known.state === 'suspended'
          ? [{ label: text.closing.resume.action, icon: 'play' as const, onChoose: close('resume') }]
          : []),
        known.state === 'deleted'
          ? { label: text.closing.restore.action, icon: 'undo' as const, onChoose: close('restore') }
          : {
              label: text.closing.delete.action,
              icon: 'trash' as const,
              isDangerous: true,
              onChoose: close('delete'),
            },
      ]
    : [];
  return (
    <Screen
      title={<bdi>{known?.name ?? accountId}</bdi>}
      lead={
        <>
          <a href={href(['accounts'])}>{words().screens.accounts}</a> · <code>{accountId}</code>
        </>
      }
      actions={
        known && (
          <>
            <Button
              icon="edit"
              onClick={() =>
                void changeAccount(known).then((changed) => changed && account.set({ ...known, ...changed }))
              }
            >
              {text.change}
            </Button>
            <Menu label={text.actions} items={items} />
          </>
        )
      }
    >
      <Tabs
        label={text.parts}
        current={tab}
        tabs={[
          { name: 'account', title: text.account, to: ['accounts', accountId] },
          { name: 'keys', title: text.keys, to: ['accounts', accountId, 'keys'] },
          { name: 'apps', title: text.apps, to: ['accounts', accountId, 'apps'] },
          { name: 'usage', title: text.usage, to: ['accounts', accountId, 'usage'] },
        ]}
      />
      <Loaded resource={account}>
        {(found) =>
          tab === 'keys' ? (
            <AccountKeys accountId={accountId} />
          ) : tab === 'apps' ? (
            <AccountApps accountId={accountId} />
          ) : tab === 'usage' ? (
            <AccountUsage accountId={accountId} />
          ) : (
            <AccountFacts account={found} />
          )
        }
      </Loaded>
    </Screen>
  );
}
