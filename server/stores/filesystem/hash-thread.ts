import { createHash, type Hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

import type { HashOrder, HashReply } from './hash-threads.ts';

/*
 * The thread of `hash-threads.ts`: hashes the pieces of several contents in the order in which they come.
 */

interface Hashes {
  readonly md5: Hash;
  readonly sha256: Hash | undefined;
}

const contents = new Map<number, Hashes>();

parentPort!.on('message', (order: HashOrder) => {
  const { content } = order;
  if (order.kind === 'piece') {
    const { md5, sha256 } = hashesOf(order);
    md5.update(order.bytes);
    sha256?.update(order.bytes);
    reply({ content });
    return;
  }
  const hashes = contents.get(content);
  contents.delete(content);
  if (order.kind === 'end' && hashes) {
    const { md5, sha256 } = hashes;
    reply({ content, hashes: { md5: md5.digest('hex'), sha256: sha256?.digest('hex') ?? null } });
  }
});

/** Returns the hashes of a content so far. Its first piece begins them. */
function hashesOf({ content, wantsSha256 }: HashOrder & { readonly kind: 'piece' }): Hashes {
  let hashes = contents.get(content);
  if (!hashes) {
    hashes = { md5: createHash('md5'), sha256: wantsSha256 ? createHash('sha256') : undefined };
    contents.set(content, hashes);
  }
  return hashes;
}

function reply(message: HashReply): void {
  parentPort!.postMessage(message);
}
