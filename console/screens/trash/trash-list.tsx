import { useState } from 'preact/hooks';

import { getStats } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { href } from '../../app/router.ts';
import { accountSession, hasScope } from '../../app/session-state.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { firstPrefix } from '../../files/first-prefix.ts';
import { useRested } from '../../ui/use-rested.ts';
import { Button } from '../../ui/button.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field } from '../../ui/field.tsx';
import { Screen } from '../../ui/screen.tsx';
import { ConsoleDays } from './console-days.tsx';
import { EmptyDialog } from './empty-dialog.tsx';
import { useVersions } from './use-versions.ts';
import { VersionList } from './version-list.tsx';

/** All that the trash keeps, in the order of the names. */
export function TrashList({ initialPrefix = firstPrefix() }: { readonly initialPrefix?: string | undefined }) {
  const { trash, screens } = messages();
  const [typed, setTyped] = useState(initialPrefix);
  const prefix = useRested(typed);
  const pages = useVersions(prefix);
  // A restricted key may not see the figures of the whole account.
  const isWhole = accountSession().prefixes === null;
  const stats = useResource(async (signal) => (isWhole ? ask(getStats({ signal })) : undefined), []);
  const kept = stats.data?.usage.trash;
  const reload = () => {
    pages.reload();
    stats.reload();
  };
  const emptyAll = async () => {
    const shown = pages.items?.length ?? 0;
    const count = prefix === '' && kept ? kept.objects : shown;
    const typed = count > 100 || pages.hasMore ? formatNumber(count) : undefined;
    await openDialog<void>((close) => <EmptyDialog prefix={prefix} typed={typed} close={close} />);
    reload();
  };
  const isEmpty = pages.items?.length === 0 && !pages.hasMore;
  return (
    <Screen
      title={screens.trash}
      lead={trash.lead}
      actions={
        hasScope('blob:write') &&
        (pages.items?.length ?? 0) > 0 && (
          <Button icon="trash" onClick={() => void emptyAll()}>
            {prefix === '' ? trash.emptyAll : trash.emptyShown}
          </Button>
        )
      }
    >
      <ConsoleDays />
      {(!isEmpty || typed !== '') && (
        <div class="filters">
          <Field
            label={trash.prefix}
            type="search"
            dir="ltr"
            autocomplete="off"
            spellcheck={false}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          {kept && kept.objects > 0 && (
            <p class="hint">{trash.holds(formatNumber(kept.objects), formatSize(kept.storage))}</p>
          )}
        </div>
      )}
      {isEmpty && prefix === '' && (
        <Empty icon="trash" title={trash.emptyTitle}>
          <p>{trash.empty}</p>
          <a class="button" href={href(['rules'])}>
            {trash.toRules}
          </a>
        </Empty>
      )}
      {isEmpty && prefix !== '' && <Empty icon="trash" title={trash.nothingTitle} />}
      {!isEmpty && <VersionList pages={pages} onChange={reload} />}
    </Screen>
  );
}
