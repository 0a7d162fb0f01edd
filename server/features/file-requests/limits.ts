import { dayMs } from '#server/domain/day.ts';

/** File requests of one account, in any state. */
export const maxFileRequests = 1000;

/** How far ahead a deadline of a file request may be: 366 days. */
export const maxDeadlineAheadMs = 366 * dayMs;

/** The largest file of a form for a file request: 5 GiB, as one blob takes. Files of one form. */
export const maxSentFileBytes = 5 * 1_073_741_824;
export const maxFilesOfForm = 1000;

/** Unfinished uploads to one file request, and those of one sender and of one address among them. */
export const maxUploadsOfRequest = 100;
export const maxUploadsOfSender = 16;
export const maxUploadsOfAddress = 20;

/** How long an announced file keeps its space in a file request without further bytes. */
export const sentPlaceMs = 10 * 60_000;

/** Files that a sender is shown, and that one receipt contains. */
export const maxShownSentFiles = 1000;

/** How long a browser is known as the sender of its files: 30 days. */
export const senderKnownMs = 30 * dayMs;
