import { getDownloadLink, type ObjectEntry } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';

/** Returns an address that shows a file: its public one, or a temporary one. @throws {ApiError} */
export async function addressOf(file: ObjectEntry, signal?: AbortSignal): Promise<string> {
  const query = { object: file.id, redirect: false, ...(file.private && { disposition: 'inline' as const }) };
  const { url } = await ask(getDownloadLink({ query, ...(signal && { signal }) }));
  return url;
}

/** Saves a file. The link is used at once, so it lives for a minute. @throws {ApiError} */
export async function downloadFile(file: ObjectEntry): Promise<void> {
  const query = { object: file.id, redirect: false, disposition: 'attachment' as const, expires: 60 };
  const { url } = await ask(getDownloadLink({ query }));
  const link = document.createElement('a');
  link.href = url;
  link.rel = 'noreferrer';
  link.click();
}

/** Copies the public address, or a temporary one for an hour. Returns whether it is temporary. @throws {ApiError} */
export async function copyLink(file: ObjectEntry, expires = 3600): Promise<boolean> {
  const { url, expires_at: end } = await ask(getDownloadLink({ query: { object: file.id, redirect: false, expires } }));
  await navigator.clipboard.writeText(url);
  return end !== null;
}
