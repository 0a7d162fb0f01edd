import type { UploadError } from '../upload-error.ts';
import type { Limits, RefusalReason } from './limits.ts';

/** Every text of the element. A page can replace each of them. `file` is a file's name. */
export interface Texts {
  /** The locale for numbers. */
  readonly locale: string;
  readonly choose: string;
  readonly chooseFolder: string;
  readonly orDrop: string;
  /** The limits, shown before files are chosen. Empty when no limit needs a mention. */
  readonly limits: (limits: Limits) => string;
  readonly reading: (files: number) => string;
  readonly list: string;
  readonly waiting: string;
  readonly checking: string;
  readonly offline: string;
  readonly paused: string;
  readonly completed: string;
  readonly cancelling: string;
  readonly open: string;
  readonly pause: string;
  readonly resume: string;
  readonly cancel: string;
  readonly again: string;
  readonly remove: string;
  readonly start: string;
  readonly pauseAll: string;
  readonly resumeAll: string;
  readonly cancelAll: string;
  readonly againAll: string;
  readonly clear: string;
  readonly total: string;
  readonly progressOf: (file: string) => string;
  readonly actionOn: (action: string, file: string) => string;
  /** `percent` from 0 to 100. */
  readonly uploading: (sent: string, total: string, percent: number) => string;
  readonly timeLeft: (seconds: number) => string;
  readonly filesDone: (done: number, files: number) => string;
  readonly filesFailed: (files: number) => string;
  /** Files in the list without a row. */
  readonly notShown: (files: number) => string;
  readonly failed: (error: UploadError) => string;
  readonly refused: (reason: RefusalReason, limits: Limits) => string;
  readonly saysAdded: (files: number) => string;
  readonly saysCompleted: (file: string) => string;
  readonly saysCompletedMany: (files: number) => string;
  readonly saysFailed: (file: string, error: UploadError) => string;
  readonly saysFailedMany: (files: number) => string;
  readonly saysPaused: (file: string) => string;
  readonly saysResumed: (file: string) => string;
  readonly saysCancelled: (file: string) => string;
  readonly saysOffline: string;
  readonly saysOnline: string;
  readonly saysAllPaused: string;
  readonly saysAllResumed: string;
  readonly saysAllCancelled: string;
  /** `more`: the number of files that are not named. */
  readonly saysRefused: (why: string, files: readonly string[], more: number) => string;
  /** Shown by the browser when the form is submitted too early. */
  readonly required: string;
  readonly unfinished: string;
}
