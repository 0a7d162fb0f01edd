import { copyObject, deleteObjects, updateObjects, type ObjectEntry } from '#dist/modules/client/index.js';

import { ask, send } from '../../app/api.ts';
import { runBatch, type BatchResult, type Failure, type Running } from './batch.ts';
import { folderEntry, type Entry, type FileEntry, type FolderEntry } from './entry.ts';
import { followJob } from './folder-job.ts';
import { runInTurn } from './run-in-turn.ts';
import type { Deleted } from './deleted.ts';
import { keyOf, nameOf } from '../../files/object-id.ts';
import { givenName } from './object-key.ts';

/** What is done with chosen rows. Folders become jobs of the server, files become batches of requests. */
export type Change =
  | DeleteChange
  | { readonly action: 'move' | 'copy'; readonly destination: string }
  | ({ readonly action: 'update' } & Settings);

interface DeleteChange {
  readonly action: 'delete';
  /** For at least how many days the trash keeps what is deleted. */
  readonly keepDays: number;
  /** Gets what can be restored. */
  readonly deleted: Deleted;
}

/** The changes of `updateObjects`. Fields that are absent stay. */
export interface Settings {
  readonly private?: boolean;
  readonly expire?: string | null;
  readonly cache_control?: string | null;
  readonly disposition?: 'inline' | 'attachment' | null;
}

/** Applies a change to rows, and returns what became of them. Only a session that has ended throws. */
export function applyChange(entries: readonly Entry[], change: Change, running: Running): Promise<BatchResult> {
  const files = entries.filter((entry): entry is FileEntry => entry.kind === 'file');
  const folders = entries.filter((entry): entry is FolderEntry => entry.kind === 'folder');
  const changeAll = (own: Running) =>
    runBatch(files, {
      ...own,
      size: sizes[change.action],
      nameOf: ({ name }) => name,
      run: (part, signal) => changeFiles(part, change, signal),
    });
  return runInTurn(running, [
    ...(files.length > 0 ? [changeAll] : []),
    ...folders.map((folder) => (own: Running) => changeFolder(folder, change, own)),
  ]);
}

/** Files of one request, as the contract allows. */
const sizes = { delete: 100, update: 50, move: 1, copy: 1 } as const;

async function changeFiles(files: readonly FileEntry[], change: Change, signal: AbortSignal): Promise<Failure[]> {
  const objects = files.map(({ key }) => key);
  const names = new Map(files.map(({ key, name }) => [key, name]));
  const shown = (id: string) => names.get(id) ?? id;
  if (change.action === 'delete') {
    const { keepDays: keep_deleted_days, deleted } = change;
    const report = await ask(deleteObjects({ body: { objects, keep_deleted_days }, signal }));
    for (const { id, version } of report.kept) deleted.versions.push({ version, name: shown(id) });
    // A file that has gone already is what was wanted.
    return report.failed.map(({ id, code }) => ({ name: shown(id), code }));
  }
  if (change.action === 'update') {
    const { action: _action, ...settings } = change;
    const { results } = await ask(updateObjects({ body: { objects, ...settings }, signal }));
    return results.flatMap((result) => (result.ok ? [] : [{ name: shown(result.object), code: result.code }]));
  }
  for (const { file } of files) await copyOne(file, change.destination, change.action === 'move', signal);
  return [];
}

/** @param folder without a trailing slash; empty for the top */
async function copyOne(file: ObjectEntry, folder: string, move: boolean, signal: AbortSignal): Promise<void> {
  const destination = { name: givenName(keyOf(file.id)), ...(folder !== '' && { prefix: folder }) };
  await send(copyObject({ body: { source: file.id, destination, move }, signal }));
}

/** Runs a job over a folder, and follows it to its end. A cancelled change cancels it. */
async function changeFolder(folder: FolderEntry, change: Change, running: Running): Promise<BatchResult> {
  const prefix = folder.key.replace(/\/$/, '');
  const { name } = folder;
  if (change.action === 'delete') {
    const { keepDays: keep_deleted_days, deleted } = change;
    const body = { action: 'delete', prefix, keep_deleted_days } as const;
    return followJob(body, name, running, (id) => deleted.jobs.push({ id, prefix, name }));
  }
  const body =
    change.action === 'update'
      ? ({
          action: 'update',
          prefix,
          ...(change.private !== undefined && { private: change.private }),
          ...(change.expire !== undefined && { expire: change.expire }),
        } as const)
      : ({
          action: change.action,
          prefix,
          destination: [change.destination, nameOf(prefix)].filter(Boolean).join('/'),
        } as const);
  return followJob(body, name, running);
}

/** Gives a folder another name, or another folder above it. */
export function moveFolder(prefix: string, destination: string, running: Running): Promise<BatchResult> {
  return followJob({ action: 'move', prefix, destination }, folderEntry(prefix).name, running);
}
