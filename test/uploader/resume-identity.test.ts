import { uploadFile, type ResumeRecord, type UploadOptions } from 'cubby-server/uploader';
import { describe, expect, it, vi } from 'vitest';

import { eventually } from '#test/support/eventually.ts';
import { sha256 } from '#test/support/files.ts';
import { asked, crashed, fileOf, partBytes, type Left } from './crashed-upload.ts';
import type { FakeServer } from './fake-server.ts';

/** Returns the same bytes with one changed byte in each of these parts. */
function changed(bytes: Buffer, ...parts: readonly number[]): Buffer {
  const others = Buffer.from(bytes);
  for (const part of parts) others[(part - 1) * partBytes + 7]! ^= 1;
  return others;
}

/** Changes the records, as a later time or a crash at another moment would have left them. */
function rewrite(store: Map<string, ResumeRecord>, change: (record: ResumeRecord) => ResumeRecord): void {
  for (const [key, record] of store) store.set(key, change(record));
}

/** Makes an upload whose completion was carried out but whose response was lost. */
async function completedUnheard(options: Partial<UploadOptions> = {}): Promise<Left> {
  const left = await crashed(options);
  left.fake.fault = ({ operation }) => (operation === 'complete' ? { cut: 'late' } : undefined);
  await expect(uploadFile(fileOf(left.bytes), { ...left.options, retry: { tries: 1 } }).done).rejects.toMatchObject({
    code: 'NETWORK_ERROR',
  });
  left.fake.fault = () => undefined;
  left.fake.requests.length = 0;
  return left;
}

describe('an interrupted upload, and another file of the same name, size and time', () => {
  it('sends the parts again that differ from those on the server', async () => {
    const { fake, bytes, options } = await crashed();
    const others = changed(bytes, 2);
    expect(await uploadFile(fileOf(others), options).done).toMatchObject({ sha256: sha256(others) });
    expect(asked(fake)).toEqual(['complete', 'part2', 'part3', 'part4', 'status']);
  });

  it('sends a part again that has no record', async () => {
    const { fake, store, bytes, options } = await crashed();
    rewrite(store, (record) => ({ ...record, partSha256: { 1: record.partSha256[1]! } }));
    expect(await uploadFile(fileOf(bytes), options).done).toMatchObject({ sha256: sha256(bytes) });
    expect(asked(fake)).toEqual(['complete', 'part2', 'part3', 'part4', 'status']);
  });

  it('tracks the stored parts after a second interruption while parts were replaced', async () => {
    const { fake, store, bytes, options } = await crashed();
    fake.fault = ({ operation, query }) => (operation === 'part' && query.part === '2' ? { cut: 'late' } : undefined);
    const others = changed(bytes, 2);
    await expect(
      uploadFile(fileOf(others), { ...options, concurrency: 1, retry: { tries: 1 } }).done,
    ).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect([...store.values()]).toEqual([
      expect.objectContaining({
        partSha256: { 1: sha256(bytes.subarray(0, partBytes)), 3: expect.any(String), 4: expect.any(String) },
      }),
    ]);
    fake.fault = () => undefined;
    expect(await uploadFile(fileOf(bytes), options).done).toMatchObject({ sha256: sha256(bytes) });
  });

  it.each(['remembered', 'not remembered'])(
    'does not skip a part that did not arrive when another one is stored that is %s',
    async (remembered) => {
      const { fake, store, bytes, options } = await crashed();
      if (remembered !== 'remembered')
        rewrite(store, (record) => ({ ...record, partSha256: { 1: record.partSha256[1]! } }));
      fake.fault = ({ operation, query }) =>
        operation === 'part' && query.part === '2' ? { cut: 'early' } : undefined;
      const others = changed(bytes, 2);
      await expect(uploadFile(fileOf(others), { ...options, retry: { tries: 1 } }).done).rejects.toMatchObject({
        code: 'NETWORK_ERROR',
      });
      fake.fault = () => undefined;
      expect(await uploadFile(fileOf(others), options).done).toMatchObject({ sha256: sha256(others) });
    },
  );

  it('compares again after a pause, if the differing part was not sent yet', async () => {
    const { fake, bytes, options } = await crashed();
    fake.fault = ({ operation }) => (operation === 'part' ? { hang: true } : undefined);
    const others = changed(bytes, 2);
    const upload = uploadFile(fileOf(others), { ...options, concurrency: 1 });
    await eventually(() => expect(fake.count('part')).toBe(1));
    upload.pause();
    fake.fault = () => undefined;
    fake.endHung('cut');
    await new Promise((resolve) => setTimeout(resolve, 50));
    upload.resume();
    expect(await upload.done).toMatchObject({ sha256: sha256(others) });
  });

  it('starts again when the completion may have made a file of the other bytes', async () => {
    const { fake, store, bytes, options } = await completedUnheard();
    const others = changed(bytes, 3);
    expect(await uploadFile(fileOf(others), options).done).toMatchObject({ sha256: sha256(others) });
    expect(fake.count('start')).toBe(1);
    expect(store.size).toBe(0);
  });

  it('keeps no records without checksums', async () => {
    const { fake, store, bytes, options } = await crashed({ checksum: 'none' });
    expect(store.size).toBe(0);
    expect(await uploadFile(fileOf(bytes), options).done).toMatchObject({ sha256: sha256(bytes) });
    expect(fake.count('start')).toBe(1);
  });
});

