import { useEffect, useRef, useState } from 'preact/hooks';

import { messages } from '../../app/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { useKeys } from '../../ui/use-keys.ts';
import { changeQuery, kinds } from './filter.ts';
import type { Filter } from './load-page.ts';
import { hrefOf, spaces, type Place } from './place.ts';
import type { View } from './use-view.ts';

/** A name is looked for once nobody has typed for this long. */
const restMs = 300;

/** The spaces, the filters, and the choice of list or grid. */
export function Toolbar({
  place,
  filter,
  view,
  setView,
}: {
  readonly place: Place;
  readonly filter: Filter;
  readonly view: View;
  readonly setView: (view: View) => void;
}) {
  const { files } = messages();
  return (
    <div class="files-toolbar">
      <nav class="spaces" aria-label={files.spacesLabel}>
        {spaces.map((space) => (
          <a key={space} href={hrefOf({ ...place, space })} aria-current={space === place.space ? 'true' : undefined}>
            {files.spaces[space]}
          </a>
        ))}
      </nav>
      <BeginsField begins={filter.begins} prefix={place.prefix} />
      <KindChoice kind={filter.kind} />
      <SortChoice view={view} filter={filter} />
      <span class="views">
        <IconButton icon="list" label={files.asList} aria-pressed={view === 'list'} onClick={() => setView('list')} />
        <IconButton icon="grid" label={files.asGrid} aria-pressed={view === 'grid'} onClick={() => setView('grid')} />
      </span>
    </div>
  );
}

function BeginsField({ begins, prefix }: { readonly begins: string; readonly prefix: string }) {
  const { files } = messages();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(begins);
  useEffect(() => setText(begins), [prefix, begins]);
  useEffect(() => {
    if (text === begins) return undefined;
    const timer = setTimeout(() => changeQuery({ begins: text }), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  useKeys({ '/': () => field.current?.focus() });
  return (
    <input
      ref={field}
      type="search"
      aria-label={files.begins}
      placeholder={files.begins}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}

function KindChoice({ kind: chosen }: Pick<Filter, 'kind'>) {
  const { files } = messages();
  return (
    <select
      aria-label={files.kind}
      value={chosen ?? ''}
      onChange={({ currentTarget }) => changeQuery({ kind: currentTarget.value })}
    >
      <option value="">{files.anyKind}</option>
      {kinds.map((kind) => (
        <option key={kind} value={kind}>
          {files.kinds[kind]}
        </option>
      ))}
    </select>
  );
}

/** The order of the grid, whose columns have no heads to press. */
function SortChoice({ view, filter }: { readonly view: View; readonly filter: Filter }) {
  const { files } = messages();
  return (
    <select
      class={`sort-choice ${view}`}
      aria-label={files.sort}
      value={`${filter.sort} ${filter.order}`}
      onChange={({ currentTarget }) => {
        const [sort, order] = currentTarget.value.split(' ');
        changeQuery({ sort: sort === 'name' ? undefined : sort, order: order === 'asc' ? undefined : order });
      }}
    >
      {(['name', 'size', 'created'] as const).flatMap((sort) =>
        (['asc', 'desc'] as const).map((order) => (
          <option key={sort + order} value={`${sort} ${order}`}>
            {files.columns[sort]} {order === 'asc' ? '↑' : '↓'}
          </option>
        )),
      )}
    </select>
  );
}
