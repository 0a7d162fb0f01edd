import './shares.css';

import { useEffect } from 'preact/hooks';

import { deleteShare, listShares, type CreatedShare, type Share } from '#dist/modules/client/index.js';

import { ask, send } from '../../app/api.ts';
import { href, navigate } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { hasScope } from '../../app/session-state.ts';
import { usePages } from '../../app/use-pages.ts';
import { words } from '../../app/words.ts';
import { LinkDialog } from '../../objects/link-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Empty } from '../../ui/empty.tsx';
import { More } from '../../ui/more.tsx';
import { addCommands } from '../../ui/palette.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useKeys } from '../../ui/use-keys.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { DetailsDialog } from './details-dialog.tsx';
import { ShareTable } from './share-table.tsx';
import { stateOf } from './share-state.ts';

type Filter = 'all' | 'active' | 'used';

/** The share links of the account. `?object=` shows only those to one file, `?show=` only active or used up ones. */
export default function Shares({ query }: ScreenProps) {
  const { shares, screens } = words();
  const object = query.get('object') ?? undefined;
  const filter = filterOf(query.get('show'));
  const pages = usePages<Share>(
    async (cursor, signal) => {
      const given = { limit: 100, ...(object !== undefined && { object }), ...(cursor !== undefined && { cursor }) };
      const page = await ask(listShares({ query: given, signal }));
      return { items: page.shares, next: page.continuationToken };
    },
    [object],
  );
  const create = async () => {
    const created = await openDialog<CreatedShare>((close) => <CreateDialog object={object} close={close} />);
    if (!created) return;
    pages.reload();
    await openDialog<void>((close) => (
      <LinkDialog title={shares.createdTitle} url={created.url} note={created.message} close={close} />
    ));
  };
  const mayWrite = hasScope('blob:write');
  useKeys(mayWrite ? { n: () => void create() } : {});
  useEffect(
    () =>
      mayWrite ? addCommands('shares', [{ label: shares.create, icon: 'plus', run: () => void create() }]) : undefined,
    [shares, mayWrite],
  );
  const actions = {
    details: (share: Share) => void openDialog<void>((close) => <DetailsDialog share={share} close={close} />),
    qr: (share: Share) =>
      void openDialog<void>((close) => <LinkDialog title={shares.qr} url={share.url} close={close} />),
    change: async (share: Share) => {
      if (await openDialog<Share>((close) => <ChangeDialog share={share} close={close} />)) pages.reload();
    },
    revoke: async (share: Share) => {
      const run = async () => void (await send(deleteShare({ body: { id: share.id } })));
      const { revokeTitle: title, revokeText: text, revoke: action } = shares;
      if (!(await confirm({ title, text, action, run }))) return;
      toast(shares.revoked);
      pages.reload();
    },
  };
  const shown = pages.items?.filter((share) => filter === 'all' || stateOf(share) === filter);
  return (
    <Screen
      title={screens.shares}
      lead={shares.lead}
      actions={
        mayWrite && (
          <Button kind="first" icon="plus" onClick={() => void create()}>
            {shares.create}
          </Button>
        )
      }
    >
      {(pages.items?.length ?? 0) > 0 && (
        <div class="filters">
          <Segments<Filter>
            label={shares.filter}
            value={filter}
            options={[
              ['all', shares.filters.all],
              ['active', shares.filters.active],
              ['used', shares.filters.used],
            ]}
            onChoose={(show) =>
              navigate(href(['shares'], { object, show: show === 'all' ? undefined : show }), { replace: true })
            }
          />
        </div>
      )}
      {pages.items === undefined && pages.error === undefined && <Skeleton />}
      {pages.items?.length === 0 && (
        <Empty icon="share" title={shares.emptyTitle}>
          <p>{shares.empty}</p>
          {mayWrite && (
            <Button icon="plus" onClick={() => void create()}>
              {shares.create}
            </Button>
          )}
        </Empty>
      )}
      {pages.items && pages.items.length > 0 && shown?.length === 0 && !pages.hasMore && (
        <Empty icon="share" title={shares.nothingTitle}>
          <p>{shares.nothing}</p>
        </Empty>
      )}
      {shown && shown.length > 0 && <ShareTable rows={shown} mayWrite={mayWrite} actions={actions} />}
      <More pages={pages} />
    </Screen>
  );
}

function filterOf(text: string | null): Filter {
  return text === 'active' || text === 'used' ? text : 'all';
}
