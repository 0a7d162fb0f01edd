import { useEffect, useState } from 'preact/hooks';

import { listAccounts, type OperatorAccount } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { href, navigate } from '../../app/router.ts';
import { usePages } from '../../app/use-pages.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field } from '../../ui/field.tsx';
import { Listed } from '../../ui/listed.tsx';
import { Screen } from '../../ui/screen.tsx';
import { showSecret } from '../../ui/secret-dialog.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { AccountState } from './account-state.tsx';
import { askForAccount } from './new-account.tsx';

/** The accounts, found by a part of their name or the beginning of their id. */
export function AccountList() {
  const text = messages().accounts;
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), 250);
    return () => clearTimeout(timer);
  }, [typed]);
  const pages = usePages(
    async (after, signal) => {
      const query = { limit: 50, ...(search !== '' && { search }), ...after };
      const page = await ask(listAccounts({ query, signal }));
      return { items: page.accounts, next: page.continuationToken };
    },
    [search],
  );
  const create = async () => {
    const made = await askForAccount();
    if (!made) return;
    await showSecret(text.firstKey, text.keyOnce, made.api_key);
    navigate(href(['accounts', made.account_id]));
  };
  const button = (
    <Button kind="first" icon="plus" onClick={() => void create()}>
      {text.create}
    </Button>
  );
  return (
    <Screen title={messages().screens.accounts} lead={text.lead} actions={button}>
      <div class="filters">
        <Field
          label={text.search}
          type="search"
          maxLength={64}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </div>
      <Listed
        pages={pages}
        empty={
          <Empty icon="people" title={search === '' ? text.none : text.noMatch}>
            {search === '' && <p>{text.noneHint}</p>}
          </Empty>
        }
      >
        {(accounts) => <AccountTable accounts={accounts} />}
      </Listed>
    </Screen>
  );
}

function AccountTable({ accounts }: { readonly accounts: readonly OperatorAccount[] }) {
  const text = messages().accounts;
  return (
    <Table<OperatorAccount>
      label={messages().screens.accounts}
      rows={accounts}
      keyOf={({ account_id: id }) => id}
      columns={[
        {
          title: text.name,
          cell: ({ account_id: id, name }) => (
            <a href={href(['accounts', id])}>
              <bdi>{name}</bdi>
            </a>
          ),
        },
        { title: text.id, cell: ({ account_id: id }) => <code>{id}</code>, isExtra: true },
        { title: text.plan, cell: ({ plan }) => text.plans[plan] },
        { title: text.state, cell: (account) => <AccountState account={account} /> },
        {
          title: text.used,
          cell: ({ used_bytes: used, quota_bytes: quota }) => text.of(formatSize(used), formatSize(quota)),
          isNumber: true,
        },
        { title: text.files, cell: ({ used_objects: files }) => formatNumber(files), isNumber: true, isExtra: true },
        { title: text.created, cell: ({ created_at: at }) => <Time at={at} />, isExtra: true },
      ]}
    />
  );
}
