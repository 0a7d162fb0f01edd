import { computed, effect, signal } from '@preact/signals';

import { deleteObjects, type ObjectEntry } from '#dist/modules/client/index.js';
import type { UploadHandle } from '#dist/modules/uploader/index.js';

import { send } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { csrfToken, endedByServer, session } from '../../app/session-state.ts';
import { keyOf } from '../../files/object-id.ts';
import { toastError } from '../../ui/toasts.tsx';
import { interrupted, keepInterrupted, takeInterrupted } from './interrupted.ts';
import type { Place } from './place.ts';

/** A file with its path in the chosen or dropped folder; the name of a single file. */
export interface FoundFile {
  readonly file: File;
  readonly path: string;
  /** The files whose place it takes. */
  readonly replaced?: Replaced;
  /** Whether what an earlier page has stored is no longer there. */
  readonly isGone?: boolean;
}

/** Files whose place another one takes. */
interface Replaced {
  readonly files: readonly ObjectEntry[];
  /** For how many days the trash keeps them. */
  readonly keepDays: number;
}

export interface Upload {
  readonly id: number;
  readonly path: string;
  readonly sizeBytes: number;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** It does not fall when a request is sent again, so that the sum of all uploads only grows. */
  readonly sentBytes: number;
  readonly isPublic: boolean;
  /** The id of the stored file. */
  readonly storedId?: string;
  /** Why it failed. */
  readonly code?: string;
}

interface Task extends FoundFile {
  readonly prefix: string;
  /** Undefined until the upload starts: the person may still choose. */
  readonly isPublic: boolean | undefined;
  readonly overwrite: boolean;
}

/** The server takes four uploads of an account at a time. One is left for other programs. */
const mostRunning = 3;
/** The list is drawn at most this often, however many uploads report. */
const drawMs = 100;

const tasks = new Map<number, Task>();
/** Those that wait, the next one first. */
const queue: number[] = [];
const handles = new Map<number, UploadHandle>();
const uploads = new Map<number, Upload>();
const listeners = new Set<(prefix: string) => void>();
let lastId = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** All uploads that were not dismissed, the first one first. */
export const uploadsSeen = signal<readonly Upload[]>([]);

/** Whether no upload starts or goes on until the person says so. */
export const isPaused = signal(false);

/** Whether anybody with the address may read what is uploaded from now on. The panel has the choice. */
export const isPublicChosen = signal(false);

/** Whether the person has opened the panel to choose before the first upload. */
export const isPanelOpened = signal(false);

/** Whether the panel of uploads is shown. */
export const hasUploads = computed(
  () => isPanelOpened.value || uploadsSeen.value.length > 0 || interrupted.value.length > 0,
);

// The next person must choose anew.
effect(() => {
  if (!session.value) isPublicChosen.value = isPanelOpened.value = false;
});

export const uploadTotals = computed(() => {
  const totals = { sentBytes: 0, totalBytes: 0, open: 0, done: 0, failed: 0, public: 0, private: 0 };
  for (const { sentBytes, state, sizeBytes, isPublic } of uploadsSeen.value) {
    totals.sentBytes += sentBytes;
    totals.totalBytes += sizeBytes;
    totals[state === 'done' || state === 'failed' ? state : 'open']++;
    if (state === 'done') totals[isPublic ? 'public' : 'private']++;
  }
  return totals;
});

/**
 * Uploads files into a folder, as private ones unless the person has chosen otherwise. A public file whose name is
 * taken there fails, and can then replace the other one.
 */
export function addUploads({ prefix }: Place, found: readonly FoundFile[]): void {
  for (const { file, path, replaced, isGone = false } of found) {
    const id = ++lastId;
    const before = takeInterrupted(prefix, path, file);
    const isStored = !isGone && before?.isStored === true;
    // It is private if one of the files that it replaces is.
    const isPublic = replaced ? replaced.files.every((one) => !one.private) : before?.isPublic;
    tasks.set(id, { file, path, prefix, isPublic, overwrite: replaced !== undefined, ...(replaced && { replaced }) });
    uploads.set(id, {
      id,
      path,
      sizeBytes: file.size,
      state: isStored ? 'done' : 'waiting',
      sentBytes: isStored ? file.size : 0,
      isPublic: isPublic ?? false,
    });
    if (!isStored) queue.push(id);
  }
  draw();
  startNext();
}

/** Lets the requests that run end, and starts no further ones until `resumeUploads()`. */
export function pauseUploads(): void {
  isPaused.value = true;
  for (const handle of handles.values()) handle.pause();
}

export function resumeUploads(): void {
  isPaused.value = false;
  for (const handle of handles.values()) handle.resume();
  startNext();
}

/** Tries a failed upload again. */
export function retryUpload(id: number, overwrite = false): void {
  const task = tasks.get(id);
  if (!task) return;
  tasks.set(id, { ...task, overwrite });
  change(id, { state: 'waiting' });
  queue.push(id);
  startNext();
}

/** What depends on the file itself, so that the same request fails again. */
const lasting = new Set([
  'BLOCKED_FILE_TYPE',
  'FILE_TOO_LARGE',
  'FILE_TOO_SMALL',
  'FILE_TYPE_NOT_ALLOWED',
  'OBJECT_ALREADY_EXISTS',
]);

