import { beforeAll, describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import { metadataPastLimits, updateFields } from './change-fields.ts';
import { rawSend } from './raw-request.ts';

import { watchedServer } from './watched-server.ts';

const watched = watchedServer();
let ids: { readonly one: string; readonly two: string };

beforeAll(async () => {
  ids = { one: await stored('one'), two: await stored('two') };
});

async function stored(name: string): Promise<string> {
  return (await upload(watched.server, watched.account, { query: { name } })).json().response.id;
}

function update(body: string) {
  return rawSend(watched.server, {
    method: 'PATCH',
    path: '/v1/objects',
    credential: watched.account.credential,
    body,
  });
}

const updateBy = (body: unknown) => update(JSON.stringify(body));

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 60);

describe.each(updateFields)('updateObjects() with $field', ({ field, code, bad, good }) => {
  it.each(bad.map((value) => [shown(value), value] as const))(
    `answers ${code} and changes nothing when it is %s`,
    async (_, value) => {
      const answer = await watched.state.unchangedBy(() => updateBy({ objects: [ids.one, ids.two], [field]: value }));
      expect([answer.status, answer.json().code]).toEqual([400, code]);
    },
  );

  it.each(good.map((value) => [shown(value), value] as const))('accepts %s', async (_, value) => {
    const object = await stored('good');
    const answer = await updateBy({ object, [field]: value });
    expect(answer.json().response.results).toEqual([expect.objectContaining({ object, ok: true })]);
  });
});

describe('updateObjects()', () => {
  it('answers INVALID_BODY and changes nothing when its files are named in no way or in both', async () => {
    for (const files of [{}, { object: ids.one, objects: [ids.two] }, { object: ids.one, objects: [] }]) {
      const answer = await watched.state.unchangedBy(() => updateBy({ ...files, private: true }));
      expect(answer.json().code).toBe('INVALID_BODY');
    }
  });

  it('answers INVALID_BODY and changes nothing when several files would get one name', async () => {
    for (const original_name of ['a.pdf', null]) {
      const answer = await watched.state.unchangedBy(() => updateBy({ objects: [ids.one, ids.two], original_name }));
      expect(answer.json().code).toBe('INVALID_BODY');
    }
  });

  it.each(Object.entries(metadataPastLimits))(
    'reports INVALID_OBJECT_METADATA and changes nothing when a file would have %s',
    async (_, metadata) => {
      const answer = await watched.state.unchangedBy(() => updateBy({ object: ids.one, private: true, metadata }));
      expect(answer.json().response.results).toEqual([{ object: ids.one, ok: false, code: 'INVALID_OBJECT_METADATA' }]);
    },
  );

  it.each([
    {},
    { Private: true },
    { PRIVATE: true, 'private ': true },
    { name: 'other' },
    { changes: { private: true } },
    { expires: '30d' },
    { 'cache-control': 'immutable' },
    { cacheControl: null },
  ])('answers NOTHING_TO_UPDATE to %j', async (changes) => {
    const answer = await watched.state.unchangedBy(() => updateBy({ object: ids.one, ...changes }));
    expect(answer.json().code).toBe('NOTHING_TO_UPDATE');
  });

  it('answers NOTHING_TO_UPDATE to a change in the prototype', async () => {
    const answer = await watched.state.unchangedBy(() =>
      update(`{"object":"${ids.one}","__proto__":{"private":true}}`),
    );
    expect(answer.json().code).toBe('NOTHING_TO_UPDATE');
  });

  it('changes 50 files, one of them named twice, and none of 51', async () => {
    const files = await Promise.all(Array.from({ length: 49 }, (_, at) => stored(`many${at}`)));
    const objects = [...files, files[0]!];
    const { results } = (await updateBy({ objects, disposition: 'inline' })).json().response;
    expect(results.map(({ object, ok }: Record<string, unknown>) => [object, ok])).toEqual(
      objects.map((id) => [id, true]),
    );
    const answer = await watched.state.unchangedBy(() =>
      updateBy({ objects: [...objects, ids.one], disposition: 'attachment' }),
    );
    expect(answer.json().code).toBe('TOO_MANY_OBJECTS');
  });

  it('answers no 5xx and changes nothing when every change is wrong at once', async () => {
    const answer = await watched.state.unchangedBy(() =>
      updateBy({ object: ids.one, ...Object.fromEntries(updateFields.map(({ field }) => [field, [[]]])) }),
    );
    expect(answer.json().code).toBe('INVALID_OBJECT_PRIVATE');
  });
});
