import type { ObjectEntry, ObjectPage } from '#dist/modules/client/index.js';

import type { IconName } from '../../ui/icon.tsx';
import { keyOf } from '../../files/object-id.ts';
import { nameOf } from './object-key.ts';

export interface FolderEntry {
  readonly kind: 'folder';
  /** Its prefix, which ends in `/`. It is its identity in a list. */
  readonly key: string;
  readonly name: string;
}

export interface FileEntry {
  readonly kind: 'file';
  /** The id of the file. It is its identity in a list. */
  readonly key: string;
  readonly name: string;
  readonly file: ObjectEntry;
}

/** A row of a list. */
export type Entry = FolderEntry | FileEntry;

export function folderEntry(prefix: string): FolderEntry {
  return { kind: 'folder', key: prefix, name: nameOf(prefix) };
}

/** Returns the rows of a page: its folders before its files. */
export function entriesOf({ folders = [], objects }: ObjectPage): Entry[] {
  return [
    // The server lists those of public files first.
    ...folders.toSorted().map(folderEntry),
    ...objects.map((file): FileEntry => ({ kind: 'file', key: file.id, name: nameOf(keyOf(file.id)), file })),
  ];
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

/** Returns what a file probably is, by its name. It chooses the icon and the preview. */
export function kindOf(name: string): Kind {
  return kinds.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other';
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
  return entry.kind === 'folder' ? 'folder' : icons[kindOf(entry.name)];
}
