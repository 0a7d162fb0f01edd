import type { TrashedVersion } from '#dist/modules/client/index.js';

import { href, navigate } from '../../app/router.ts';
import { messages } from '../../app/messages.ts';
import { formatSize } from '../../format.ts';
import { ObjectName } from '../../files/object-name.tsx';
import { shownPath } from '../../files/shown-name.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

interface VersionActions {
  readonly isOfOneFile: boolean;
  readonly mayWrite: boolean;
  readonly onRestore: (version: TrashedVersion) => void;
  readonly onPurge: (version: TrashedVersion) => void;
}

interface VersionProps extends VersionActions {
  readonly rows: readonly TrashedVersion[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (version: string) => void;
}

/** Versions, each with a box to select it. */
export function VersionTable(props: VersionProps) {
  const { rows, isOfOneFile, mayWrite, selected, onSelect } = props;
  const { trash, screens } = messages();
  const name: Column<TrashedVersion> = {
    title: isOfOneFile ? trash.written : trash.file,
    cell: (version) => (
      <span class="version-name">
        {mayWrite && (
          <input
            type="checkbox"
            aria-label={trash.select(shownPath(version))}
            checked={selected.has(version.version)}
            onChange={() => onSelect(version.version)}
          />
        )}
        {isOfOneFile ? (
          <Time at={version.created_at} />
        ) : (
          <a href={href(['trash'], { file: version.id })}>
            <ObjectName file={version} />
          </a>
        )}
      </span>
    ),
  };
  return (
    <Table
      label={screens.trash}
      rows={rows}
      keyOf={({ version }) => version}
      columns={[
        name,
        { title: trash.reason, cell: ({ reason }) => <span class="badge">{trash.reasons[reason]}</span> },
        { title: trash.since, cell: ({ deleted_at: at }) => <Time at={at} /> },
        { title: trash.size, isNumber: true, cell: ({ size }) => formatSize(size) },
        { title: trash.gone, cell: ({ purge_at: at }) => <Time at={at} isRelative /> },
      ]}
      actions={(version) => <RowActions {...props} version={version} />}
    />
  );
}

function RowActions({
  version,
  isOfOneFile,
  mayWrite,
  onRestore,
  onPurge,
}: VersionActions & { readonly version: TrashedVersion }) {
  const { trash } = messages();
  return (
    <>
      {mayWrite && (
        <IconButton icon="undo" label={`${trash.restore}: ${shownPath(version)}`} onClick={() => onRestore(version)} />
      )}
      <Menu
        label={trash.actions(shownPath(version))}
        items={[
          ...(isOfOneFile
            ? []
            : [
                {
                  label: trash.versions,
                  icon: 'clock' as const,
                  onChoose: () => navigate(href(['trash'], { file: version.id })),
                },
              ]),
          ...(mayWrite
            ? ([
                { label: trash.restore, icon: 'undo', onChoose: () => onRestore(version) },
                { label: trash.purge, icon: 'trash', isDangerous: true, onChoose: () => onPurge(version) },
              ] as const)
            : []),
        ]}
      />
    </>
  );
}