describe('an upload that was started with an upload token, and another token', () => {
  /** Each token leads to the folder in the first part of its name: `cbup_alice.1` leads to `alice`. */
  const byToken = (fake: FakeServer) => {
    let hash = 0;
    fake.idOf = ({ credential }) =>
      `prv/1/${credential.slice(5).split('.')[0]}/film_${String(++hash).padStart(16, 'a')}-ex30.mp4`;
  };
  const credentialsOf = (fake: FakeServer, ...operations: readonly string[]) => [
    ...new Set(
      fake.requests.filter(({ operation }) => operations.includes(operation)).map(({ credential }) => credential),
    ),
  ];

  async function begunBy(credential: string, options: Partial<UploadOptions> = {}): Promise<Left> {
    const left = await crashed({ credential, ...options });
    for (const record of left.store.values()) expect(record.uploadToken).toBe(credential);
    byToken(left.fake);
    rewrite(left.store, (record) => ({ ...record, id: 'prv/1/alice/film_qqqqqqqqqqqqqqqq-ex30.mp4' }));
    return left;
  }

  it('continues with the first token, which alone has access, when both lead to the same place', async () => {
    const { fake, store, bytes, options } = await begunBy('cbup_alice.1');
    expect(await uploadFile(fileOf(bytes), { ...options, credential: async () => 'cbup_alice.2' }).done).toMatchObject({
      sha256: sha256(bytes),
    });
    expect(asked(fake)).toEqual(['abort', 'complete', 'part3', 'part4', 'start', 'status']);
    expect(credentialsOf(fake, 'start', 'abort')).toEqual(['cbup_alice.2']);
    expect(credentialsOf(fake, 'status', 'part', 'complete')).toEqual(['cbup_alice.1']);
    expect(fake.requests.find(({ operation }) => operation === 'start')!.query.size).toBeUndefined();
    expect(store.size).toBe(0);
  });

  it('does not continue when the other token leads elsewhere', async () => {
    const { fake, bytes, options } = await begunBy('cbup_alice.1');
    const [first] = fake.uploads.keys();
    expect(await uploadFile(fileOf(bytes), { ...options, credential: 'cbup_bob.1' }).done).toMatchObject({
      sha256: sha256(bytes),
    });
    expect(asked(fake)).toEqual(['complete', 'part1', 'part2', 'part3', 'part4', 'start', 'status']);
    expect(credentialsOf(fake, 'start', 'part', 'complete')).toEqual(['cbup_bob.1']);
    expect(fake.uploads.get(first!)!.parts.size).toBe(2);
  });

  it('does not continue with a key that leads elsewhere', async () => {
    const { fake, bytes, options } = await begunBy('cbup_alice.1');
    await uploadFile(fileOf(bytes), { ...options, credential: 'cbk_key' }).done;
    expect(credentialsOf(fake, 'part', 'complete')).toEqual(['cbk_key']);
  });

  it('continues without a check with the same token', async () => {
    const { fake, bytes, options } = await begunBy('cbup_alice.1');
    await uploadFile(fileOf(bytes), options).done;
    expect(asked(fake)).toEqual(['complete', 'part3', 'part4', 'status']);
  });

  it('continues without a check in the same scope, and not in another one', async () => {
    const { fake, store, bytes, options } = await begunBy('cbup_alice.1', { resumeScope: 'alice' });
    const credential = vi.fn(() => 'cbup_alice.2');
    await uploadFile(fileOf(bytes), {
      ...options,
      resumeStore: new Map(store),
      resumeScope: 'bob',
      credential: 'cbup_bob.1',
    }).done;
    expect(credentialsOf(fake, 'start', 'part', 'complete')).toEqual(['cbup_bob.1']);
    fake.requests.length = 0;
    await uploadFile(fileOf(bytes), { ...options, credential }).done;
    expect(asked(fake)).toEqual(['complete', 'part3', 'part4', 'status']);
    expect(credential).not.toHaveBeenCalled();
  });

  it('is not compared when the server no longer has it', async () => {
    const { fake, bytes, options } = await begunBy('cbup_alice.1');
    fake.uploads.clear();
    await uploadFile(fileOf(bytes), { ...options, credential: 'cbup_alice.2' }).done;
    expect(fake.count('start')).toBe(1);
    expect(fake.count('abort')).toBe(0);
  });
});

