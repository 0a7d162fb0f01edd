import { join } from 'node:path';

import { countedId } from './counted-ids.ts';

/** How many ids a server's requests use, at most. */
const watchedIds = 600;

/** The files whose calls fail. */
type Files = 'the log' | "the log's index" | 'the database' | 'blobs' | 'folders of blobs' | 'any file';

/** What the server does while a call fails. */
export type Phase = 'requests' | 'the copy of the log' | 'a stop' | 'a start' | 'the first start';

/** Calls that fail, one at a time. */
export interface Target {
  readonly phase: Phase;
  readonly call: string;
  readonly files: Files;
  /** Only each so many of the calls fails, where hundreds of them do the same. Default 1. */
  readonly every?: number;
}

const requests = [
  ['fdatasync', 'the log'],
  ['fsync', 'the log'],
  ['pwrite64', "the log's index"],
  ['ftruncate', "the log's index"],
  ['openat', 'blobs'],
  ['write', 'blobs'],
  ['fsync', 'blobs'],
  ['rename', 'blobs'],
  ['unlink', 'blobs'],
  ['mkdir', 'folders of blobs'],
  ['openat', 'folders of blobs'],
  ['fsync', 'folders of blobs'],
] as const;

const copies = [
  ['fdatasync', 'the database'],
  ['fsync', 'the database'],
  ['ftruncate', 'the database'],
] as const;

const anyFile = ['fdatasync', 'fsync', 'ftruncate', 'rename', 'link', 'unlink', 'mkdir'] as const;

const opened = [
  ['openat', 'the database'],
  ['openat', 'the log'],
  ['openat', "the log's index"],
] as const;

/** Everything that is tried. What has the most points comes last. */
export const targets: readonly Target[] = [
  ...requests.map(([call, files]) => ({ phase: 'requests' as const, call, files })),
  ...copies.map(([call, files]) => ({ phase: 'the copy of the log' as const, call, files })),
  ...(['a stop', 'a start', 'the first start'] as const).flatMap((phase) => [
    ...anyFile.map((call) => ({ phase, call, files: 'any file' as const })),
    ...(phase === 'a stop' ? [] : opened.map(([call, files]) => ({ phase, call, files }))),
  ]),
  { phase: 'requests', call: 'pwrite64', files: 'the log' },
  { phase: 'the copy of the log', call: 'pwrite64', files: 'the database', every: 50 },
  { phase: 'a stop', call: 'pwrite64', files: 'any file', every: 10 },
  { phase: 'a start', call: 'pwrite64', files: 'any file' },
  { phase: 'the first start', call: 'pwrite64', files: 'any file', every: 25 },
];

/** Returns the paths of the files. None if all are meant. */
export function pathsOf(files: Files, dataDir: string, idsFrom: number): string[] {
  const database = join(dataDir, 'cubby.db');
  const blobs = join(dataDir, 'blobs');
  const ids = Array.from({ length: watchedIds }, (_, at) => countedId(idsFrom + at));
  switch (files) {
    case 'the log':
      return [`${database}-wal`];
    case "the log's index":
      return [`${database}-shm`];
    case 'the database':
      return [database];
    case 'blobs':
      return ids.flatMap((id) => [join(blobs, id.slice(0, 2), id), join(blobs, id.slice(0, 2), `${id}.tmp`)]);
    case 'folders of blobs':
      return [blobs, ...new Set(ids.map((id) => join(blobs, id.slice(0, 2))))];
    case 'any file':
      return [];
  }
}
