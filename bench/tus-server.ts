import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';

/** The tus server as its README starts it, on the folder in the first argument. Started by `large-upload.ts`. */
const [directory, syncs] = process.argv.slice(2);
const tus = new Server({
  path: '/files',
  datastore: new FileStore({ directory: directory! }),
  // Its file store leaves flushing to the kernel. With `sync`, our addition, the bytes are on the disk before the last
  // response.
  ...(syncs === 'sync' && { onUploadFinish: async (_req, { storage }) => synced(storage!.path) }),
});

async function synced(path: string): Promise<Record<string, never>> {
  const handle = await open(path, 'r');
  await handle.sync();
  await handle.close();
  return {};
}

const server = createServer((req, res) => void tus.handle(req, res));
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
