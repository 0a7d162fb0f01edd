import type { UploadState } from './options.ts';

/** Where an upload stands, and the switch of what is under way. */
export interface Control {
  readonly state: UploadState;
  /** Of the present stretch: aborted by a pause and by the cancellation. */
  readonly signal: AbortSignal;
  pause(): void;
  resume(): void;
  cancel(): void;
  end(state: 'completed' | 'failed'): void;
  /** Runs something that only reads the file; the state is `checking` meanwhile. */
  checking<T>(run: () => Promise<T>): Promise<T>;
  /** Waits while it is paused. */
  whenGoing(): Promise<void>;
}

/** @param tell told of each change */
export function openControl(tell: (state: UploadState) => void): Control {
  let state: UploadState = 'uploading';
  let stretch = new AbortController();
  let wake = () => {};
  const enter = (next: UploadState) => {
    state = next;
    tell(next);
  };
  return {
    get state() {
      return state;
    },
    get signal() {
      return stretch.signal;
    },
    pause() {
      if (state !== 'uploading' && state !== 'checking') return;
      enter('paused');
      stretch.abort();
    },
    resume() {
      if (state !== 'paused') return;
      stretch = new AbortController();
      enter('uploading');
      wake();
    },
    cancel() {
      if (state !== 'uploading' && state !== 'checking' && state !== 'paused') return;
      enter('cancelled');
      stretch.abort();
      wake();
    },
    end: enter,
    async checking(run) {
      if (state === 'uploading') enter('checking');
      try {
        return await run();
      } finally {
        if (state === 'checking') enter('uploading');
      }
    },
    whenGoing: async () => {
      if (state === 'paused') await new Promise<void>((resolve) => void (wake = resolve));
    },
  };
}
