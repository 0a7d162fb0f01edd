import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exchange, textsOf, type S3Answer } from './exchange.ts';
import { startGateway, type Gateway } from './gateway.ts';
import type { S3Request } from './signed-request.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
  await gateway.keepDeleted('kept');
});
afterAll(() => gateway.stop());

const send = (method: string, path: string, more: Partial<S3Request> = {}): Promise<S3Answer> =>
  exchange(gateway, { method, path: `/private/${path}`, ...more });
const put = (path: string, body: string) => send('PUT', path, { body: Buffer.from(body) });
const versionOf = ({ headers }: S3Answer) => headers['x-amz-version-id'];

/** Uploads a file of one part, and returns the response to its completion and to the same once more. */
async function inParts(path: string, copied?: string): Promise<{ part: S3Answer; done: S3Answer; again: S3Answer }> {
  const [uploadId] = textsOf((await send('POST', path, { query: { uploads: '' } })).text, 'UploadId');
  const query = { partNumber: '1', uploadId: uploadId! };
  const part = await send('PUT', path, {
    query,
    ...(copied === undefined ? { body: Buffer.from('part') } : { headers: { 'x-amz-copy-source': copied } }),
  });
  const etag = part.headers.etag ?? textsOf(part.text, 'ETag')[0];
  const body = Buffer.from(
    `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part></CompleteMultipartUpload>`,
  );
  const complete = () => send('POST', path, { query: { uploadId: uploadId! }, body });
  return { part, done: await complete(), again: await complete() };
}

