import { signal } from '@preact/signals';

/** Whether the last request did not reach the server. The shell shows a banner then. */
export const isLost = signal(false);

/** Grows when the person, or the browser, asks to try again. Resources load anew then. */
export const retries = signal(0);

export function noteLost(): void {
  isLost.value = true;
}

export function noteReached(): void {
  isLost.value = false;
}

export function retryNow(): void {
  retries.value++;
}

globalThis.addEventListener?.('online', () => {
  if (isLost.value) retryNow();
});
