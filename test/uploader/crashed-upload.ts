import { uploadFile, type ResumeRecord, type UploadOptions } from 'cubby-server/uploader';
import { expect } from 'vitest';

import { eventually } from '#test/support/eventually.ts';
import { someBytes } from '#test/support/files.ts';
import { startFakeServer, type FakeServer } from './fake-server.ts';

/** A small size that the server of these tests accepts for parts. */
export const partBytes = 65_536;

/** The remains of a crashed tab. */
export interface Left {
  readonly fake: FakeServer;
  /** The records at the moment of the crash. */
  readonly store: Map<string, ResumeRecord>;
  readonly bytes: Buffer;
  /** Options for another upload of the same file. */
  readonly options: UploadOptions;
}

export const fileOf = (bytes: Buffer, name = 'film.mp4') =>
  new File([bytes as Buffer<ArrayBuffer>], name, { lastModified: 1_700_000_000_000 });

/** Makes an upload that has crashed with parts 1 and 2 of 4 on the server, and a record. */
export async function crashed(options: Partial<UploadOptions> = {}, fake?: FakeServer): Promise<Left> {
  fake ??= await startFakeServer();
  const live = new Map<string, ResumeRecord>();
  const bytes = someBytes(4 * partBytes - 9);
  const all: UploadOptions = {
    baseUrl: fake.baseUrl,
    credential: 'cbk_key',
    query: { name: 'film' },
    singleUpToBytes: 0,
    chunkSizeBytes: partBytes,
    retry: { firstWaitMs: 5 },
    resumeStore: live,
    ...options,
  };
  fake.fault = ({ operation, query }) => (operation === 'part' && Number(query.part) > 2 ? { hang: true } : undefined);
  const upload = uploadFile(fileOf(bytes), all);
  await eventually(() => expect([fake.count('part'), [...fake.uploads.values()][0]!.parts.size]).toEqual([4, 2]));
  upload.pause(); // and it is never resumed
  fake.endHung('cut');
  fake.fault = () => undefined;
  fake.requests.length = 0;
  const store = new Map(live);
  return { fake, store, bytes, options: { ...all, resumeStore: store } };
}

/** Returns the requests that the server received, in alphabetical order. */
export const asked = (fake: FakeServer): string[] =>
  fake.requests.map(({ operation, query }) => operation + (query.part ?? '')).sort();
