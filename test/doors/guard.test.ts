import { describe, expect, it } from 'vitest';

import { policies } from '#generated/policies.ts';
import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import type { ChunkedUpload } from '#server/features/uploads/chunked-upload.ts';
import { uploadLookup } from '#server/features/uploads/upload-lookup.ts';
import { guard, guardUpload, type Guarded } from '#server/doors/contract/guard.ts';
import { RequestReferences } from '#server/handlers/request-references.ts';
import { prefixes } from '#test/support/parsed.ts';

const accountId = '204815162342108999';

function callerWith(key: Partial<Caller['key']>): Caller {
  return {
    account: { id: accountId },
    key: { scopes: ['blob:read', 'blob:write'], resources: null, prefixes: null, ...key },
  } as Caller;
}

const restricted = callerWith({ prefixes: prefixes('photos', 'docs/2026') });
const unrestricted = callerWith({});

/** Chunked uploads, named by where their files lie. `asked` holds the ids that were looked up. */
const uploads = {
  inside: upload('a', 'photos/a.bin'),
  outside: upload('b', 'music/a.bin'),
  beside: upload('c', 'photos2/a.bin'),
  unknown: upload('d', undefined),
};
const asked: string[] = [];

function upload(letter: string, key: string | undefined) {
  const id = letter.repeat(26);
  return { id, handle: `${id}.${'x'.repeat(43)}`, key };
}

function lookUpUpload(caller: Caller, handle: string) {
  const find = async (id: string) => {
    asked.push(id);
    const key = Object.values(uploads).find((one) => one.id === id)?.key;
    return key === undefined ? undefined : ({ resolved: { address: { key } } } as ChunkedUpload);
  };
  const metadata = { read: { chunkedUploads: { find } } } as unknown as Parameters<typeof uploadLookup>[0]['metadata'];
  return uploadLookup({ metadata, secrets: { verify: () => true } }, caller, handle);
}

interface Sent {
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly origin?: string;
}

function request({ query = {}, path = {}, body, origin }: Sent, caller = restricted): Guarded {
  return {
    origin,
    query: new Map(Object.entries(query).map(([name, value]) => [name, [value].flat()])),
    pathParameters: path,
    body,
    references: new RequestReferences(caller, lookUpUpload),
  };
}

