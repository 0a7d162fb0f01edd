import { useState } from 'preact/hooks';

import { formatNumber, formatSize } from '../../format.ts';
import { PublicMark } from '../../files/public-mark.tsx';
import { messages } from '../../app/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuButton, MenuList } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import type { Entry, FileEntry } from './entry.ts';
import { iconOf, keyOfEntry } from './entry.ts';
import { sortBy } from './filter.ts';
import type { Filter } from './load-page.ts';
import { isLegacy } from './object-key.ts';
import type { RowsProps } from './rows-props.ts';
import { useRowKeys } from './use-row-keys.ts';

const rowHeight = 44;
/** Rows that stand for those that are not loaded yet. */
const waitingRows = 3;

/** The rows of a folder, with columns that sort. */
export function FileList(props: RowsProps & { readonly filter: Filter }) {
  const { listing, current, handle, label, filter, actions, open } = props;
  const { files } = messages();
  // Not of the row, whose element stands for another file when one has come before it.
  const [menuOf, setMenuOf] = useState<Entry>();
  const onKeyDown = useRowKeys(props, 1);
  const head = (sort: Filter['sort']) => (
    <span
      role="columnheader"
      class={`cell-${sort}`}
      aria-sort={filter.sort === sort ? (filter.order === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      <button type="button" onClick={() => sortBy(filter, sort)}>
        {sort === 'name' && listing.isByKey ? files.byKey : files.columns[sort]}
        {filter.sort === sort && <Icon name={filter.order === 'asc' ? 'up' : 'down'} size={14} />}
      </button>
    </span>
  );
  return (
    <div class="file-list">
      <div
        class="rows"
        role="grid"
        aria-label={label}
        aria-multiselectable="true"
        aria-rowcount={listing.isEnded ? listing.count + 1 : -1}
        tabIndex={0}
        aria-activedescendant={`row-${current}`}
        onKeyDown={onKeyDown}
      >
        <div role="row" class="file-row head">
          <span role="columnheader" class="cell-tick">
            <span class="visually-hidden">{files.chosenColumn}</span>
          </span>
          {head('name')}
          {head('size')}
          {head('created')}
          <span role="columnheader" class="cell-menu">
            <span class="visually-hidden">{files.actionsColumn}</span>
          </span>
        </div>
        <VirtualList
          role="presentation"
          count={listing.count + (listing.isEnded ? 0 : waitingRows)}
          rowHeight={rowHeight}
          handle={handle}
          onRange={listing.see}
          row={(index) => (
            <FileRow {...props} index={index} entry={listing.at(index)} menuOf={menuOf} setMenuOf={setMenuOf} />
          )}
        />
      </div>
      {menuOf && (
        <MenuList
          key={menuOf.key}
          of={menuId(menuOf)}
          items={actions.menuOf(menuOf, open)}
          onClose={() => setMenuOf(undefined)}
        />
      )}
      <p class="count quiet" role="status">
        {files.count(formatNumber(listing.count), listing.isEnded)}
      </p>
    </div>
  );
}

function menuId({ key }: Entry): string {
  return `menu-${encodeURIComponent(key)}`;
}

function FileRow({
  index,
  entry,
  selection,
  current,
  setCurrent,
  open,
  shown,
  menuOf,
  setMenuOf,
}: RowsProps & {
  readonly index: number;
  readonly entry: Entry | undefined;
  /** The row whose menu is open. */
  readonly menuOf: Entry | undefined;
  readonly setMenuOf: (entry: Entry | undefined) => void;
}) {
  const { files } = messages();
  if (!entry)
    return (
      <div id={`row-${index}`} role="row" class="file-row waiting" aria-busy="true">
        <span role="gridcell" aria-label={messages().common.loading} />
      </div>
    );
  const isChosen = selection.has(entry);
  const isFile = entry.kind === 'file';
  const isMenuOpen = menuOf?.key === entry.key;
  return (
    <div
      id={`row-${index}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      class={`file-row ${index === current ? 'current' : ''} ${shown?.key === entry.key ? 'shown' : ''}`}
      onClick={() => setCurrent(index)}
      onDblClick={() => open(entry)}
    >
      <span role="gridcell" class="cell-tick">
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={files.choose(entry.name)}
          checked={isChosen}
          onChange={() => selection.toggle(entry)}
        />
      </span>
      <span role="gridcell" class="cell-name">
        <Icon name={iconOf(entry)} />
        <button type="button" tabIndex={-1} title={keyOfEntry(entry)} onClick={() => open(entry)}>
          {entry.name}
        </button>
        {isFile && <Marks entry={entry} />}
      </span>
      <span role="gridcell" class="cell-size">
        {isFile ? formatSize(entry.file.size) : ''}
      </span>
      <span role="gridcell" class="cell-created">
        {isFile && <Time at={entry.file.created_at} />}
      </span>
      <span role="gridcell" class="cell-menu">
        <MenuButton
          id={menuId(entry)}
          tabIndex={-1}
          label={files.actionsOf(entry.name)}
          isOpen={isMenuOpen}
          onToggle={() => setMenuOf(isMenuOpen ? undefined : entry)}
        />
      </span>
    </div>
  );
}

/** What is special about a file. */
function Marks({ entry: { key, file } }: { readonly entry: FileEntry }) {
  const { files } = messages();
  const mark = (icon: 'lock' | 'clock', text: string) => (
    <span class="mark" title={text}>
      <Icon name={icon} size={14} />
      <span class="visually-hidden">{text}</span>
    </span>
  );
  return (
    <>
      {file.private ? mark('lock', files.private) : <PublicMark />}
      {isLegacy(key) && <span class="badge">{files.legacy}</span>}
      {file.expires_at !== undefined && mark('clock', files.expires)}
    </>
  );
}
