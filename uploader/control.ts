import type { UploadState } from './options.ts';
import { unlessAborted } from './time-limits.ts';
import { cancelled } from './upload-error.ts';

/** The state of an upload, and the methods that change it. */
export interface Control {
  readonly state: UploadState;
  /** Aborted by `cancel()` only. Requests in flight continue during a pause. */
  readonly signal: AbortSignal;
  pause(): void;
  resume(): void;
  cancel(): void;
  end(state: 'completed' | 'failed'): void;
  /** Records whether the server is unreachable. */
  setDown(isDown: boolean): void;
  /** Runs a task that only reads the file. The state is `checking` meanwhile. */
  checking<T>(run: () => Promise<T>): Promise<T>;
  /** Waits while the upload is paused. Throws the signal's reason when it is aborted. */
  whenGoing(signal: AbortSignal): Promise<void>;
}

/**
 * Creates the control of one upload.
 *
 * @param tell called with each new state
 */
export function openControl(tell: (state: UploadState) => void): Control {
  let state: UploadState = 'uploading';
  let isDown = false;
  let waiting: Promise<void> | undefined;
  let goOn = () => {};
  const stop = new AbortController();
  const enter = (next: UploadState) => {
    state = next;
    tell(next);
  };
  const isActive = () => state === 'uploading' || state === 'checking' || state === 'offline';
  const sending = () => (isDown ? 'offline' : 'uploading');
  return {
    get state() {
      return state;
    },
    signal: stop.signal,
    pause() {
      if (!isActive()) return;
      waiting = new Promise((resolve) => void (goOn = resolve));
      enter('paused');
    },
    resume() {
      if (state !== 'paused') return;
      enter(sending());
      goOn();
    },
    cancel() {
      if (!isActive() && state !== 'paused') return;
      enter('cancelled');
      stop.abort(cancelled());
    },
    end: enter,
    setDown(next) {
      isDown = next;
      if ((state === 'uploading' || state === 'offline') && state !== sending()) enter(sending());
    },
    async checking(run) {
      if (state === 'uploading' || state === 'offline') enter('checking');
      try {
        return await run();
      } finally {
        if (state === 'checking') enter(sending());
      }
    },
    async whenGoing(signal) {
      while (state === 'paused') await unlessAborted(waiting!, signal);
    },
  };
}
