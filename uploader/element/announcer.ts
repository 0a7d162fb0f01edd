import type { UploadError } from '../upload-error.ts';
import type { Texts } from './texts.ts';

/** Collects finished uploads for this long, so that a hundred of them become one sentence. */
const gatherMs = 1_000;

/** Tells screen reader users what happens in the list. */
export interface Announcer {
  /** Announces the result of a user's action at once. */
  say(text: string): void;
  completed(file: string): void;
  failed(file: string, error: UploadError): void;
}

export function makeAnnouncer(out: HTMLElement, texts: () => Texts): Announcer {
  let completed: string[] = [];
  let failed: Array<readonly [string, UploadError]> = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = () => {
    timer = undefined;
    const { saysCompleted, saysCompletedMany, saysFailed, saysFailedMany } = texts();
    const sentences = [];
    if (completed.length > 0)
      sentences.push(completed.length === 1 ? saysCompleted(completed[0]!) : saysCompletedMany(completed.length));
    if (failed.length > 0)
      sentences.push(failed.length === 1 ? saysFailed(...failed[0]!) : saysFailedMany(failed.length));
    out.textContent = sentences.join(' ');
    completed = [];
    failed = [];
  };
  const later = () => void (timer ??= setTimeout(tell, gatherMs));
  return {
    say: (text) => void (out.textContent = text),
    completed(file) {
      completed.push(file);
      later();
    },
    failed(file, error) {
      failed.push([file, error]);
      later();
    },
  };
}
