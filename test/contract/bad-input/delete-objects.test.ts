import { gzipSync } from 'node:zlib';

import { beforeAll, describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { badBodies, bodyOfBytes, goodBodies, type Ids } from './delete-bodies.ts';
import { absentIds } from './object-ids.ts';
import { rawSend, type RawRequest } from './raw-request.ts';

import { watchedServer } from './watched-server.ts';

const watched = watchedServer();
let ids: Ids;
let other: TestAccount;

beforeAll(async () => {
  other = await watched.server.account();
  ids = { one: await stored('one'), two: await stored('two'), foreign: await stored('foreign', other) };
});

async function stored(name: string, owner = watched.account): Promise<string> {
  return (await upload(watched.server, owner, { query: { name } })).json().response.id;
}

function remove(
  body: RawRequest['body'],
  headers: Readonly<Record<string, string>> = { 'Content-Type': 'application/json' },
) {
  return rawSend(watched.server, {
    method: 'DELETE',
    path: '/v1/objects',
    credential: watched.account.credential,
    headers,
    body,
  });
}

async function* inPieces(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 60_000) yield bytes.subarray(at, at + 60_000);
}

describe('deleteObjects()', () => {
  it.each(badBodies)('answers $code and deletes nothing when its body $what', async ({ code, body, headers }) => {
    const answer = await watched.state.unchangedBy(() => remove(body(ids), headers));
    expect(answer.json().code).toBe(code);
  });

  it('reports ids of every kind as not found, each once', async () => {
    const objects = Object.values(absentIds(watched.account.id));
    const answer = await watched.state.unchangedBy(() => remove(JSON.stringify({ objects: [...objects, ...objects] })));
    expect(answer.json().response).toEqual({ deleted: [], kept: [], not_found: objects, failed: [] });
  });

  it.each(goodBodies)('deletes the one file when its body $what', async ({ body, headers }) => {
    const one = await stored('one');
    const answer = await remove(body({ ...ids, one }), headers);
    expect(answer.json()).toEqual({ status: 'success' });
    const left = (await watched.state.dump()).objects as Array<{ key: string }>;
    expect(left.map(({ key }) => key).toSorted()).toEqual(['foreign.png', 'two.png']);
    await stored('one');
  });

  it('deletes when its body is sent in chunks', async () => {
    const one = await stored('chunked');
    expect((await remove(inPieces(bodyOfBytes(one, 1_048_576)))).json()).toEqual({ status: 'success' });
  });

  it('answers BODY_TOO_LARGE when more than 1 MiB comes in chunks', async () => {
    const answer = await watched.state.unchangedBy(() => remove(inPieces(bodyOfBytes(ids.one, 1_048_577))));
    expect(answer.json().code).toBe('BODY_TOO_LARGE');
  });

  it('answers INVALID_BODY and deletes nothing when its body is compressed', async () => {
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' };
    const answer = await watched.state.unchangedBy(() =>
      remove(gzipSync(JSON.stringify({ object: ids.one })), headers),
    );
    expect(answer.json().code).toBe('INVALID_BODY');
  });

  it('answers INVALID_BODY when there is no body at all, and takes no file from the query', async () => {
    const path = `/v1/objects?object=${ids.one}`;
    const answer = await watched.state.unchangedBy(() =>
      rawSend(watched.server, { method: 'DELETE', path, credential: watched.account.credential }),
    );
    expect(answer.json().code).toBe('INVALID_BODY');
  });

  it('deletes 100 files at once and reports on each', async () => {
    const files = await Promise.all(Array.from({ length: 100 }, (_, at) => stored(`many${at}`)));
    const answer = await remove(JSON.stringify({ objects: files }));
    expect(answer.json().response).toEqual({ deleted: files, kept: [], not_found: [], failed: [] });
  });

  it('deletes and reports a file that is named twice once', async () => {
    const file = await stored('twice');
    const answer = await remove(JSON.stringify({ objects: [file, file, `${file}x`, file] }));
    expect(answer.json().response).toEqual({ deleted: [file], kept: [], not_found: [`${file}x`], failed: [] });
  });

  it('deletes no file of a list with an invalid id', async () => {
    const answer = await watched.state.unchangedBy(() =>
      remove(JSON.stringify({ objects: [ids.one, ids.two, ids.foreign] })),
    );
    expect(answer.json().code).toBe('INVALID_OBJECT');
  });
});
