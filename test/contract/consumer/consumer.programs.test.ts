import {
  deleteObjects,
  getLiveness,
  getObjectInfo,
  listObjects,
  uploadObject,
  type DeletionReport,
  type ObjectEntry,
  type ObjectInfo,
  type UploadedObject,
} from 'cubby-server/client';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';

import { sha256, someBytes } from '#test/support/files.ts';
import { targets, type Target } from './target.ts';

const pdf = (bytes: Uint8Array, name = 'april.pdf') =>
  new File([bytes as Uint8Array<ArrayBuffer>], name, { type: 'application/pdf' });

/** Requests one response from the mock. The real server ignores the header and needs a real cause. */
const prefer = (status: number, example: string) => ({ headers: { Prefer: `code=${status}, example=${example}` } });

const running = new Map<string, Target>();
beforeAll(async () => {
  for (const { name, start } of targets) running.set(name, await start());
});
afterAll(() => Promise.all([...running.values()].map((target) => target.stop())));

/** The suite of a program written against the contract: the same requests and the same responses everywhere. */
describe.each(targets)('the generated client against $name', ({ name: targetName, isStateful }) => {
  let target: Target;
  let at: { readonly baseUrl: string; readonly auth: string };
  beforeAll(() => {
    target = running.get(targetName)!;
    at = { baseUrl: target.baseUrl, auth: target.auth };
  });

  describe('uploadObject', () => {
    it('stores a file and returns its id, address and checksum', async () => {
      const { data, response } = await uploadObject({
        ...at,
        query: { name: 'april', prefix: 'invoices' },
        body: { file: pdf(someBytes()) },
      });
      expect(response?.status).toBe(200);
      expectTypeOf(data!.response).toEqualTypeOf<UploadedObject>();
      expect(data!.response).toMatchObject({
        id: expect.stringMatching(/^pub\/[0-9]{18}\/invoices\/april/),
        name: 'april',
        prefix: 'invoices',
        private: false,
      });
      expect(data!.response.sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(URL.canParse(data!.response.url!)).toBe(true);
    });

    it('stores a private file, which has no address', async () => {
      const query = { name: 'contract', private: true, metadata: '{"customer":"acme"}', expire: '30d' };
      const { data } = await uploadObject({
        ...at,
        ...prefer(200, 'private'),
        query,
        body: { file: pdf(someBytes()) },
      });
      expect(data!.response).toMatchObject({ private: true, url: null, id: expect.stringMatching(/^prv\//) });
    });

    it('answers OBJECT_ALREADY_EXISTS when the name is taken and must not be overwritten', async () => {
      const request = { ...at, ...prefer(409, 'OBJECT_ALREADY_EXISTS'), query: { name: 'taken', overwrite: false } };
      await uploadObject({ ...request, body: { file: pdf(someBytes()) } });
      const { data, error, response } = await uploadObject({ ...request, body: { file: pdf(someBytes()) } });
      expect(data).toBeUndefined();
      expect(response?.status).toBe(409);
      expect(error?.code).toBe('OBJECT_ALREADY_EXISTS');
      expectTypeOf(error!.code).extract<'UPLOAD_FAILED'>().toEqualTypeOf<'UPLOAD_FAILED'>();
      expectTypeOf(error!.code).extract<'SHARE_EXPIRED'>().toBeNever();
    });

    it('answers 400 and a code of its own for an invalid name', async () => {
      const { error, response } = await uploadObject({
        ...at,
        query: { name: '../april' },
        body: { file: pdf(someBytes()) },
      });
      expect(response?.status).toBe(400);
      expect(error?.code).toBe('INVALID_OBJECT_NAME');
      expect(error?.message).toEqual(expect.any(String));
    });

    it('takes 11 MB', async () => {
      const bytes = someBytes(11_000_000);
      const { data, response } = await uploadObject({ ...at, query: { name: 'large' }, body: { file: pdf(bytes) } });
      expect(response?.status).toBe(200);
      if (isStateful) expect(data!.response).toMatchObject({ size: bytes.length, sha256: sha256(bytes) });
    });
  });

  describe('listObjects', () => {
    it('answers a page of files', async () => {
      await uploadObject({ ...at, query: { name: 'listed' }, body: { file: pdf(someBytes()) } });
      const { data } = await listObjects({ ...at, query: { limit: 10 } });
      expectTypeOf(data!.response.objects).toEqualTypeOf<ObjectEntry[]>();
      expect(data!.response.objects.length).toBeGreaterThan(0);
      for (const entry of data!.response.objects) {
        expect(entry).toMatchObject({
          id: expect.stringContaining(target.accountId),
          size: expect.any(Number),
          etag: expect.any(String),
        });
        expect(new Date(entry.created_at).toISOString()).toBe(entry.created_at);
      }
    });

    it('returns folders when grouping is requested', async () => {
      await uploadObject({ ...at, query: { name: 'april', prefix: 'invoices' }, body: { file: pdf(someBytes()) } });
      const { data } = await listObjects({ ...at, ...prefer(200, 'folders'), query: { delimiter: '/' } });
      expectTypeOf(data!.response.folders).toEqualTypeOf<string[] | undefined>();
      expect(data!.response.folders).toContain('invoices/');
    });

    it('answers LIST_FAILED or another of its codes, and none of an upload', async () => {
      const { error, response } = await listObjects({ ...at, query: { limit: 0 } });
      expect(response?.status).toBe(400);
      expectTypeOf(error!.code).extract<'LIST_FAILED'>().toEqualTypeOf<'LIST_FAILED'>();
      expectTypeOf(error!.code).extract<'UPLOAD_FAILED'>().toBeNever();
      expect(error?.code).toBe('INVALID_LIMIT');
    });
  });

  describe('getObjectInfo', () => {
    it('returns all details of a file', async () => {
      const uploaded = await uploadObject({ ...at, query: { name: 'april-info' }, body: { file: pdf(someBytes()) } });
      const { data } = await getObjectInfo({ ...at, query: { object: uploaded.data!.response.id } });
      expectTypeOf(data!.response).toEqualTypeOf<ObjectInfo>();
      expectTypeOf(data!.response.url).toEqualTypeOf<string | null>();
      expect(data!.response).toMatchObject({ content_type: 'application/pdf', private: false, legacy: false });
    });

    it('answers OBJECT_NOT_FOUND for a missing file', async () => {
      const query = { object: `pub/${target.accountId}/missing.pdf` };
      const { error, response } = await getObjectInfo({ ...at, ...prefer(404, 'OBJECT_NOT_FOUND'), query });
      expect(response?.status).toBe(404);
      expect(error?.code).toBe('OBJECT_NOT_FOUND');
    });

    it('answers INVALID_OBJECT for a text that is not an id', async () => {
      const { error } = await getObjectInfo({
        ...at,
        ...prefer(400, 'INVALID_OBJECT'),
        query: { object: 'april.pdf' },
      });
      expect(error?.code).toBe('INVALID_OBJECT');
    });
  });

  describe('deleteObjects', () => {
    it('deletes one file and returns only success', async () => {
      const uploaded = await uploadObject({ ...at, query: { name: 'april-gone' }, body: { file: pdf(someBytes()) } });
      const { data, response } = await deleteObjects({
        ...at,
        ...prefer(200, 'one'),
        body: { object: uploaded.data!.response.id },
      });
      expect(response?.status).toBe(200);
      expect(data).toEqual({ status: 'success' });
    });

    it('deletes several files and reports on each', async () => {
      const objects = ['one', 'two'].map((name) => `pub/${target.accountId}/${name}.pdf`);
      const { data } = await deleteObjects({ ...at, ...prefer(200, 'several'), body: { objects } });
      expectTypeOf(data!.response).toEqualTypeOf<DeletionReport | undefined>();
      expect(data!.response).toEqual({
        deleted: expect.any(Array),
        kept: expect.any(Array),
        not_found: expect.any(Array),
        failed: expect.any(Array),
      });
    });

    it('answers OBJECT_NOT_FOUND for a single missing file', async () => {
      const body = { object: `pub/${target.accountId}/missing.pdf` };
      const { error } = await deleteObjects({ ...at, ...prefer(404, 'OBJECT_NOT_FOUND'), body });
      expect(error?.code).toBe('OBJECT_NOT_FOUND');
    });
  });

  describe('every operation', () => {
    it('answers ACCESS_DENIED when no key is sent', async () => {
      const { baseUrl } = target;
      const object = `pub/${target.accountId}/april.pdf`;
      const answers = await Promise.all([
        listObjects({ baseUrl }),
        getObjectInfo({ baseUrl, query: { object } }),
        deleteObjects({ baseUrl, body: { object } }),
        uploadObject({ baseUrl, query: { name: 'april' }, body: { file: pdf(someBytes()) } }),
      ]);
      expect(answers.map(({ error, response }) => [response?.status, error?.code])).toEqual(
        answers.map(() => [401, 'ACCESS_DENIED']),
      );
    });

    it('accepts the key bare or after Bearer', async () => {
      for (const auth of [target.auth, `Bearer ${target.auth}`])
        expect((await listObjects({ baseUrl: target.baseUrl, auth })).response?.status).toBe(200);
    });

    it('throws the error on request', async () => {
      const failing = getObjectInfo({
        ...at,
        ...prefer(400, 'INVALID_OBJECT'),
        query: { object: 'april.pdf' },
        throwOnError: true,
      });
      await expect(failing).rejects.toMatchObject({ status: 'error', code: 'INVALID_OBJECT' });
    });

    it('names the request in X-Request-Id', async () => {
      const { response } = await getLiveness({ baseUrl: target.baseUrl });
      expect(response?.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{8,64}$/);
    });
  });

  describe.skipIf(!isStateful)(`a file's life${isStateful ? '' : ' (skipped: the mock remembers nothing)'}`, () => {
    it('is uploaded, listed, inspected, fetched, replaced and deleted', async () => {
      const query = { name: 'life', prefix: 'story' };
      const bytes = someBytes(40_000);
      const { data: uploaded } = await uploadObject({ ...at, query, body: { file: pdf(bytes) } });
      const { id, url } = uploaded!.response;
      expect(uploaded!.response).toMatchObject({
        id: `pub/${target.accountId}/story/life.pdf`,
        replaced: false,
        size: 40_000,
        sha256: sha256(bytes),
      });

      const { data: listed } = await listObjects({ ...at, query: { prefix: 'story/' } });
      expect(listed!.response.objects.map((entry) => entry.id)).toEqual([id]);
      const { data: info } = await getObjectInfo({ ...at, query: { object: id } });
      expect(info!.response).toMatchObject({
        id,
        url,
        size: 40_000,
        original_name: 'april.pdf',
        sha256: sha256(bytes),
      });
      expect(Buffer.from(await (await fetch(url!)).arrayBuffer()).equals(bytes)).toBe(true);

      const { data: replaced } = await uploadObject({ ...at, query, body: { file: pdf(someBytes()) } });
      expect(replaced!.response).toMatchObject({ id, replaced: true });
      expect((await deleteObjects({ ...at, body: { objects: [id, `${id}x`] } })).data!.response).toEqual({
        deleted: [id],
        kept: [],
        not_found: [`${id}x`],
        failed: [],
      });
      expect((await getObjectInfo({ ...at, query: { object: id } })).error?.code).toBe('OBJECT_NOT_FOUND');
      expect((await fetch(url!)).status).toBe(404);
    });

    it('reads pages with the token of the previous page', async () => {
      for (const name of ['a', 'b', 'c'])
        await uploadObject({ ...at, query: { name, prefix: 'pages' }, body: { file: pdf(someBytes()) } });
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const { data } = await listObjects({
          ...at,
          query: { prefix: 'pages/', limit: 2, ...(cursor !== undefined && { cursor }) },
        });
        names.push(...data!.response.objects.map(({ id }) => id.split('/').at(-1)!));
        cursor = data!.response.continuationToken;
      } while (cursor !== undefined);
      expect(names).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
    });
  });
});
