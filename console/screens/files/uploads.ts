import { computed, signal } from '@preact/signals';

import type { UploadHandle } from '#generated/uploader/index.js';

import { csrfToken, endedByServer, session } from '../../app/session-state.ts';
import type { Place } from './place.ts';

/** A file with its path in the chosen or dropped folder; the name of a single file. */
export interface FoundFile {
  readonly file: File;
  readonly path: string;
}

export interface Upload {
  readonly id: number;
  readonly path: string;
  readonly sizeBytes: number;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly sentBytes: number;
  /** Why it failed. */
  readonly code?: string;
}

interface Task extends FoundFile {
  readonly place: Place;
  readonly overwrite: boolean;
}

/** The server takes four uploads of an account at a time. One is left for other programs. */
const mostRunning = 3;
/** The list is drawn at most this often, however many uploads report. */
const drawMs = 100;

const tasks = new Map<number, Task>();
const handles = new Map<number, UploadHandle>();
const uploads = new Map<number, Upload>();
const listeners = new Set<(prefix: string) => void>();
let lastId = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** All uploads that were not dismissed, the first one first. */
export const uploadsSeen = signal<readonly Upload[]>([]);

export const uploadTotals = computed(() => {
  const all = uploadsSeen.value;
  return {
    sentBytes: all.reduce(
      (sum, { sentBytes, state, sizeBytes }) => sum + (state === 'done' ? sizeBytes : sentBytes),
      0,
    ),
    totalBytes: all.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    open: all.filter(({ state }) => state === 'waiting' || state === 'running').length,
    failed: all.filter(({ state }) => state === 'failed').length,
  };
});

/** Uploads files into a folder. A file whose name is taken there fails, and can then replace the other one. */
export function addUploads(place: Place, found: readonly FoundFile[]): void {
  for (const one of found) {
    const id = ++lastId;
    tasks.set(id, { ...one, place, overwrite: false });
    uploads.set(id, { id, path: one.path, sizeBytes: one.file.size, state: 'waiting', sentBytes: 0 });
  }
  draw();
  startNext();
}

/** Tries a failed upload again. */
export function retryUpload(id: number, overwrite = false): void {
  const task = tasks.get(id);
  if (!task) return;
  tasks.set(id, { ...task, overwrite });
  change(id, { state: 'waiting', sentBytes: 0 });
  startNext();
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

/** Removes those that have ended. */
export function dismissEnded(): void {
  for (const { id, state } of uploads.values()) if (state === 'done' || state === 'failed') dismissUpload(id);
}

/** Calls a function with the folder of each file that was stored. Returns a function that ends it. */
export function onUploaded(listener: (prefix: string) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function startNext(): void {
  for (const { id, state } of uploads.values()) {
    if (handles.size >= mostRunning) return;
    if (state === 'waiting') void start(id);
  }
}

async function start(id: number): Promise<void> {
  const task = tasks.get(id)!;
  change(id, { state: 'running', sentBytes: 0 });
  // Holds the place of the handle while the uploader is loaded.
  handles.set(id, { cancel: async () => {} } as UploadHandle);
  try {
    const { uploadFile, objectPlace } = await import('#generated/uploader/index.js');
    const { prefix, name } = objectPlace(task.path, task.place.prefix);
    if (!uploads.has(id)) return;
    const handle = uploadFile(task.file, {
      credential: { csrfToken: csrfToken() ?? '' },
      query: {
        name,
        ...(prefix !== undefined && { prefix }),
        ...(task.place.space !== 'all' && { private: task.place.space === 'private' }),
        overwrite: task.overwrite,
      },
      onProgress: ({ sentBytes }) => change(id, { sentBytes }),
    });
    handles.set(id, handle);
    await handle.done;
    change(id, { state: 'done', sentBytes: task.file.size });
    tasks.delete(id);
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

// Leaving the page would end the uploads.
globalThis.addEventListener?.('beforeunload', (event) => {
  if (session.peek() && uploadTotals.value.open > 0) event.preventDefault();
});
