import type { UploadError } from '../upload-error.ts';

/** Every word of the element, to be replaced by those of another language. `file` is a file's name. */
export interface Texts {
  readonly choose: string;
  readonly orDrop: string;
  readonly list: string;
  readonly waiting: string;
  readonly checking: string;
  readonly paused: string;
  readonly completed: string;
  readonly cancelling: string;
  readonly open: string;
  readonly pause: string;
  readonly resume: string;
  readonly cancel: string;
  readonly again: string;
  readonly remove: string;
  readonly progressOf: (file: string) => string;
  readonly actionOn: (action: string, file: string) => string;
  /** `percent` from 0 to 100. */
  readonly uploading: (sent: string, total: string, percent: number) => string;
  readonly failed: (error: UploadError) => string;
  readonly saysAdded: (files: number) => string;
  readonly saysCompleted: (file: string) => string;
  readonly saysFailed: (file: string, error: UploadError) => string;
  readonly saysPaused: (file: string) => string;
  readonly saysResumed: (file: string) => string;
  readonly saysCancelled: (file: string) => string;
  readonly saysRefused: (files: readonly string[]) => string;
  readonly saysLeftOut: (files: readonly string[]) => string;
}

export const english: Texts = {
  choose: 'Choose files',
  orDrop: 'or drop them here',
  list: 'Files to upload',
  waiting: 'Waiting',
  checking: 'Comparing with what is already uploaded',
  paused: 'Paused',
  completed: 'Uploaded',
  cancelling: 'Cancelling',
  open: 'Open',
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel',
  again: 'Try again',
  remove: 'Remove from the list',
  progressOf: (file) => `Progress of ${file}`,
  actionOn: (action, file) => `${action}: ${file}`,
  uploading: (sent, total, percent) => `${sent} of ${total}, ${percent} %`,
  failed: ({ message }) => message,
  saysAdded: (files) => (files === 1 ? '1 file is being uploaded.' : `${files} files are being uploaded.`),
  saysCompleted: (file) => `${file} is uploaded.`,
  saysFailed: (file, { message }) => `${file} could not be uploaded. ${message}`,
  saysPaused: (file) => `${file} is paused.`,
  saysResumed: (file) => `${file} goes on.`,
  saysCancelled: (file) => `${file} is cancelled.`,
  saysRefused: (files) => `Not taken, because this kind of file is not wanted here: ${files.join(', ')}.`,
  saysLeftOut: (files) => `Only one file at a time is taken here. Left out: ${files.join(', ')}.`,
};