describe('x-amz-version-id', () => {
  it('is in all responses about a file whose versions are kept, and in none about others', async () => {
    const written = await put('kept/a', 'one');
    const version = versionOf(written)!;
    expect(version).toMatch(/^\S{23,}$/);
    for (const method of ['GET', 'HEAD']) expect(versionOf(await send(method, 'kept/a'))).toBe(version);
    const attributes = { query: { attributes: '' }, headers: { 'x-amz-object-attributes': 'ETag' } };
    expect(versionOf(await send('GET', 'kept/a', attributes))).toBe(version);
    await put('plain', 'one');
    for (const method of ['PUT', 'GET', 'HEAD']) expect(versionOf(await send(method, 'plain'))).toBeUndefined();
    expect(versionOf(await send('DELETE', 'plain'))).toBeUndefined();
    const { done } = await inParts('other');
    expect([done.status, versionOf(done)]).toEqual([200, undefined]);
  });

  it('is in the response to a completed upload in parts, and in that to a repeated completion', async () => {
    const before = versionOf(await put('kept/parts', 'before'));
    const { done, again } = await inParts('kept/parts');
    expect([done.status, again.status]).toEqual([200, 200]);
    expect(versionOf(done)).toBe(versionOf(await send('HEAD', 'kept/parts')));
    expect(versionOf(done)).not.toBe(before);
    const replaced = versionOf(done);
    await put('kept/parts', 'after');
    expect(versionOf(again)).toBe(replaced);
    expect((await send('GET', 'kept/parts', { query: { versionId: replaced! } })).text).toBe('part');
  });

  it('may be deleted again, also a delete marker whose version has gone', async () => {
    const version = versionOf(await put('kept/twice', 'one'))!;
    const marker = versionOf(await send('DELETE', 'kept/twice'))!;
    for (const versionId of [version, version, marker]) {
      const { status, text } = await send('DELETE', 'kept/twice', { query: { versionId } });
      expect([status, text]).toEqual([204, '']);
    }
    const gone = `<Delete><Object><Key>kept/twice</Key><VersionId>${marker}</VersionId></Object></Delete>`;
    const { text } = await send('POST', '', { query: { delete: '' }, body: Buffer.from(gone) });
    expect([textsOf(text, 'VersionId'), textsOf(text, 'Error')]).toEqual([[marker], []]);
    expect((await send('DELETE', 'kept/twice', { query: { versionId: 'odd' } })).status).toBe(400);
  });

  it('names the source of a copy, and of a copied part, beside the copy', async () => {
    const version = versionOf(await put('kept/source', 'one'))!;
    const copy = await send('PUT', 'kept/copy', { headers: { 'x-amz-copy-source': '/private/kept/source' } });
    expect(copy.headers['x-amz-copy-source-version-id']).toBe(version);
    expect(versionOf(copy)).toBe(versionOf(await send('HEAD', 'kept/copy')));
    await put('kept/source', 'two');
    const { part } = await inParts('elsewhere', `/private/kept/source?versionId=${version}`);
    expect(part.headers['x-amz-copy-source-version-id']).toBe(version);
    const plain = await send('PUT', 'plain-copy', { headers: { 'x-amz-copy-source': '/private/elsewhere' } });
    expect([plain.headers['x-amz-copy-source-version-id'], versionOf(plain)]).toEqual([undefined, undefined]);
  });

  it('is of as many versions as the rule keeps', async () => {
    const own = await gateway.other();
    const ask = (method: string, path: string, more: Partial<S3Request> = {}) =>
      exchange(own, { method, path: `/private${path}`, ...more });
    await gateway.server.send('/v1/account/settings', {
      method: 'PUT',
      credential: own.account.credential,
      body: JSON.stringify({ rules: [{ prefix: 'few', keep_deleted_days: 30, keep_versions: 1 }] }),
    });
    const versions = [];
    for (const text of ['one', 'two', 'three'])
      versions.push(versionOf(await ask('PUT', '/few/a', { body: Buffer.from(text) })));
    const listed = async () => textsOf((await ask('GET', '', { query: { versions: '' } })).text, 'VersionId');
    expect(await listed()).toEqual([versions[2], versions[1]]);
    expect((await ask('GET', '/few/a', { query: { versionId: versions[0]! } })).status).toBe(404);
    await ask('DELETE', '/few/a');
    expect(await listed()).toEqual([`${versions[2]}-d`, versions[2]].toSorted((a) => (a!.endsWith('-d') ? 1 : -1)));
  });

  it('names delete markers, in single deletions and in many', async () => {
    const version = versionOf(await put('kept/gone', 'one'))!;
    const removed = await send('DELETE', 'kept/gone');
    const marker = versionOf(removed)!;
    expect([removed.status, removed.headers['x-amz-delete-marker']]).toEqual([204, 'true']);
    for (const method of ['GET', 'HEAD']) {
      const missing = await send(method, 'kept/gone');
      expect([missing.status, missing.headers['x-amz-delete-marker'], versionOf(missing)]).toEqual([
        404,
        'true',
        marker,
      ]);
      const named = await send(method, 'kept/gone', { query: { versionId: marker } });
      expect([named.status, named.headers['x-amz-delete-marker'], named.headers.allow]).toEqual([
        405,
        'true',
        'DELETE',
      ]);
    }
    const back = await send('DELETE', 'kept/gone', { query: { versionId: marker } });
    expect([back.status, back.headers['x-amz-delete-marker'], versionOf(back)]).toEqual([204, 'true', marker]);
    expect(versionOf(await send('GET', 'kept/gone'))).toBe(version);
    const purged = await send('DELETE', 'kept/gone', { query: { versionId: version } });
    expect([purged.headers['x-amz-delete-marker'], versionOf(purged)]).toEqual([undefined, version]);

    const kept = versionOf(await put('kept/many', 'one'))!;
    const names = ['<Key>kept/many</Key>', `<Key>kept/many</Key><VersionId>${kept}</VersionId>`, '<Key>none</Key>'];
    const results = [];
    for (const name of names) {
      const body = Buffer.from(`<Delete><Object>${name}</Object></Delete>`);
      const { text } = await exchange(gateway, { method: 'POST', path: '/private', query: { delete: '' }, body });
      results.push(['VersionId', 'DeleteMarker', 'DeleteMarkerVersionId'].map((tag) => textsOf(text, tag)[0]));
    }
    expect(results).toEqual([
      [undefined, 'true', `${kept}-d`],
      [kept, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
  });
});
