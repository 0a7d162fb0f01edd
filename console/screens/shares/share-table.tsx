import type { Share } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { plainText } from '../../ui/plain-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { nameOf, ShareTarget, StateBadge } from './share-cells.tsx';

/** What can be done with links. */
export interface ShareActions {
  readonly details: (share: Share) => void;
  readonly qr: (share: Share) => void;
  readonly change: (share: Share) => Promise<void>;
  readonly revoke: (share: Share) => Promise<void>;
}

export function ShareTable({
  rows,
  mayWrite,
  actions,
}: {
  readonly rows: readonly Share[];
  readonly mayWrite: boolean;
  readonly actions: ShareActions;
}) {
  const { shares, screens } = messages();
  return (
    <Table
      label={screens.shares}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: shares.of, cell: (share) => <ShareName share={share} onOpen={() => actions.details(share)} /> },
        { title: shares.state, cell: (share) => <ShareState share={share} /> },
        {
          title: shares.downloads,
          isNumber: true,
          cell: ({ downloads, max_downloads: most }) =>
            most === null ? formatNumber(downloads) : shares.downloadsOf(formatNumber(downloads), formatNumber(most)),
        },
        {
          title: shares.left,
          isNumber: true,
          cell: ({ remaining_downloads: left }) => (left === null ? shares.noCap : formatNumber(left)),
        },
        { title: shares.ends, cell: (share) => <Time at={share.expires_at} isRelative /> },
        { title: shares.created, isExtra: true, cell: (share) => <Time at={share.created_at} /> },
      ]}
      actions={(share) => (
        <>
          <IconButton icon="copy" label={shares.copy} onClick={() => void copyText(share.url)} />
          <Menu label={shares.actions(nameOf(share))} items={itemsOf(share, mayWrite, actions)} />
        </>
      )}
    />
  );
}

/** The title of a link, if it has one, and where it leads. */
function ShareName({ share, onOpen }: { readonly share: Share; readonly onOpen: () => void }) {
  const target = <ShareTarget share={share} />;
  return (
    <>
      <button type="button" class="bare-button" onClick={onOpen}>
        {share.title === undefined ? target : <bdi>{plainText(share.title)}</bdi>}
      </button>
      {share.title !== undefined && <div class="hint">{target}</div>}
    </>
  );
}

function ShareState({ share }: { readonly share: Share }) {
  const { shares } = messages();
  return (
    <span class="share-state">
      <StateBadge share={share} />
      {share.password && (
        <span class="quiet" title={shares.hasPassword}>
          <Icon name="key" size={16} />
          <span class="visually-hidden">{shares.hasPassword}</span>
        </span>
      )}
    </span>
  );
}

function itemsOf(share: Share, mayWrite: boolean, actions: ShareActions): MenuItem[] {
  const { shares } = messages();
  return [
    { label: shares.details, icon: 'info', onChoose: () => actions.details(share) },
    { label: shares.qr, icon: 'grid', onChoose: () => actions.qr(share) },
    ...(mayWrite
      ? ([
          { label: shares.change, icon: 'edit', onChoose: () => void actions.change(share) },
          { label: shares.revoke, icon: 'trash', isDangerous: true, onChoose: () => void actions.revoke(share) },
        ] as const)
      : []),
  ];
}