/** Returns whether an upload has failed for a reason that may pass. */
export function canRetry({ state, code }: Upload): boolean {
  return state === 'failed' && !(code !== undefined && lasting.has(code));
}

/** Tries all failed uploads again that may succeed. */
export function retryFailed(): void {
  for (const upload of uploads.values()) if (canRetry(upload)) retryUpload(upload.id);
}

/** Ends an upload that runs, and removes it from the list. */
export function dismissUpload(id: number): void {
  void handles.get(id)?.cancel();
  handles.delete(id);
  tasks.delete(id);
  uploads.delete(id);
  draw();
  startNext();
}

/** Returns the stored files that are public, or those that are private. */
export function storedUploads(isPublic: boolean): ReadonlyArray<{ readonly id: string; readonly name: string }> {
  return [...uploads.values()].flatMap((one) =>
    one.storedId !== undefined && one.isPublic === isPublic ? [{ id: one.storedId, name: one.path }] : [],
  );
}

/** Notes that a stored file has another visibility, and so another id. */
export function noteVisibility(before: string, storedId: string, isPublic: boolean): void {
  for (const upload of uploads.values()) if (upload.storedId === before) change(upload.id, { storedId, isPublic });
  for (const listener of listeners) listener(keyOf(storedId).replace(/[^/]*$/, ''));
}

/** Removes those that have ended, the choice of the panel, and what an earlier page had not finished. */
export function dismissEnded(): void {
  interrupted.value = [];
  isPublicChosen.value = isPanelOpened.value = false;
  for (const { id, state } of uploads.values()) if (state === 'done' || state === 'failed') dismissUpload(id);
}

/** Calls a function with the folder of each file that was stored. Returns a function that ends it. */
export function onUploaded(listener: (prefix: string) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function startNext(): void {
  if (isPaused.peek()) return;
  while (handles.size < mostRunning && queue.length > 0) {
    const id = queue.shift()!;
    // It may be dismissed meanwhile.
    if (uploads.get(id)?.state === 'waiting') void start(id);
  }
}

async function start(id: number): Promise<void> {
  const { isPublic = isPublicChosen.peek(), ...task } = tasks.get(id)!;
  tasks.set(id, { ...task, isPublic });
  change(id, { state: 'running', isPublic });
  // Holds the place of the handle while the uploader is loaded.
  handles.set(id, { cancel: async () => {}, pause() {}, resume() {} } as unknown as UploadHandle);
  try {
    const { uploadFile, objectPlace } = await import('#dist/modules/uploader/index.js');
    const { prefix, name } = objectPlace(task.path, task.prefix);
    if (!uploads.has(id)) return;
    const handle = uploadFile(task.file, {
      credential: { csrfToken: csrfToken() ?? '' },
      query: {
        name,
        ...(prefix !== undefined && { prefix }),
        private: !isPublic,
        overwrite: task.overwrite,
      },
      onProgress: ({ sentBytes }) => change(id, { sentBytes: Math.max(sentBytes, uploads.get(id)?.sentBytes ?? 0) }),
    });
    handles.set(id, handle);
    if (isPaused.peek()) handle.pause();
    const { id: stored } = await handle.done;
    if (task.replaced) await removeReplaced(task.replaced, stored);
    change(id, { state: 'done', sentBytes: task.file.size, storedId: stored });
    for (const listener of listeners) listener(prefix === undefined ? '' : `${prefix}/`);
  } catch (error) {
    const { code, status } = error as { code?: unknown; status?: unknown };
    if (status === 401) endedByServer();
    change(id, { state: 'failed', code: typeof code === 'string' ? code : 'UPLOAD_FAILED' });
  } finally {
    handles.delete(id);
    startNext();
  }
}

/** Ids of one request, as the contract allows. */
const mostDeleted = 100;

/** Deletes what a stored file replaces, unless the server has put it in the very place of one. */
async function removeReplaced({ files, keepDays }: Replaced, stored: string): Promise<void> {
  const others = files.map(({ id }) => id).filter((one) => one !== stored);
  for (let at = 0; at < others.length; at += mostDeleted) {
    const objects = others.slice(at, at + mostDeleted);
    // Another person may have deleted it meanwhile.
    await send(deleteObjects({ body: { objects, keep_deleted_days: keepDays } })).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'OBJECT_NOT_FOUND')) toastError(error);
    });
  }
}

function change(id: number, changes: Partial<Upload>): void {
  const before = uploads.get(id);
  if (!before) return;
  uploads.set(id, { ...before, ...changes });
  draw();
}

function draw(): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    uploadsSeen.value = [...uploads.values()];
  }, drawMs);
}

globalThis.addEventListener?.('pagehide', () => {
  keepInterrupted([
    ...[...uploads.values()].flatMap(({ id, path, sizeBytes, state }) => {
      const task = tasks.get(id);
      // What failed before a reload was not stopped by it.
      if (!task || state === 'failed') return [];
      const { prefix, isPublic = isPublicChosen.peek(), file } = task;
      return [{ prefix, isPublic, path, sizeBytes, modifiedAtMs: file.lastModified, isStored: state === 'done' }];
    }),
    ...interrupted.peek(),
  ]);
});

// Leaving the page would end the uploads.
globalThis.addEventListener?.('beforeunload', (event) => {
  if (session.peek() && uploadTotals.value.open > 0) event.preventDefault();
});
