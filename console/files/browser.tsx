import './browser.css';

import { listObjects, type ObjectEntry } from '#dist/modules/client/index.js';

import { ask } from '../app/api.ts';
import { usePages, type Pages } from '../app/use-pages.ts';
import { messages } from '../app/messages.ts';
import { formatSize } from '../format.ts';
import { Field } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { More } from '../ui/more.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { folderAbove } from './object-id.ts';
import { ObjectName } from './object-name.tsx';
import { plainText } from '../ui/plain-text.ts';
import { useRested } from '../ui/use-rested.ts';

type Entry = { readonly folder: string } | { readonly file: ObjectEntry };

interface BrowserProps {
  readonly path: string;
  readonly onPath: (path: string) => void;
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | undefined;
  /** The ids of the ticked files. Without it files are only shown. */
  readonly chosen?: { has(id: string): boolean };
  readonly onToggle?: (file: ObjectEntry) => void;
}

/** Shows what begins with a typed path. Folders are opened in place; files are ticked if the caller wants files. */
export function Browser({ path, onPath, label, hint, problem, chosen, onToggle }: BrowserProps) {
  const { choose } = messages().shares;
  const prefix = useRested(path);
  const pages = useEntries(prefix);
  const entries = withoutRepeats(pages.items ?? []);
  return (
    <>
      <Field
        label={label}
        {...(hint !== undefined && { hint })}
        problem={problem}
        dir="ltr"
        autocomplete="off"
        spellcheck={false}
        value={path}
        onInput={({ currentTarget }) => onPath(currentTarget.value)}
      />
      <div class="browser" role="group" aria-label={choose.list} aria-busy={pages.isLoading}>
        {path !== '' && (
          <button type="button" class="browser-row" onClick={() => onPath(folderAbove(path))}>
            <Icon name="up" />
            <span class="browser-name">{choose.up}</span>
          </button>
        )}
        {pages.items === undefined && pages.error === undefined && <Skeleton />}
        {entries.map((entry) =>
          'folder' in entry ? (
            <FolderRow
              key={entry.folder}
              folder={entry.folder}
              name={entry.folder.slice(folderOf(prefix).length)}
              onOpen={onPath}
            />
          ) : (
            <FileRow
              key={entry.file.id}
              file={entry.file}
              isChosen={chosen?.has(entry.file.id)}
              {...(onToggle && { onToggle })}
            />
          ),
        )}
        {pages.items?.length === 0 && !pages.hasMore && <p class="quiet browser-none">{choose.nothing}</p>}
        <More pages={pages} />
      </div>
    </>
  );
}

function useEntries(prefix: string): Pages<Entry> {
  return usePages<Entry>(
    async (after, signal) => {
      const query = { prefix, delimiter: '/' as const, fields: 'original_name', limit: 100, ...after };
      const page = await ask(listObjects({ query, signal }));
      const folders = (page.folders ?? []).map((folder) => ({ folder }));
      return { items: [...folders, ...page.objects.map((file) => ({ file }))], next: page.continuationToken };
    },
    [prefix],
  );
}

function FolderRow({
  folder,
  name,
  onOpen,
}: {
  readonly folder: string;
  readonly name: string;
  readonly onOpen: (folder: string) => void;
}) {
  const { choose } = messages().shares;
  return (
    <button type="button" class="browser-row" aria-label={choose.openFolder(folder)} onClick={() => onOpen(folder)}>
      <Icon name="folder" />
      <bdi class="browser-name">{plainText(name)}</bdi>
      <Icon name="next" size={16} />
    </button>
  );
}

function FileRow({
  file,
  isChosen,
  onToggle,
}: {
  readonly file: ObjectEntry;
  readonly isChosen: boolean | undefined;
  readonly onToggle?: (file: ObjectEntry) => void;
}) {
  if (isChosen === undefined || !onToggle)
    return (
      <div class="browser-row">
        <Icon name="file" />
        <span class="browser-name">
          <ObjectName file={file} />
        </span>
        <span class="quiet">{formatSize(file.size)}</span>
      </div>
    );
  return (
    <label class="browser-row">
      <input type="checkbox" checked={isChosen} onChange={() => onToggle(file)} />
      <span class="browser-name">
        <ObjectName file={file} />
      </span>
      <span class="quiet">{formatSize(file.size)}</span>
    </label>
  );
}

function folderOf(prefix: string): string {
  return prefix.slice(0, prefix.lastIndexOf('/') + 1);
}

/** A folder with public and private files can be on two pages. */
function withoutRepeats(entries: readonly Entry[]): Entry[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    if (!('folder' in entry)) return true;
    const isNew = !seen.has(entry.folder);
    seen.add(entry.folder);
    return isNew;
  });
}
