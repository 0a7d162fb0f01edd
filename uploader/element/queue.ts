import type { UploadHandle, UploadOptions, UploadProgress, UploadState, UploadedFile } from '../options.ts';
import { UploadError } from '../upload-error.ts';
import { uploadFile } from '../upload-file.ts';
import type { Found } from './found-files.ts';

/** `waiting`: other files come first, or nobody has started the upload. */
export type ItemState = 'waiting' | UploadState;

export interface Item extends Found {
  state: ItemState;
  progress: UploadProgress;
  upload?: UploadHandle;
  uploaded?: UploadedFile;
  error?: UploadError;
  /** Whether its folders become part of its name. */
  isFlat?: boolean;
  /** Whether it is paused because the element left the page. */
  isLeft?: boolean;
}

interface QueueOptions {
  optionsFor(item: Item): UploadOptions;
  /** Whether uploads may start now. */
  mayStart(): boolean;
  changed(item: Item, what: 'state' | 'progress'): void;
  /** Called after an item was removed from the list. */
  removed(item: Item): void;
}

/** The files of an element, in order, and their uploads. */
export interface Queue {
  readonly items: readonly Item[];
  /** Bytes sent so far. This number never falls. */
  readonly movedBytes: number;
  add(found: Found): Item;
  startNext(): void;
  /** Uploads a failed file again, ahead of the waiting ones. */
  retry(item: Item): void;
  /** Cancels the file and removes it from the list. */
  remove(item: Item): void;
}

/** Files uploaded at a time. Each sends three parts at a time, which makes the six that the server allows. */
const filesAtOnce = 2;

export function isRunning({ state }: Item): boolean {
  return state === 'uploading' || state === 'checking' || state === 'offline';
}

/** Returns whether the file is neither completed nor failed. */
export function isUnfinished({ state }: Item): boolean {
  return state !== 'completed' && state !== 'failed';
}

export function makeQueue({ optionsFor, mayStart, changed, removed }: QueueOptions): Queue {
  const items: Item[] = [];
  const running = new Set<Item>();
  /** In upload order. Removed items are skipped. */
  const waiting: Item[] = [];
  let movedBytes = 0;
  const enter = (item: Item, state: ItemState) => {
    item.state = state;
    running[isRunning(item) ? 'add' : 'delete'](item);
    changed(item, 'state');
    queue.startNext();
  };
  const move = (item: Item, progress: UploadProgress) => {
    movedBytes += Math.max(0, movedIn(progress) - movedIn(item.progress));
    item.progress = progress;
    changed(item, 'progress');
  };
  const drop = (item: Item) => {
    if (!takeOut(items, item)) return;
    running.delete(item);
    item.state = 'cancelled';
    removed(item);
    queue.startNext();
  };
  const fail = (item: Item, reason: unknown) => {
    item.error = uploadErrorFrom(reason);
    if (item.error.code === 'UPLOAD_CANCELLED') drop(item);
    else enter(item, 'failed');
  };
  const queue: Queue = {
    items,
    get movedBytes() {
      return movedBytes;
    },
    add(found) {
      const item = waitingItem(found);
      items.push(item);
      waiting.push(item);
      return item;
    },
    startNext() {
      while (mayStart() && running.size < filesAtOnce && waiting.length > 0) {
        const item = waiting.shift()!;
        if (item.state === 'waiting') startUpload(item, optionsFor(item), { enter, move, fail });
      }
    },
    retry(item) {
      delete item.error;
      waiting.unshift(item);
      enter(item, 'waiting');
    },
    remove(item) {
      const { upload, state } = item;
      if (state === 'waiting' || state === 'completed' || state === 'failed') drop(item);
      // For a failed upload, this deletes the parts that were kept for a retry.
      void upload?.cancel();
    },
  };
  return queue;
}

function waitingItem(found: Found): Item {
  return { ...found, state: 'waiting', progress: { sentBytes: 0, totalBytes: found.file.size, resumedBytes: 0 } };
}

/** Removes an item from a list. Returns whether it was there. */
export function takeOut(items: Item[], item: Item): boolean {
  // From the end, because removing all items starts there.
  const index = items.lastIndexOf(item);
  if (index >= 0) items.splice(index, 1);
  return index >= 0;
}

function movedIn({ sentBytes, resumedBytes }: UploadProgress): number {
  return sentBytes - resumedBytes;
}

function uploadErrorFrom(reason: unknown): UploadError {
  return reason instanceof UploadError
    ? reason
    : new UploadError({ code: 'UNEXPECTED_ANSWER', message: String(reason), retryable: false, cause: reason });
}

interface Listener {
  enter(item: Item, state: ItemState): void;
  move(item: Item, progress: UploadProgress): void;
  fail(item: Item, reason: unknown): void;
}

/** Uploads a file. What an earlier upload of the same item still says is ignored. */
function startUpload(item: Item, options: UploadOptions, { enter, move, fail }: Listener): void {
  const isMine = () => item.upload === upload;
  const upload: UploadHandle = uploadFile(item.file, {
    ...options,
    onProgress: (progress) => isMine() && move(item, progress),
    onState: (state) => isMine() && state !== 'completed' && state !== 'failed' && enter(item, state),
  });
  item.upload = upload;
  enter(item, 'uploading');
  upload.done.then(
    (uploaded) => {
      item.uploaded = uploaded;
      enter(item, 'completed');
    },
    (reason: unknown) => isMine() && fail(item, reason),
  );
}
