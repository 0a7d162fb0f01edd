import type { UploadState } from './options.ts';
import { unlessAborted } from './time-limits.ts';
import { cancelled } from './upload-error.ts';

/** Where an upload stands, and the switches of what it does. */
export interface Control {
  readonly state: UploadState;
  /** Aborted by the cancellation alone. A pause lets requests under way come to their end. */
  readonly signal: AbortSignal;
  pause(): void;
  resume(): void;
  cancel(): void;
  end(state: 'completed' | 'failed'): void;
  /** Takes note of whether the server can be reached. */
  setDown(isDown: boolean): void;
  /** Runs something that only reads the file; the state is `checking` meanwhile. */
  checking<T>(run: () => Promise<T>): Promise<T>;
  /** Waits while it is paused; throws the signal's reason. */
  whenGoing(signal: AbortSignal): Promise<void>;
}

/** @param tell told of each change */
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
