import { uploadFile, type ResumeRecord } from 'cubby-server/uploader';
import { describe, expect, it } from 'vitest';

import { eventually } from '#test/support/eventually.ts';
import { sha256 } from '#test/support/files.ts';
import { asked, crashed, fileOf } from './crashed-upload.ts';

const hangFrom =
  (part: number) =>
  ({ operation, query }: { readonly operation: string; readonly query: Readonly<Record<string, string>> }) =>
    operation === 'part' && Number(query.part) >= part ? ({ hang: true } as const) : undefined;

describe('two uploads of the same file at once', () => {
  it('do not share the stored parts, so that cancelling the second does not affect the first', async () => {
    const { fake, store, bytes, options } = await crashed();
    fake.fault = hangFrom(4);
    const first = uploadFile(fileOf(bytes), options);
    await eventually(() => expect(asked(fake)).toEqual(['part3', 'part4', 'status']));
    const second = uploadFile(fileOf(bytes), options);
    await eventually(() => expect([fake.count('start'), fake.count('part')]).toEqual([1, 6]));
    await second.cancel();
    expect([fake.uploads.size, store.size]).toEqual([1, 1]);
    fake.fault = () => undefined;
    fake.endHung('answer');
    expect(await first.done).toMatchObject({ sha256: sha256(bytes) });
  });

  it('both complete', async () => {
    const { fake, store, bytes, options } = await crashed();
    const both = await Promise.all([uploadFile(fileOf(bytes), options).done, uploadFile(fileOf(bytes), options).done]);
    expect(both).toEqual([
      expect.objectContaining({ sha256: sha256(bytes) }),
      expect.objectContaining({ sha256: sha256(bytes) }),
    ]);
    expect([fake.count('start'), store.size]).toEqual([1, 0]);
  });
});

describe('cancel()', () => {
  it('keeps an earlier upload that this upload has not continued', async () => {
    const { fake, store, bytes, options } = await crashed();
    const upload = uploadFile(fileOf(bytes), options);
    await upload.cancel();
    await expect(upload.done).rejects.toMatchObject({ code: 'UPLOAD_CANCELLED' });
    expect([fake.uploads.size, store.size]).toEqual([1, 1]);
  });

  it('removes an upload while it is being compared', async () => {
    const { fake, store, bytes, options } = await crashed();
    const upload = uploadFile(fileOf(bytes), {
      ...options,
      onState: (state) => void (state === 'checking' && upload.cancel()),
    });
    await expect(upload.done).rejects.toMatchObject({ code: 'UPLOAD_CANCELLED' });
    expect([fake.uploads.size, store.size, fake.count('part')]).toEqual([0, 0, 0]);
  });

  async function failed() {
    const left = await crashed();
    left.fake.fault = ({ operation }) =>
      operation === 'part' ? { status: 403, code: 'STORAGE_QUOTA_EXCEEDED' } : undefined;
    const upload = uploadFile(fileOf(left.bytes), left.options);
    await expect(upload.done).rejects.toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED' });
    expect([left.fake.uploads.size, left.store.size]).toEqual([1, 1]);
    left.fake.fault = () => undefined;
    return { ...left, upload };
  }

  it('removes the remains of a failed upload', async () => {
    const { fake, store, upload } = await failed();
    await Promise.all([upload.cancel(), upload.cancel()]);
    expect([fake.uploads.size, store.size, fake.count('abort'), upload.state]).toEqual([0, 0, 1, 'failed']);
    await upload.cancel();
    expect(fake.count('abort')).toBe(1);
  });

  it('does not affect a failed upload that another one has continued since', async () => {
    const { fake, store, bytes, options, upload } = await failed();
    fake.fault = hangFrom(4);
    const again = uploadFile(fileOf(bytes), options);
    await eventually(() => expect([...fake.uploads.values()][0]!.parts.size).toBe(3));
    await upload.cancel();
    expect([fake.uploads.size, store.size]).toEqual([1, 1]);
    fake.fault = () => undefined;
    fake.endHung('answer');
    expect(await again.done).toMatchObject({ sha256: sha256(bytes) });
  });

  it('keeps the record of another upload that has started since', async () => {
    const { store, upload } = await failed();
    const other = { ...[...store.values()][0]!, upload: 'another' } satisfies ResumeRecord;
    for (const key of store.keys()) store.set(key, other);
    await upload.cancel();
    expect([...store.values()]).toEqual([other]);
  });
});
