import type { ObjectEntry, ObjectPage } from '#dist/modules/client/index.js';

import { locale } from '../../app/settings.ts';
import { keyOf, nameOf } from '../../files/object-id.ts';
import { shownName } from '../../files/shown-name.ts';
import type { IconName } from '../../ui/icon.tsx';
import { plainName } from '../../ui/plain-text.ts';

export interface FolderEntry {
  readonly kind: 'folder';
  /** Its prefix, which ends in `/`. It is its identity in a list. */
  readonly key: string;
  /** The last part of its key, as it is shown. */
  readonly name: string;
}

export interface FileEntry {
  readonly kind: 'file';
  /** The id of the file. It is its identity in a list. */
  readonly key: string;
  /** As it is shown. */
  readonly name: string;
  readonly file: ObjectEntry;
}

/** A row of a list. */
export type Entry = FolderEntry | FileEntry;

export function folderEntry(prefix: string): FolderEntry {
  return { kind: 'folder', key: prefix, name: plainName(nameOf(prefix)) };
}

/** Returns the rows of a page: its folders before its files. */
export function entriesOf({ folders = [], objects }: ObjectPage): Entry[] {
  return [
    // The server lists those of public files first.
    ...folders.toSorted().map(folderEntry),
    ...objects.map((file): FileEntry => ({ kind: 'file', key: file.id, name: shownName(file), file })),
  ];
}

/** Returns the key of a row, as it may be shown. */
export function keyOfEntry({ kind, key }: Entry): string {
  return plainName(kind === 'folder' ? key : keyOf(key));
}

/**
 * Returns a comparison of rows by their names: folders before files, numbers by their value, and letters in either
 * case.
 */
export function byName(order: 'asc' | 'desc'): (one: Entry, other: Entry) => number {
  const { compare } = new Intl.Collator(locale(), { numeric: true });
  const direction = order === 'asc' ? 1 : -1;
  return (one, other) => {
    if (one.kind !== other.kind) return one.kind === 'folder' ? -1 : 1;
    return direction * (compare(one.name, other.name) || (one.key < other.key ? -1 : 1));
  };
}

export type Kind = 'image' | 'audio' | 'video' | 'pdf' | 'text' | 'archive' | 'other';

const kinds: ReadonlyArray<readonly [Kind, RegExp]> = [
  ['image', /\.(avif|bmp|gif|heic|ico|jpe?g|png|svg|tiff?|webp)$/i],
  ['audio', /\.(aac|flac|m4a|mp3|oga|ogg|opus|wav)$/i],
  ['video', /\.(avi|m4v|mkv|mov|mp4|ogv|webm)$/i],
  ['pdf', /\.pdf$/i],
  ['text', /\.(css|csv|js|json|log|md|toml|ts|txt|xml|ya?ml)$/i],
  ['archive', /\.(7z|br|bz2|gz|rar|tar|tgz|xz|zip|zst)$/i],
];

/** Returns what a file probably is, by its key, as it is served. It chooses the icon and the preview. */
export function kindOf(key: string): Kind {
  return kinds.find(([, pattern]) => pattern.test(key))?.[0] ?? 'other';
}

const icons: Readonly<Record<Kind, IconName>> = {
  image: 'image',
  audio: 'audio',
  video: 'video',
  pdf: 'text',
  text: 'text',
  archive: 'archive',
  other: 'file',
};

export function iconOf(entry: Entry): IconName {
  return entry.kind === 'folder' ? 'folder' : icons[kindOf(entry.key)];
}
