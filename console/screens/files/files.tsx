import './files.css';

import { useMemo, useRef, useState } from 'preact/hooks';

import { navigate, route } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { hasScope } from '../../app/session-state.ts';
import { messages } from '../../app/messages.ts';
import { Problem } from '../../ui/problem.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { VirtualHandle } from '../../ui/virtual-list.tsx';
import { actionsFor } from './actions.tsx';
import { AddButtons } from './add-buttons.tsx';
import { ChooseAll } from './choose-all.tsx';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { Details } from './details.tsx';
import { DropZone } from './drop-zone.tsx';
import { EmptyFolder } from './empty-folder.tsx';
import type { Entry } from './entry.ts';
import { FileGrid } from './file-grid.tsx';
import { FileList } from './file-list.tsx';
import { filterOf } from './filter.ts';
import { hrefOf, placeOf } from './place.ts';
import { SelectionBar } from './selection-bar.tsx';
import { Toolbar } from './toolbar.tsx';
import { UploadPanel } from './upload-panel.tsx';
import { hasUploads } from './uploads.ts';
import { useFileCommands } from './use-file-commands.ts';
import { useListing } from './use-listing.ts';
import { useReloadAfterUploads } from './use-reload-after-uploads.ts';
import { useSelection } from './use-selection.ts';
import { useView } from './use-view.ts';

/** The files and folders of an account. The address names the folder, and its query the order and the filters. */
export default function Files({ rest, query }: ScreenProps) {
  const place = useMemo(() => placeOf(rest), [rest.join('/')]);
  const filter = filterOf(query);
  const listing = useListing(place, filter);
  const selection = useSelection(JSON.stringify(place));
  const [current, setCurrent] = useState(0);
  const [shown, setShown] = useState<Entry>();
  const [view, setView] = useView();
  const handle = useRef<VirtualHandle>(null);
  const canWrite = hasScope('blob:write');
  const actions = actionsFor({ place, canWrite, onDone: afterChange });
  useReloadAfterUploads(place, listing.reload);
  useFileCommands(place, actions);

  function afterChange() {
    selection.clear();
    setShown(undefined);
    listing.reload();
  }
  const open = (entry: Entry) => {
    if (entry.kind === 'folder') navigate(hrefOf({ ...place, prefix: entry.key }, keptQuery()));
    else setShown(entry);
  };
  const { files } = messages();
  const isEmpty = listing.count === 0 && listing.isEnded;
  const loaded = listing.loaded().length;
  const isMoreToChoose = selection.size >= loaded && (!listing.isEnded || loaded < listing.count);
  const rows = { listing, selection, current, setCurrent, open, actions, handle, shown };
  return (
    <DropZone place={place} isOff={!canWrite}>
      <Screen title={<Breadcrumbs place={place} />} actions={canWrite && <AddButtons place={place} />}>
        <Toolbar place={place} filter={filter} view={view} setView={setView} />
        {listing.error !== undefined && <Problem error={listing.error} onRetry={listing.reload} />}
        <div class={shown ? 'files with-details' : 'files'}>
          {listing.count === 0 && !listing.isEnded ? (
            listing.error === undefined && <Skeleton lines={8} />
          ) : isEmpty ? (
            <EmptyFolder isFiltered={filter.begins !== '' || filter.kind !== undefined} canWrite={canWrite} />
          ) : view === 'list' ? (
            <FileList {...rows} label={files.list} filter={filter} />
          ) : (
            <FileGrid {...rows} label={files.list} />
          )}
          {shown?.kind === 'file' && (
            <Details key={shown.key} entry={shown} actions={actions} onClose={() => setShown(undefined)} />
          )}
        </div>
        {selection.size > 0 && (
          <SelectionBar selection={selection} actions={actions}>
            {isMoreToChoose && <ChooseAll place={place} filter={filter} selection={selection} />}
          </SelectionBar>
        )}
        {hasUploads.value && <UploadPanel />}
      </Screen>
    </DropZone>
  );
}

/** The order and the kind stay in the next folder, the name that was looked for does not. */
function keptQuery(): Readonly<Record<string, string | undefined>> {
  const { query } = route.peek();
  return {
    sort: query.get('sort') ?? undefined,
    order: query.get('order') ?? undefined,
    kind: query.get('kind') ?? undefined,
  };
}