describe('a completion whose response was lost', () => {
  const aged = (store: Map<string, ResumeRecord>, ms: number) =>
    rewrite(store, (record) => ({ ...record, completingAt: record.completingAt! - ms }));

  it('is not trusted when the file was deleted since', async () => {
    const { fake, bytes, options } = await completedUnheard();
    fake.files.clear();
    const { id } = await uploadFile(fileOf(bytes), options).done;
    expect(fake.files.get(id)!.equals(bytes)).toBe(true);
    expect(fake.count('start')).toBe(1);
  });

  it('is not trusted when another file took its place', async () => {
    const { fake, bytes, options } = await completedUnheard();
    for (const id of fake.files.keys()) fake.files.set(id, changed(bytes, 1));
    const { id } = await uploadFile(fileOf(bytes), options).done;
    expect(fake.files.get(id)!.equals(bytes)).toBe(true);
  });

  const mayNotLook: ReadonlyArray<[string, Partial<UploadOptions>]> = [
    ['an upload token', { credential: 'cbup_alice' }],
    ['a key that may not read', { credential: 'cbk_key' }],
  ];
  it.each(mayNotLook)('is trusted for a short time with %s', async (_, options) => {
    const young = await completedUnheard(options);
    const refuse: FakeServer['fault'] = ({ operation }) =>
      operation === 'info' ? { status: 403, code: 'MISSING_SCOPE' } : undefined;
    young.fake.fault = refuse;
    aged(young.store, 500_000);
    await uploadFile(fileOf(young.bytes), young.options).done;
    expect(young.fake.count('start')).toBe(0);

    const old = await completedUnheard(options);
    old.fake.fault = refuse;
    aged(old.store, 601_000);
    expect(await uploadFile(fileOf(old.bytes), old.options).done).toMatchObject({ sha256: sha256(old.bytes) });
    expect(old.fake.count('start')).toBe(1);
  });
});
