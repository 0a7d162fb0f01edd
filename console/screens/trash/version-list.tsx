import { useEffect, useState } from 'preact/hooks';

import type { TrashedVersion } from '#dist/modules/client/index.js';

import { hasScope } from '../../app/session-state.ts';
import type { Pages } from '../../app/use-pages.ts';
import { toggled } from '../../app/toggled.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useKeys } from '../../ui/use-keys.ts';
import { purgeVersions, restoreVersions } from './version-actions.tsx';
import { VersionTable } from './version-table.tsx';

/** A list of versions, of which one or many are restored or removed. */
export function VersionList({
  pages,
  isOfOneFile = false,
  onChange,
}: {
  readonly pages: Pages<TrashedVersion>;
  readonly isOfOneFile?: boolean;
  readonly onChange: () => void;
}) {
  const mayWrite = hasScope('blob:write');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const items = pages.items ?? [];
  const chosen = items.filter(({ version }) => selected.has(version));
  useEffect(() => setSelected(new Set()), [pages.items === undefined]);
  const done = (isChanged: boolean) => {
    if (!isChanged) return;
    setSelected(new Set());
    onChange();
  };
  const restore = async (versions: readonly TrashedVersion[]) => done(await restoreVersions(versions));
  const purge = async (versions: readonly TrashedVersion[]) => done(await purgeVersions(versions));
  const all = () => setSelected(new Set(items.map(({ version }) => version)));
  useKeys(
    mayWrite
      ? {
          'Ctrl+a': all,
          Escape: () => setSelected(new Set()),
          ...(chosen.length > 0 && { Delete: () => void purge(chosen) }),
        }
      : {},
  );
  if (pages.items === undefined) return pages.error === undefined ? <Skeleton /> : <More pages={pages} />;
  return (
    <>
      {mayWrite && items.length > 0 && (
        <SelectionBar
          chosen={chosen}
          isAll={chosen.length === items.length}
          onSelectAll={(isAll) => (isAll ? all() : setSelected(new Set()))}
          onRestore={(versions) => void restore(versions)}
          onPurge={(versions) => void purge(versions)}
        />
      )}
      {items.length > 0 && (
        <VersionTable
          rows={items}
          isOfOneFile={isOfOneFile}
          mayWrite={mayWrite}
          selected={selected}
          onSelect={(version) => setSelected(toggled(selected, version))}
          onRestore={(version) => void restore([version])}
          onPurge={(version) => void purge([version])}
        />
      )}
      <More pages={pages} />
    </>
  );
}

function SelectionBar({
  chosen,
  isAll,
  onSelectAll,
  onRestore,
  onPurge,
}: {
  readonly chosen: readonly TrashedVersion[];
  readonly isAll: boolean;
  readonly onSelectAll: (isAll: boolean) => void;
  readonly onRestore: (versions: readonly TrashedVersion[]) => void;
  readonly onPurge: (versions: readonly TrashedVersion[]) => void;
}) {
  const { trash } = messages();
  const said = trash.selected(formatNumber(chosen.length));
  return (
    <div class="selection" role="group" aria-label={said}>
      <input type="checkbox" aria-label={trash.selectAll} checked={isAll} onChange={() => onSelectAll(!isAll)} />
      <span aria-live="polite">{said}</span>
      <Button icon="undo" disabled={chosen.length === 0} onClick={() => onRestore(chosen)}>
        {trash.restore}
      </Button>
      <Button icon="trash" disabled={chosen.length === 0} onClick={() => onPurge(chosen)}>
        {trash.purge}
      </Button>
    </div>
  );
}
