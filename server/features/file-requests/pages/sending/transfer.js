/** Sends one file to the server, and goes on where an earlier attempt has stopped. */
import { forget, recall, remember } from './memory.js';
import { ask, Refused } from './request.js';

/** Small enough for the proxies in front of servers. */
const sliceBytes = 16_777_216;

/**
 * Sends what the server does not have yet.
 *
 * @param item the file and its path
 * @param to `address` of the uploads, `sender` with the name that was given, and `inTurn`, which starts one upload
 *   after the other, so that the first one makes the browser known
 * @param onProgress called with the bytes that have been sent
 * @param signal ends it. What has arrived stays
 */
export async function transfer(item, { address, sender, inTurn }, onProgress, signal) {
  let state = await begun(item, { address, sender, inTurn }, signal);
  while (!state.complete) {
    onProgress(state.offset);
    const { offset, upload } = state;
    const slice = item.file.slice(offset, offset + sliceBytes);
    state = await ask('PATCH', `${address}/${upload}`, {
      headers: { 'Upload-Offset': String(offset), 'Content-Type': 'application/partial-upload' },
      body: slice,
      onSent: (bytes) => onProgress(offset + Math.min(bytes, slice.size)),
      signal,
    });
  }
  onProgress(item.file.size);
}

async function begun(item, { address, sender, inTurn }, signal) {
  const known = recall(item);
  if (known !== undefined) {
    try {
      return await ask('GET', `${address}/${known}`, { signal });
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'UPLOAD_NOT_FOUND') throw error;
      forget(item);
    }
  }
  const name = sender();
  const fields = { name: item.path, size: item.file.size, ...(name && { sender: name }) };
  const state = await inTurn(() =>
    ask('POST', address, { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(fields), signal }),
  );
  // An empty file is stored already, and has no upload.
  if (state.size > 0) remember(item, state.upload);
  return state;
}

/** Gives up an upload that has begun, so that its place is free. */
export async function giveUp(item, { address }) {
  const upload = recall(item);
  if (upload === undefined) return;
  forget(item);
  await ask('DELETE', `${address}/${upload}`, {}).catch(() => {});
}
