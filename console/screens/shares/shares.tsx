import './shares.css';

import { deleteShare, listShares, type CreatedShare, type Share } from '#dist/modules/client/index.js';

import { ask, send } from '../../app/api.ts';
import { href, navigate } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { hasScope } from '../../app/session-state.ts';
import { usePages } from '../../app/use-pages.ts';
import { messages } from '../../app/messages.ts';
import { LinkDialog } from '../../ui/link-dialog.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Listed } from '../../ui/listed.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segments } from '../../ui/segments.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useCreate } from '../../ui/use-create.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { DetailsDialog } from './details-dialog.tsx';
import { ShareTable, type ShareActions } from './share-table.tsx';
import { stateOf } from './share-state.ts';

type Filter = 'all' | 'active' | 'used';

/** The share links of the account. `?object=` shows only those to one file, `?show=` only active or used up ones. */
export default function Shares({ query }: ScreenProps) {
  const { shares, screens } = messages();
  const object = query.get('object') ?? undefined;
  const filter = filterOf(query.get('show'));
  const pages = usePages<Share>(
    async (after, signal) => {
      const given = { limit: 100, ...(object !== undefined && { object }), ...after };
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
  const createButton = useCreate('shares', mayWrite, { label: shares.create, run: create });
  const actions = shareActions(pages.reload);
  const shown = pages.items?.filter((share) => filter === 'all' || stateOf(share) === filter);
  return (
    <Screen title={screens.shares} lead={shares.lead} actions={createButton('first')}>
      {(pages.items?.length ?? 0) > 0 && <FilterChoice filter={filter} object={object} />}
      <Listed
        pages={{ ...pages, items: shown }}
        empty={
          pages.items?.length === 0 ? (
            <Empty icon="share" title={shares.emptyTitle}>
              <p>{shares.empty}</p>
              {createButton()}
            </Empty>
          ) : (
            !pages.hasMore && (
              <Empty icon="share" title={shares.nothingTitle}>
                <p>{shares.nothing}</p>
              </Empty>
            )
          )
        }
      >
        {(rows) => <ShareTable rows={rows} mayWrite={mayWrite} actions={actions} />}
      </Listed>
    </Screen>
  );
}

function FilterChoice({ filter, object }: { readonly filter: Filter; readonly object: string | undefined }) {
  const { shares } = messages();
  return (
    <div class="filters">
      <Segments
        label={shares.filter}
        value={filter}
        options={(['all', 'active', 'used'] as const).map((one) => [one, shares.filters[one]])}
        onChoose={(show) =>
          navigate(href(['shares'], { object, show: show === 'all' ? undefined : show }), { replace: true })
        }
      />
    </div>
  );
}

function filterOf(text: string | null): Filter {
  return text === 'active' || text === 'used' ? text : 'all';
}

function shareActions(onChange: () => void): ShareActions {
  const { shares } = messages();
  return {
    details: (share) => void openDialog<void>((close) => <DetailsDialog share={share} close={close} />),
    qr: (share) => void openDialog<void>((close) => <LinkDialog title={shares.qr} url={share.url} close={close} />),
    change: async (share) => {
      if (await openDialog<Share>((close) => <ChangeDialog share={share} close={close} />)) onChange();
    },
    revoke: async (share) => {
      const run = async () => void (await send(deleteShare({ body: { id: share.id } })));
      const { revokeTitle: title, revokeText: text, revoke: action } = shares;
      if (!(await confirm({ title, text, action, run }))) return;
      toast(shares.revoked);
      onChange();
    },
  };
}
