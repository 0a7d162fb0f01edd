import type { UploadHandle, UploadOptions, UploadProgress, UploadState, UploadedFile } from '../options.ts';
import { UploadError } from '../upload-error.ts';
import { uploadFile } from '../upload-file.ts';
import type { Found } from './found-files.ts';

/** `waiting`: other files come first, or nobody has said yet that it may begin. */
export type ItemState = 'waiting' | UploadState;

/** One file of the list. */
export interface Item extends Found {
  state: ItemState;
  progress: UploadProgress;
  upload?: UploadHandle;
  uploaded?: UploadedFile;
  error?: UploadError;
  /** Its folders go into its name. */
  isFlat?: boolean;
  /** Paused because the element is not in the page. */
  isLeft?: boolean;
}

export interface QueueOptions {
  optionsFor(item: Item): UploadOptions;
  /** Whether files may begin now. */
  mayStart(): boolean;
  changed(item: Item, what: 'state' | 'progress'): void;
  /** The item is not in the list any more. */
  removed(item: Item): void;
}

/** The files of an element, and which of them are under way. */
export interface Queue {
  readonly items: readonly Item[];
  /** Bytes that went over the line so far; it never falls. */
  readonly movedBytes: number;
  add(found: Found): Item;
  startNext(): void;
  /** Begins it once more, in its turn. */
  retry(item: Item): void;
  /** Ends it, and takes it out of the list. */
  remove(item: Item): void;
}

/** Files under way at once; each sends three parts at a time, which makes the six that the server takes. */
const filesAtOnce = 2;

export function isRunning({ state }: Item): boolean {
  return state === 'uploading' || state === 'checking' || state === 'offline';
}

/** Whether it is neither completed nor failed. */
export function isUnfinished({ state }: Item): boolean {
  return state !== 'completed' && state !== 'failed';
}

export function makeQueue({ optionsFor, mayStart, changed, removed }: QueueOptions): Queue {
  const items: Item[] = [];
  const running = new Set<Item>();
  /** In their order; removed ones are skipped. */
  const waiting: Item[] = [];
  let movedBytes = 0;

  const enter = (item: Item, state: ItemState) => {
    item.state = state;
    if (isRunning(item)) running.add(item);
    else running.delete(item);
    changed(item, 'state');
    queue.startNext();
  };
  const move = (item: Item, progress: UploadProgress) => {
    const sent = ({ sentBytes, resumedBytes }: UploadProgress) => sentBytes - resumedBytes;
    movedBytes += Math.max(0, sent(progress) - sent(item.progress));
    item.progress = progress;
    changed(item, 'progress');
  };
  const drop = (item: Item) => {
    // From the end, because whoever removes all begins there.
    const index = items.lastIndexOf(item);
    if (index < 0) return;
    items.splice(index, 1);
    running.delete(item);
    item.state = 'cancelled';
    removed(item);
    queue.startNext();
  };
  const fail = (item: Item, reason: unknown) => {
    item.error =
      reason instanceof UploadError
        ? reason
        : new UploadError({ code: 'UNEXPECTED_ANSWER', message: String(reason), retryable: false, cause: reason });
    if (item.error.code === 'UPLOAD_CANCELLED') return drop(item);
    enter(item, 'failed');
  };
  const start = (item: Item) => {
    const isMine = () => item.upload === upload;
    const upload: UploadHandle = uploadFile(item.file, {
      ...optionsFor(item),
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
  };
  const queue: Queue = {
    items,
    get movedBytes() {
      return movedBytes;
    },
    add(found) {
      const item: Item = {
        ...found,
        state: 'waiting',
        progress: { sentBytes: 0, totalBytes: found.file.size, resumedBytes: 0 },
      };
      items.push(item);
      waiting.push(item);
      return item;
    },
    startNext() {
      while (mayStart() && running.size < filesAtOnce && waiting.length > 0) {
        const item = waiting.shift()!;
        if (item.state === 'waiting') start(item);
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
      // Of a failed one this removes what was kept for another try.
      void upload?.cancel();
    },
  };
  return queue;
}
