import { getAccount, type OperatorAccount } from '#dist/modules/client/index.js';

import { isOn } from '../../app/config.ts';
import { ask } from '../../app/api.ts';
import { href } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import type { IconName } from '../../ui/icon.tsx';
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
  const text = messages().accounts;
  const account = useResource<OperatorAccount & { readonly live_keys?: number }>(
    (signal) => ask(getAccount({ path: { account_id: accountId }, signal })),
    [accountId],
  );
  const known = account.data;
  const set = (changed: Partial<OperatorAccount> | undefined) => changed && account.set({ ...known!, ...changed });
  return (
    <Screen
      title={<bdi>{known?.name ?? accountId}</bdi>}
      lead={
        <>
          <a href={href(['accounts'])}>{messages().screens.accounts}</a> · <code>{accountId}</code>
        </>
      }
      actions={known && <Actions account={known} onChange={set} />}
    >
      <Tabs
        label={text.parts}
        current={tab}
        tabs={[
          { name: 'account', title: text.account, to: ['accounts', accountId] },
          { name: 'keys', title: text.keys, to: ['accounts', accountId, 'keys'] },
          ...(isOn('apps') ? [{ name: 'apps', title: text.apps, to: ['accounts', accountId, 'apps'] }] : []),
          { name: 'usage', title: text.usage, to: ['accounts', accountId, 'usage'] },
        ]}
      />
      <Loaded resource={account}>
        {(found) => {
          if (tab === 'keys') return <AccountKeys accountId={accountId} />;
          if (tab === 'apps' && isOn('apps')) return <AccountApps accountId={accountId} />;
          return tab === 'usage' ? <AccountUsage accountId={accountId} /> : <AccountFacts account={found} />;
        }}
      </Loaded>
    </Screen>
  );
}

function Actions({
  account,
  onChange,
}: {
  readonly account: OperatorAccount;
  readonly onChange: (changed: Partial<OperatorAccount> | undefined) => void;
}) {
  const text = messages().accounts;
  const item = (how: Parameters<typeof closeAccount>[1], icon: IconName): MenuItem => ({
    label: text.closing[how].action,
    icon,
    isDangerous: how === 'delete',
    onChoose: () => void closeAccount(account, how).then(onChange),
  });
  return (
    <>
      <Button icon="edit" onClick={() => void changeAccount(account).then(onChange)}>
        {text.change}
      </Button>
      <Menu
        label={text.actions}
        items={[
          ...(account.state === 'active' ? [item('suspend', 'pause')] : []),
          ...(account.state === 'suspended' ? [item('resume', 'play')] : []),
          account.state === 'deleted' ? item('restore', 'undo') : item('delete', 'trash'),
        ]}
      />
    </>
  );
}
