import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { messages } from '../../app/messages.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { PublicMark } from '../../files/public-mark.tsx';
import { Icon } from '../../ui/icon.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { iconOf, keyOfEntry, kindOf, type Entry } from './entry.ts';
import type { RowsProps } from './rows-props.ts';
import { useRowKeys } from './use-row-keys.ts';

const tileWidth = 168;
const tileHeight = 172;
/** Larger pictures are not loaded only to be shown small. */
const mostPictureBytes = 3_000_000;

/** The files of a folder as tiles, with the pictures of public images. */
export function FileGrid(props: RowsProps) {
  const { listing, handle, label, current } = props;
  const { files } = messages();
  const frame = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState(4);
  const onKeyDown = useRowKeys(props, columns);
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(([entry]) =>
      setColumns(Math.max(2, Math.floor(entry!.contentRect.width / tileWidth))),
    );
    watcher.observe(frame.current!);
    return () => watcher.disconnect();
  }, []);
  const rows = Math.ceil(listing.count / columns) + (listing.isEnded ? 0 : 1);
  return (
    <div ref={frame} class="file-grid">
      <div
        class="rows"
        role="listbox"
        aria-multiselectable="true"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={`row-${current}`}
        onKeyDown={onKeyDown}
      >
        <VirtualList
          role="presentation"
          count={rows}
          rowHeight={tileHeight}
          handle={handle}
          onRange={(start, end) => listing.see(start * columns, end * columns)}
          row={(row) => (
            <div
              class="tiles"
              role="presentation"
              style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
            >
              {Array.from({ length: columns }, (_, step) => {
                const index = row * columns + step;
                const entry = listing.at(index);
                return entry && <Tile key={entry.key} {...props} index={index} entry={entry} />;
              })}
            </div>
          )}
        />
      </div>
      <p class="count quiet" role="status">
        {files.count(formatNumber(listing.count), listing.isEnded)} {listing.isByKey && `· ${files.byKey}`}
      </p>
    </div>
  );
}

function Tile({
  index,
  entry,
  selection,
  current,
  setCurrent,
  open,
}: RowsProps & { readonly index: number; readonly entry: Entry }) {
  const isChosen = selection.has(entry);
  const url =
    entry.kind === 'file' && kindOf(entry.key) === 'image' && entry.file.size <= mostPictureBytes
      ? entry.file.url
      : null;
  return (
    <div
      id={`row-${index}`}
      role="option"
      aria-selected={isChosen}
      class={`tile ${index === current ? 'current' : ''}`}
      onClick={(event) => {
        setCurrent(index);
        if (event.ctrlKey || event.metaKey) selection.toggle(entry);
        else open(entry);
      }}
    >
      {/* For fingers and mice. Keys and screen readers choose with space. */}
      <span
        class="tile-tick"
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          setCurrent(index);
          selection.toggle(entry);
        }}
      />
      <span class="tile-picture">
        {url === null ? <Icon name={iconOf(entry)} size={44} /> : <img src={url} alt="" loading="lazy" />}
      </span>
      <span class="tile-name" title={keyOfEntry(entry)}>
        {entry.name}
      </span>
      <span class="quiet tile-size">
        {entry.kind === 'file' && formatSize(entry.file.size)}{' '}
        {entry.kind === 'file' && !entry.file.private && <PublicMark />}
      </span>
    </div>
  );
}
