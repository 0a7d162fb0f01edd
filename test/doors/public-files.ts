import { afterAll, beforeAll, expect } from 'vitest';

import { suffixOfForeignKey } from '#server/features/files/key.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import { upload, type Upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';
import { exchange, type RawRequest } from './raw-request.ts';

/** A server with public files, for the tests of one file. It is available once the hooks of the file have run. */
export interface PublicFiles {
  readonly server: TestServer;
  readonly account: TestAccount;
  /** Uploads a public file and returns its path on the public host. By default each file gets its own name. */
  stored(upload?: Upload): Promise<string>;
  /** Writes a row directly, because other protocols allow characters in keys that a REST upload refuses. */
  storedAs(key: string, bytes: Uint8Array): Promise<void>;
  get(path: string, headers?: NonNullable<RawRequest['headers']>): Promise<TestAnswer>;
  /** Returns the log lines of faults. */
  faults(): ReadonlyArray<Record<string, unknown>>;
  /** Sets a function that runs once, before the blob of the next download is opened. */
  beforeNextOpen(act: () => Promise<void>): void;
}

/** Starts a server before the tests of a file, and stops it after them. */
export function publicFiles(): PublicFiles {
  let server: TestServer;
  let account: TestAccount;
  let beforeOpen: (() => Promise<void>) | undefined;
  let count = 0;
  const blobs = (real: BlobStore): BlobStore => ({
    put: (...args) => real.put(...args),
    async open(blobId, range) {
      const act = beforeOpen;
      beforeOpen = undefined;
      await act?.();
      return real.open(blobId, range);
    },
    delete: (blobId) => real.delete(blobId),
    ids: () => real.ids(),
  });
  beforeAll(async () => {
    server = await startTestServer({ blobs });
    account = await server.account();
  });
  afterAll(() => server?.stop());
  return {
    get server() {
      return server;
    },
    get account() {
      return account;
    },
    async stored({ query, ...rest } = {}) {
      const answer = await upload(server, account, { query: { name: `file-${++count}`, ...query }, ...rest });
      expect(answer.status, answer.body.toString()).toBe(200);
      return new URL(answer.json().response.url).pathname;
    },
    async storedAs(key, bytes) {
      const { metadata, ids } = server.running.app.stores;
      const contentId = ids.opaqueId();
      await metadata.atomically(async (tx) => {
        await tx.contents.add({
          id: contentId,
          ...{ sizeBytes: bytes.length, crc32: 0 },
          blobs: [{ blobId: ids.opaqueId(), sizeBytes: bytes.length, inline: bytes }],
        });
        await tx.objects.put({
          accountId: account.id,
          space: 'public',
          key,
          contentId,
          sizeBytes: bytes.length,
          etag: 'd41d8cd98f00b204e9800998ecf8427e',
          sha256: null,
          createdAt: tx.now,
          expiresAt: null,
          cacheControl: null,
          disposition: null,
          originalName: null,
          metadata: {},
          clientProperties: null,
          suffix: suffixOfForeignKey(key),
          generation: ids.opaqueId(),
          versionId: 'version-1',
        });
      });
    },
    get: (path, headers = {}) => exchange(server, path, { headers }),
    faults: () => server.log.filter(({ message }) => message === 'fault'),
    beforeNextOpen: (act) => void (beforeOpen = act),
  };
}

/** Headers that change with every response. */
const ownHeaders = ['date', 'x-request-id', 'connection', 'keep-alive'];

/** Returns the headers that all responses about the same file share. */
export const lasting = ({ headers }: TestAnswer) =>
  Object.fromEntries([...headers].filter(([name]) => !ownHeaders.includes(name)));
