import {
  abortFolderJob,
  copyObject,
  deleteObjects,
  getFolderJob,
  startFolderJob,
  updateObjects,
  type ObjectEntry,
} from '#dist/modules/client/index.js';

import { ask, send } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { runBatch, type BatchProgress, type BatchResult, type Failure } from './batch.ts';
import type { Entry, FileEntry, FolderEntry } from './entry.ts';
import { keyOf } from '../../files/object-id.ts';
import { givenName, nameOf } from './object-key.ts';

/** What is done with chosen rows. Folders become jobs of the server, files become batches of requests. */
export type Change =
  | { readonly action: 'delete' }
  | { readonly action: 'move' | 'copy'; readonly destination: string }
  | ({ readonly action: 'update' } & Settings);

/** The changes of `updateObjects`. Fields that are absent stay. */
export interface Settings {
  readonly private?: boolean;
  readonly expire?: string | null;
  readonly cache_control?: string | null;
  readonly disposition?: 'inline' | 'attachment' | null;
}

interface Running {
  readonly onProgress: (progress: BatchProgress) => void;
  readonly signal: AbortSignal;
}

/** Applies a change to rows, and returns what became of them. Only a session that has ended throws. */
export async function applyChange(
  entries: readonly Entry[],
  change: Change,
  { onProgress, signal }: Running,
): Promise<BatchResult> {
  const files = entries.filter((entry): entry is FileEntry => entry.kind === 'file');
  const folders = entries.filter((entry): entry is FolderEntry => entry.kind === 'folder');
  const results: BatchResult[] = [];
  const add = ({ done, total, ...waiting }: BatchProgress) => {
    const before = results.reduce((sum, one) => sum + one.done + one.failures.length, 0);
    onProgress({ done: before + done, total: before + Math.max(total, 1), ...waiting });
  };
  if (files.length > 0)
    results.push(
      await runBatch(files, {
        size: sizes[change.action],
        nameOf: ({ name }) => name,
        run: (part, own) => changeFiles(part, change, own),
        onProgress: add,
        signal,
      }),
    );
  for (const folder of folders) {
    if (signal.aborted) break;
    results.push(await changeFolder(folder, change, { onProgress: add, signal }));
  }
  return {
    done: results.reduce((sum, { done }) => sum + done, 0),
    failures: results.flatMap(({ failures }) => failures),
    isCancelled: signal.aborted,
  };
}

/** Files of one request, as the contract allows. */
const sizes = { delete: 100, update: 50, move: 1, copy: 1 } as const;

async function changeFiles(files: readonly FileEntry[], change: Change, signal: AbortSignal): Promise<Failure[]> {
  const objects = files.map(({ key }) => key);
  if (change.action === 'delete') {
    if (objects.length === 1) {
      await send(deleteObjects({ body: { object: objects[0]! }, signal }));
      return [];
    }
    const report = await ask(deleteObjects({ body: { objects }, signal }));
    // A file that has gone already is what was wanted.
    return report.failed.map(({ id, code }) => ({ name: nameOf(keyOf(id)), code }));
  }
  if (change.action === 'update') {
    const { action: _action, ...settings } = change;
    const { results } = await ask(updateObjects({ body: { objects, ...settings }, signal }));
    return results.flatMap((result) => (result.ok ? [] : [{ name: nameOf(keyOf(result.object)), code: result.code }]));
  }
  for (const { file } of files) await copyOne(file, change.destination, change.action === 'move', signal);
  return [];
}

/** @param folder without a trailing slash; empty for the top */
async function copyOne(file: ObjectEntry, folder: string, move: boolean, signal: AbortSignal): Promise<void> {
  const destination = { name: givenName(keyOf(file.id)), ...(folder !== '' && { prefix: folder }) };
  await send(copyObject({ body: { source: file.id, destination, move }, signal }));
}

/** Renames a file in its folder. @throws {ApiError} */
export async function renameFile(file: ObjectEntry, name: string, prefix: string | undefined): Promise<void> {
  await send(copyObject({ body: { source: file.id, destination: { name, ...(prefix && { prefix }) }, move: true } }));
}

const pollMs = 700;

/** Runs a job over a folder, and follows it to its end. A cancelled change cancels it. */
export async function changeFolder(folder: FolderEntry, change: Change, running: Running): Promise<BatchResult> {
  const prefix = folder.key.replace(/\/$/, '');
  const body =
    change.action === 'delete'
      ? ({ action: 'delete', prefix } as const)
      : change.action === 'update'
        ? ({
            action: 'update',
            prefix,
            ...(change.private !== undefined && { private: change.private }),
            ...(change.expire !== undefined && { expire: change.expire }),
          } as const)
        : ({
            action: change.action,
            prefix,
            destination: [change.destination, folder.name].filter(Boolean).join('/'),
          } as const);
  return followJob(body, folder.name, running);
}

/** Gives a folder another name, or another folder above it. */
export function moveFolder(prefix: string, destination: string, running: Running): Promise<BatchResult> {
  return followJob({ action: 'move', prefix, destination }, nameOf(prefix), running);
}

type JobBody = Parameters<typeof startFolderJob>[0]['body'];

async function followJob(body: JobBody, name: string, { onProgress, signal }: Running): Promise<BatchResult> {
  try {
    const { id } = await ask(startFolderJob({ body }));
    for (;;) {
      if (signal.aborted) await send(abortFolderJob({ path: { id } }));
      const job = await ask(getFolderJob({ path: { id } }));
      onProgress({ done: job.done + job.failed, total: job.total });
      if (job.ended_at !== null)
        return {
          done: job.done,
          failures: job.failures.map((failed) => ({ name: keyOf(failed.id), code: failed.code })),
          isCancelled: signal.aborted,
        };
      await rest(signal);
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    return { done: 0, failures: [{ name, code: error.code }], isCancelled: false };
  }
}

/** Waits until the job is looked at again. */
function rest(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pollMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
