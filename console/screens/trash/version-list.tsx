import { useEffect, useState } from 'preact/hooks';

import type { TrashedVersion } from '#dist/modules/client/index.js';

import { hasScope } from '../../app/session-state.ts';
import type { Pages } from '../../app/use-pages.ts';
import { words } from '../../app/words.ts';
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
  const { trash } = words();
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
  const select = (version: string) => {
    const next = new Set(selected);
    if (!next.delete(version)) next.add(version);
    setSelected(next);
  };
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
        <div class="selection" role="group" aria-label={trash.selected(formatNumber(chosen.length))}>
          <input
            type="checkbox"
            aria-label={trash.selectAll}
            checked={chosen.length === items.length}
            onChange={() => (chosen.length === items.length ? setSelected(new Set()) : all())}
          />
          <span aria-live="polite">{trash.selected(formatNumber(chosen.length))}</span>
          <Button icon="undo" disabled={chosen.length === 0} onClick={() => void restore(chosen)}>
            {trash.restore}
          </Button>
          <Button icon="trash" disabled={chosen.length === 0} onClick={() => void purge(chosen)}>
            {trash.purge}
          </Button>
        </div>
      )}
      {items.length > 0 && (
        <VersionTable
          rows={items}
          isOfOneFile={isOfOneFile}
          mayWrite={mayWrite}
          selected={selected}
          onSelect={select}
          onRestore={(version) => void restore([version])}
          onPurge={(version) => void purge([version])}
        />
      )}
      <More pages={pages} />
    </>
  );
}
