import type { Entry } from './entry.ts';
import { listPage } from './load-page.ts';

/** How many files there are. */
export interface FileCount {
  readonly files: number;
  /** Whether there may be more. */
  readonly isMore: boolean;
}

/** The files of one page, which are counted of each folder. */
const pageFiles = 1000;

/** Folders that are counted, because the server limits how often files are listed. */
const mostFolders = 5;

/** Counts the files among entries and in their folders, as far as a few requests tell. @throws {ApiError} */
export async function countFiles(entries: readonly Entry[]): Promise<FileCount> {
  const { signal } = new AbortController();
  const folders = entries.filter(({ kind }) => kind === 'folder');
  let files = entries.length - folders.length;
  let isMore = folders.length > mostFolders;
  for (const { key: prefix } of folders.slice(0, mostFolders)) {
    const { objects, continuationToken } = await listPage({ prefix, limit: pageFiles }, signal);
    files += objects.length;
    isMore ||= continuationToken !== undefined;
  }
  return { files, isMore };
}
