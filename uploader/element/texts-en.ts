import { mostBytes } from '../file-size.ts';
import { failureKind, type FailureKind } from './failure-kind.ts';
import { formatSize } from './format-size.ts';
import type { Texts } from './texts.ts';

const locale = 'en';
const files = (count: number) => (count === 1 ? '1 file' : `${count} files`);

const failures: Readonly<Record<FailureKind, string>> = {
  type: 'This type of file is not accepted here.',
  small: 'The file is too small: at least 512 bytes are needed.',
  large: 'The file is larger than allowed here.',
  full: 'There is no space left for this file. Tell the owner of this page.',
  disk: 'The server has no space for files right now. Tell the owner of this page, then try again later.',
  used: 'This permission allows no more files. Reload the page to get a new one.',
  denied: 'You have no permission to upload here, or no longer. Sign in again or reload the page.',
  exists: 'There is a file with this name already. Rename yours, then choose it again.',
  unreadable: 'The file cannot be read. It may have been changed, moved or removed. Choose it again.',
  unreachable: 'The server cannot be reached. Check your connection, then try again.',
  busy: 'The server cannot take the file right now. Try again in a few minutes.',
  unsure:
    'The connection broke at the very end, so the file may have arrived. If you try again, it may be there twice.',
  setup: 'This page is not set up correctly. Tell the owner of this page.',
  unknown: 'The upload did not work. Try again in a few minutes.',
};
const failed: Texts['failed'] = (error) => failures[failureKind(error)];

export const english: Texts = {
  locale,
  choose: 'Choose files',
  chooseFolder: 'Choose a folder',
  orDrop: 'or drop them here',
  limits: ({ minBytes, maxBytes, maxTotalBytes, maxFiles }) =>
    [
      maxFiles > 1 && Number.isFinite(maxFiles) ? `at most ${maxFiles} files` : '',
      minBytes > 512 ? `from ${formatSize(minBytes, locale)}` : '',
      maxBytes < mostBytes ? `up to ${formatSize(maxBytes, locale)} each` : '',
      Number.isFinite(maxTotalBytes) ? `up to ${formatSize(maxTotalBytes, locale)} in all` : '',
    ]
      .filter(Boolean)
      .join(', '),
  reading: (count) => `Reading the folder: ${files(count)} so far`,
  list: 'Files to upload',
  waiting: 'Waiting',
  checking: 'Comparing with what is already uploaded',
  offline: 'No connection to the server. The upload continues automatically',
  paused: 'Paused',
  completed: 'Uploaded',
  cancelling: 'Cancelling',
  open: 'Open',
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel',
  again: 'Try again',
  remove: 'Remove from the list',
  start: 'Upload',
  pauseAll: 'Pause all',
  resumeAll: 'Resume all',
  cancelAll: 'Cancel all',
  againAll: 'Try all again',
  clear: 'Clear the list',
  total: 'All files',
  progressOf: (file) => `Progress of ${file}`,
  actionOn: (action, file) => `${action}: ${file}`,
  uploading: (sent, total, percent) => `${sent} of ${total}, ${percent} %`,
  timeLeft(seconds) {
    if (seconds < 60) return 'less than a minute left';
    const minutes = Math.round(seconds / 60);
    if (minutes < 90) return minutes === 1 ? 'about a minute left' : `about ${minutes} minutes left`;
    return `about ${Math.round(minutes / 60)} hours left`;
  },
  filesDone: (done, count) => `${done} of ${files(count)}`,
  filesFailed: (count) => (count === 1 ? '1 did not work' : `${count} did not work`),
  notShown: (count) => `and ${count === 1 ? '1 more file' : `${count} more files`}`,
  failed,
  refused: (reason, { minBytes, maxBytes, maxTotalBytes, maxFiles }) =>
    ({
      type: 'this type of file is not accepted here',
      small: `smaller than ${formatSize(minBytes, locale)}`,
      large: `larger than ${formatSize(maxBytes, locale)}`,
      total: `more than ${formatSize(maxTotalBytes, locale)} in all`,
      count: maxFiles === 1 ? 'only one file is accepted here' : `at most ${files(maxFiles)} are accepted here`,
      folder: 'folders are not accepted here',
      empty: 'it contains no file',
      hidden: 'hidden',
      unreadable: 'it cannot be read',
      page: 'this page rejected it',
    })[reason],
  saysAdded: (count) => (count === 1 ? '1 file is added.' : `${count} files are added.`),
  saysCompleted: (file) => `${file} is uploaded.`,
  saysCompletedMany: (count) => `${files(count)} are uploaded.`,
  saysFailed: (file, error) => `${file} could not be uploaded. ${failed(error)}`,
  saysFailedMany: (count) => `${files(count)} could not be uploaded.`,
  saysPaused: (file) => `${file} is paused.`,
  saysResumed: (file) => `${file} continues.`,
  saysCancelled: (file) => `${file} is cancelled.`,
  saysOffline: 'There is no connection to the server. The upload continues automatically when it is back.',
  saysOnline: 'The connection is back. The upload continues.',
  saysAllPaused: 'All uploads are paused.',
  saysAllResumed: 'All uploads continue.',
  saysAllCancelled: 'All uploads are cancelled.',
  saysRefused: (why, names, more) =>
    `Not accepted (${why}): ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
  required: 'Choose a file.',
  unfinished: 'Wait until the files are uploaded.',
};
