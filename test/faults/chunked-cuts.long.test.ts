import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { UploadError, uploadFile, type UploadHandle } from 'cubby-server/uploader';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startFaultProxy, type Cut, type PassingRequest } from '#test/support/fault-proxy.ts';
import { someBytes } from '#test/support/files.ts';
import { numbersFrom } from '#test/support/numbers-from.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { readDataFolder } from './data-folder.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const uploads = isLong ? 200 : 6;
const mebibyte = 1_048_576;

/** The seed of a reproducible random generator. The title prints it. Set CUBBY_TEST_SEED to repeat a run. */
const seed = Number(process.env.CUBBY_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

/**
 * Maximum number of cuts of one request. An upload gives up at the twelfth failure, and bad luck alone must not reach
 * it.
 */
const mostCutsOfOne = 8;

/**
 * Returns a function that cuts connections. It cuts the same request, recognised by its first line, at most
 * `mostCutsOfOne` times.
 */
function cutsBy(chance: () => number): (request: PassingRequest) => Cut | undefined {
  const cuts = new Map<string, number>();
  return (request) => {
    const before = cuts.get(request.line) ?? 0;
    const cut = before < mostCutsOfOne ? randomCut(chance, request) : undefined;
    if (cut) cuts.set(request.line, before + 1);
    return cut;
  };
}

/** Cuts one in three parts and one in two completions, in the request or in the response. */
function randomCut(chance: () => number, { line, sizeBytes }: PassingRequest): Cut | undefined {
  const odds = line.startsWith('PUT ') ? 0.33 : line.startsWith('PATCH ') ? 0.5 : line.startsWith('GET ') ? 0.2 : 0;
  if (chance() >= odds) return undefined;
  const isAbrupt = chance() < 0.5;
  const kind = chance();
  if (kind < 0.6) return { in: 'request', afterBytes: Math.floor(chance() * sizeBytes), isAbrupt };
  return { in: 'answer', afterBytes: kind < 0.8 ? 0 : Math.floor(chance() * 200), isAbrupt };
}

/** The user cancels every sixth upload, at any moment. */
const isGivenUp = (index: number) => index % 6 === 5;

interface Ended {
  readonly index: number;
  readonly sha256: string;
  readonly outcome: { readonly url: string | null; readonly sizeBytes: number } | UploadError;
}

describe(`chunked uploads over a connection that breaks (seed ${seed})`, () => {
  let server: TestServer;
  beforeAll(async () => void (server = await startTestServer()));
  afterAll(() => server.stop());

  it(
    `end complete and correct, or are aborted and leave nothing behind (${uploads})`,
    { timeout: isLong ? 1_800_000 : 120_000 },
    async () => {
      const chance = numbersFrom(seed);
      const account = await server.account();
      const proxy = await startFaultProxy(server.running.urls.base, cutsBy(chance));
      const start = (index: number): { upload: UploadHandle; bytes: Buffer } => {
        const bytes = someBytes(5 * mebibyte + Math.floor(chance() * 8 * mebibyte));
        const upload = uploadFile(new Blob([bytes as Buffer<ArrayBuffer>]), {
          baseUrl: proxy.url,
          credential: account.credential,
          query: { name: `file-${index}` },
          fileName: 'film.mp4',
          singleUpToBytes: 0,
          chunkSizeBytes: 5 * mebibyte,
          retry: { tries: 12, firstWaitMs: 5, longestWaitMs: 100 },
        });
        return { upload, bytes };
      };
      const ended: Ended[] = [];
      let next = 0;
      const work = async () => {
        // If chance has made too few cuts, a few more files are uploaded.
        for (let index = next++; index < uploads || proxy.cuts <= uploads / 2; index = next++) {
          const { upload, bytes } = start(index);
          if (isGivenUp(index)) await sleep(chance() * 300).then(() => upload.cancel());
          const outcome = await upload.done.catch((error: UploadError) => error);
          ended.push({ index, outcome, sha256: createHash('sha256').update(bytes).digest('hex') });
        }
      };
      await Promise.all([work(), work(), work()]);

      expect(ended.length).toBeGreaterThanOrEqual(uploads);
      const stored = ended.filter(({ outcome }) => !(outcome instanceof UploadError));
      for (const { index, outcome } of ended) if (!isGivenUp(index)) expect(outcome).not.toBeInstanceOf(UploadError);
      for (const { index, outcome } of ended)
        if (outcome instanceof UploadError)
          expect({ index, code: outcome.code }).toEqual({ index, code: 'UPLOAD_CANCELLED' });
      for (const { sha256, outcome } of stored) {
        const { url } = outcome as { url: string };
        const downloaded = await (await fetch(url)).bytes();
        expect(createHash('sha256').update(downloaded).digest('hex')).toBe(sha256);
      }

      const { json } = await server.send('/v1/objects/chunked/open', { credential: account.credential });
      expect(json().response.uploads).toEqual([]);
      const keyOf = ({ index }: Ended) => `file-${index}.mp4`;
      const cancelled = new Map(
        ended.filter((upload) => !stored.includes(upload)).map((upload) => [keyOf(upload), upload] as const),
      );
      // Parts are removed with their upload, so the folder holds only the blobs of files.
      await expect
        .poll(
          async () => {
            const { objects, reservations, blobsToDelete, reservedBytes, problems } = await readDataFolder(
              server.dataDir,
            );
            const keys = objects.map(({ key }) => key).filter((key) => !cancelled.has(key));
            return { keys: keys.toSorted(), reservations, blobsToDelete, reservedBytes, problems };
          },
          { timeout: 20_000, interval: 100 },
        )
        .toEqual({
          keys: stored.map(keyOf).toSorted(),
          reservations: 0,
          blobsToDelete: 0,
          reservedBytes: 0,
          problems: [],
        });
      // A completion may have run before its upload was cancelled, with only its response lost. Then the file stays.
      for (const { accountId, key } of (await readDataFolder(server.dataDir)).objects) {
        const upload = cancelled.get(key);
        if (!upload) continue;
        const downloaded = await (await fetch(`${server.running.urls.public}/${accountId}/${key}`)).bytes();
        expect(createHash('sha256').update(downloaded).digest('hex')).toBe(upload.sha256);
      }
      expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
    },
  );
});