/** Returns the code of the refusal, or `undefined` if the guard lets the request pass. */
function outcome(policy: OperationPolicy, caller: Caller, sent: Sent = {}): string | undefined {
  try {
    guard(policy, caller, request(sent, caller));
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const id = (key: string, start = 'pub/', owner = accountId) => `${start}${owner}/${key}`;

describe('guard() and upload tokens', () => {
  const all = Object.values(policies) as OperationPolicy[];
  const spending = all.filter(({ uploadToken }) => uploadToken === 'spend');
  const following = all.filter(({ uploadToken }) => uploadToken === 'follow');
  const withToken = (pins: object = {}, key: Partial<Caller['key']> = {}): Caller => ({
    ...callerWith(key),
    token: { pins } as NonNullable<Caller['token']>,
  });

  it('refuses everything but uploads with UPLOAD_TOKEN_NOT_ALLOWED, before it checks origin and scope', () => {
    const closed = all.filter(({ uploadToken, credentials }) => credentials.length > 0 && !uploadToken);
    expect([closed.length > 20, spending.length, following.length]).toEqual([true, 3, 7]);
    const caller = withToken({ allowedOrigins: ['https://app.example'] }, { scopes: [] });
    for (const policy of closed)
      expect(outcome(policy, caller, { origin: 'https://evil.example' }), policy.path).toBe('UPLOAD_TOKEN_NOT_ALLOWED');
  });

  it('lets tokens upload', () => {
    for (const policy of [...spending, ...following]) expect(outcome(policy, withToken())).toBeUndefined();
  });

  it('refuses a token with MISSING_SCOPE when the key that minted it lacks the scope', () => {
    for (const policy of [...spending, ...following])
      expect(outcome(policy, withToken({}, { scopes: ['blob:read'] }))).toBe('MISSING_SCOPE');
  });

  describe('with allowed origins', () => {
    const caller = withToken({ allowedOrigins: ['https://app.example', 'http://localhost:5173'] });

    it.each(['https://app.example', 'http://localhost:5173', undefined])('lets a request from %s pass', (origin) => {
      for (const policy of [...spending, ...following])
        expect(outcome(policy, caller, origin === undefined ? {} : { origin })).toBeUndefined();
    });

    it.each([
      'https://evil.example',
      'http://app.example',
      'https://app.example:8443',
      'https://app.example:443',
      'https://app.example/',
      'https://app.example.evil.example',
      'https://sub.app.example',
      'HTTPS://APP.EXAMPLE',
      'https://app.example https://evil.example',
      'null',
      '',
    ])('refuses a request from %j with ORIGIN_NOT_ALLOWED, before it checks the scope', (origin) => {
      for (const policy of [...spending, ...following]) {
        expect(outcome(policy, caller, { origin })).toBe('ORIGIN_NOT_ALLOWED');
        expect(outcome(policy, { ...caller, key: { ...caller.key, scopes: [] } }, { origin })).toBe(
          'ORIGIN_NOT_ALLOWED',
        );
      }
    });

    it('lets every origin pass when the token allows all origins', () => {
      for (const policy of spending)
        expect(outcome(policy, withToken(), { origin: 'https://evil.example' })).toBeUndefined();
    });
  });

  describe('with a pinned prefix', () => {
    it.each([undefined, '', 'avatars', 'avatars/'])('lets an upload to %j pass', (prefix) => {
      for (const policy of spending)
        expect(
          outcome(policy, withToken({ prefix: 'avatars' }), prefix === undefined ? {} : { query: { prefix } }),
        ).toBeUndefined();
    });

    it.each(['avatars/2026', 'avatar', 'avatars2', 'x', '/', 'avatars//', '../avatars', ['avatars', 'x']])(
      'refuses an upload to %j with PREFIX_NOT_ALLOWED',
      (prefix) => {
        for (const policy of spending)
          expect(outcome(policy, withToken({ prefix: 'avatars' }), { query: { prefix } })).toBe('PREFIX_NOT_ALLOWED');
      },
    );

    it('lets any prefix pass when the token pins none', () => {
      for (const policy of spending) expect(outcome(policy, withToken(), { query: { prefix: 'x' } })).toBeUndefined();
    });
  });

  describe('of a key that is restricted to prefixes', () => {
    const key = { prefixes: prefixes('photos') };

    it('requires no prefix in the query when the pinned prefix lies within those of the key', () => {
      for (const policy of [...spending, ...following])
        expect(outcome(policy, withToken({ prefix: 'photos/2026' }, key))).toBeUndefined();
    });

    it.each([{}, { prefix: 'x' }, { prefix: 'photos2' }])(
      'refuses a token that pins %j with PREFIX_NOT_ALLOWED, whatever the query says',
      (pins) => {
        for (const policy of spending)
          for (const query of [{}, { prefix: 'photos' }])
            expect(outcome(policy, withToken(pins, key), { query })).toBe('PREFIX_NOT_ALLOWED');
      },
    );
  });
});

describe('guard() and scopes', () => {
  it('refuses every operation with scopes with MISSING_SCOPE when the key has none of them', () => {
    const guarded = (Object.values(policies) as OperationPolicy[]).filter(({ scopes }) => scopes.length > 0);
    expect(guarded.length).toBeGreaterThan(20);
    for (const policy of guarded) {
      expect(outcome(policy, callerWith({ scopes: ['workspaces:manage'] })), policy.path).toBe('MISSING_SCOPE');
      expect(outcome(policy, callerWith({ scopes: ['*'] })), policy.path).toBeUndefined();
    }
  });

  it('accepts any one of several scopes', () => {
    for (const scope of ['blob:read', 'account:read'] as const)
      expect(outcome(policies.getStats, callerWith({ scopes: [scope] }))).toBeUndefined();
  });

  it('reports a missing scope before a prefix', () => {
    expect(
      outcome(policies.listObjects, callerWith({ scopes: ['blob:write'], prefixes: prefixes('photos') }), {}),
    ).toBe('MISSING_SCOPE');
  });
});

describe('guard() and resources', () => {
  const caller = callerWith({ scopes: ['apps:read', 'apps:deploy'], resources: ['app_1', 'app_2'] });
  const ofApps = (Object.values(policies) as OperationPolicy[]).filter(({ pathFields }) => 'app_id' in pathFields);

  it('refuses every operation of another application with RESOURCE_NOT_ALLOWED', () => {
    expect(ofApps).not.toEqual([]);
    for (const policy of ofApps) {
      expect(outcome(policy, caller, { path: { app_id: 'app_2' } }), policy.path).toBeUndefined();
      for (const wrong of ['app_3', 'app_', 'APP_1', ''])
        expect(outcome(policy, caller, { path: { app_id: wrong } }), policy.path).toBe('RESOURCE_NOT_ALLOWED');
      expect(
        outcome(policy, callerWith({ ...caller.key, resources: null }), { path: { app_id: 'app_3' } }),
      ).toBeUndefined();
    }
  });

  it('refuses every application when the list of resources is empty', () => {
    expect(outcome(ofApps[0]!, callerWith({ ...caller.key, resources: [] }), { path: { app_id: 'app_1' } })).toBe(
      'RESOURCE_NOT_ALLOWED',
    );
  });
});

describe('guard() and prefixes', () => {
  it('lets keys without prefixes pass', () => {
    for (const policy of [
      policies.listObjects,
      policies.uploadObject,
      policies.deleteObjects,
      policies.replaceSettings,
      policies.getObjectInfo,
    ])
      expect(outcome(policy, unrestricted)).toBeUndefined();
  });

  it('refuses operations on the whole account with PREFIX_NOT_ALLOWED', () => {
    expect(outcome(policies.replaceSettings, restricted, { body: { rules: [] } })).toBe('PREFIX_NOT_ALLOWED');
  });

  describe('in a list filter', () => {
    it.each(['photos', 'photos/', 'photos/2025', 'photos/2025/a_', 'docs/2026'])('lets %s pass', (prefix) => {
      expect(outcome(policies.listObjects, restricted, { query: { prefix } })).toBeUndefined();
    });

    it.each(['p', 'photo', 'photos2', 'photos-2025', 'docs', 'docs/', 'docs/202', 'x', '/photos', ' photos'])(
      'refuses %j with PREFIX_NOT_ALLOWED',
      (prefix) => {
        expect(outcome(policies.listObjects, restricted, { query: { prefix } })).toBe('PREFIX_NOT_ALLOWED');
      },
    );

    it('refuses a missing or empty prefix with PREFIX_REQUIRED', () => {
      expect(outcome(policies.listObjects, restricted)).toBe('PREFIX_REQUIRED');
      expect(outcome(policies.listObjects, restricted, { query: { prefix: '' } })).toBe('PREFIX_REQUIRED');
    });

    it('checks every prefix of several', () => {
      expect(outcome(policies.listObjects, restricted, { query: { prefix: ['photos', 'secret'] } })).toBe(
        'PREFIX_NOT_ALLOWED',
      );
    });
  });

  describe('in the prefix of an upload', () => {
    it.each(['photos', 'photos/', 'photos/2025', 'docs/2026/'])('lets %s pass', (prefix) => {
      for (const policy of [policies.uploadObject, policies.startChunkedUpload])
        expect(outcome(policy, restricted, { query: { prefix } })).toBeUndefined();
    });

    it.each([undefined, '', '/', 'photo', 'photos2', 'docs', ['photos', 'x'], ['x', 'photos']])(
      'refuses %j with PREFIX_NOT_ALLOWED',
      (prefix) => {
        const query = prefix === undefined ? {} : { prefix };
        for (const policy of [policies.uploadObject, policies.startChunkedUpload])
          expect(outcome(policy, restricted, { query })).toBe('PREFIX_NOT_ALLOWED');
      },
    );

    it('checks JSON bodies too, at any depth', () => {
      const source = id('photos/a');
      expect(outcome(policies.createUploadToken, restricted, { body: { prefix: 'photos' } })).toBeUndefined();
      for (const body of [{ prefix: 'x' }, {}, undefined, null, { prefix: 7 }, { prefix: null }, ['photos']])
        expect(outcome(policies.createUploadToken, restricted, { body })).toBe('PREFIX_NOT_ALLOWED');
      expect(
        outcome(policies.copyObject, restricted, { body: { source, destination: { name: 'a', prefix: 'docs/2026' } } }),
      ).toBeUndefined();
      for (const destination of [{ name: 'a', prefix: 'docs' }, { name: 'a' }, undefined, 'photos'])
        expect(outcome(policies.copyObject, restricted, { body: { source, destination } })).toBe('PREFIX_NOT_ALLOWED');
    });

    it('ignores a prefix that the body inherits from a prototype', () => {
      expect(outcome(policies.createUploadToken, restricted, { body: Object.create({ prefix: 'photos' }) })).toBe(
        'PREFIX_NOT_ALLOWED',
      );
      expect(
        outcome(policies.createUploadToken, restricted, { body: JSON.parse('{"__proto__":{"prefix":"photos"}}') }),
      ).toBe('PREFIX_NOT_ALLOWED');
    });
  });

  describe('in ids', () => {
    it.each([id('photos/a'), id('photos/a', 'prv/'), id('photos/2025/a', ''), id('docs/2026/b')])(
      'lets %s pass',
      (one) => {
        expect(outcome(policies.getObjectInfo, restricted, { query: { object: one } })).toBeUndefined();
        for (const policy of [policies.deleteObjects, policies.updateObjects, policies.createShare])
          expect(outcome(policy, restricted, { body: { object: one } })).toBeUndefined();
      },
    );

    it.each([id('a'), id('photos'), id('photos2/a', 'prv/'), id('docs/2025/b', ''), id('x/photos/a')])(
      'refuses %s with PREFIX_NOT_ALLOWED',
      (one) => {
        for (const policy of [policies.getObjectInfo, policies.getDownloadLink])
          expect(outcome(policy, restricted, { query: { object: one } })).toBe('PREFIX_NOT_ALLOWED');
        for (const policy of [policies.deleteObjects, policies.updateObjects, policies.createShare])
          expect(outcome(policy, restricted, { body: { object: one } })).toBe('PREFIX_NOT_ALLOWED');
        expect(
          outcome(policies.copyObject, restricted, { body: { source: one, destination: { prefix: 'photos' } } }),
        ).toBe('PREFIX_NOT_ALLOWED');
      },
    );

    it('checks every id of a list, not only a single one', () => {
      const [inside, outside] = [id('photos/a'), id('secret/b')];
      for (const policy of [policies.deleteObjects, policies.updateObjects]) {
        expect(outcome(policy, restricted, { body: { objects: [inside, id('docs/2026/c')] } })).toBeUndefined();
        for (const objects of [
          [outside],
          [inside, outside],
          [outside, inside],
          [7, outside],
          [null, inside, outside],
        ]) {
          expect(outcome(policy, restricted, { body: { objects } }), JSON.stringify(objects)).toBe(
            'PREFIX_NOT_ALLOWED',
          );
        }
        expect(outcome(policy, restricted, { body: { object: inside, objects: [outside] } })).toBe(
          'PREFIX_NOT_ALLOWED',
        );
      }
    });

    it('lets values pass that are not an id of the account or have another shape', () => {
      for (const object of ['nonsense', id('photos/../x'), id('secret/a', 'pub/', '204815162342108998'), ''])
        expect(outcome(policies.getObjectInfo, restricted, { query: { object } })).toBeUndefined();
      for (const body of [undefined, null, 'x', [], { object: 7 }, { objects: 'x' }, { objects: {} }, {}])
        expect(outcome(policies.deleteObjects, restricted, { body })).toBeUndefined();
    });
  });

  it('has a check for every kind of field that the contract marks', () => {
    const kinds = new Set<string>();
    for (const policy of Object.values(policies) as OperationPolicy[])
      for (const field of [...Object.values(policy.queryFields), ...Object.values(policy.bodyFields)])
        if (field.guardedBy) kinds.add(field.guardedBy);
    expect([...kinds].sort()).toEqual(['folder', 'list-prefix', 'object', 'prefix', 'upload']);
  });
});

describe('guardUpload()', () => {
  const guarded = (Object.values(policies) as OperationPolicy[]).filter(
    ({ tag, credentials, queryFields, bodyFields }) =>
      tag === 'uploads' && credentials.length > 0 && ('upload' in queryFields || 'body/upload' in bodyFields),
  );
  const sent = (policy: OperationPolicy, upload: unknown) =>
    request('upload' in policy.queryFields ? { query: { upload: upload as string } } : { body: { upload } });

  it('refuses every operation on an upload outside of the prefixes with PREFIX_NOT_ALLOWED, and no other', async () => {
    expect(guarded).toHaveLength(4);
    for (const policy of guarded) {
      for (const { handle } of [uploads.outside, uploads.beside])
        await expect(guardUpload(policy, restricted, sent(policy, handle))).rejects.toMatchObject({
          code: 'PREFIX_NOT_ALLOWED',
        });
      for (const right of [uploads.inside.handle, uploads.unknown.handle, 'no handle'])
        await guardUpload(policy, restricted, sent(policy, right));
      for (const upload of [undefined, 7, null, [uploads.outside.handle, uploads.outside.handle]])
        await guardUpload(
          policy,
          restricted,
          'upload' in policy.queryFields
            ? request({ query: upload instanceof Array ? { upload } : {} })
            : request({ body: { upload: upload instanceof Array ? 7 : upload } }),
        );
    }
    expect(asked[0]).toBe(uploads.outside.id);
  });

  it('keeps the upload that it found for the handler, which does not read it again', async () => {
    asked.length = 0;
    const { id, handle, key } = uploads.inside;
    const guardedRequest = sent(policies.getChunkedUpload, handle);
    await guardUpload(policies.getChunkedUpload, restricted, guardedRequest);
    const named = guardedRequest.references.upload(handle);
    expect([(await named.find()).resolved.address.key, asked]).toEqual([key, [id]]);
    await named.findAgain();
    expect(asked).toEqual([id, id]);
  });

  it('looks up nothing for keys without prefixes, for tokens, and for other operations', async () => {
    asked.length = 0;
    const token = { ...restricted, token: { pins: {} } as NonNullable<Caller['token']> };
    const { handle } = uploads.outside;
    for (const policy of guarded)
      for (const caller of [unrestricted, token]) await guardUpload(policy, caller, sent(policy, handle));
    await guardUpload(policies.startChunkedUpload, restricted, request({ query: { upload: handle } }));
    expect(asked).toEqual([]);
  });
});
