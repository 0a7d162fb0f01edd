import { describe, expect, it } from 'vitest';

import { policies, type OperationId } from '#generated/policies.ts';
import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import { RequestValidator, type ValidInput } from '#server/doors/contract/request-validator.ts';
import { parseQuery } from '#server/http/query.ts';
import { contract } from '#test/support/contract.ts';
import { shortestHoldMs } from '#test/support/loop-hold.ts';

interface Sent {
  readonly search?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const validator = new RequestValidator(async () => contract);

function check(operationId: OperationId, { search = '', path = {}, body }: Sent): Promise<ValidInput> {
  const policy: OperationPolicy = policies[operationId];
  const pathname = policy.path.replace(/\{([^}]+)\}/g, (_, name: string) => path[name] ?? 'x');
  return validator.validate(operationId, policy, {
    pathname,
    pathParameters: path,
    query: parseQuery(`${pathname}?${search}`),
    body,
  });
}

const codeOf = (operationId: OperationId, sent: Sent): Promise<string | undefined> =>
  check(operationId, sent).then(
    () => undefined,
    (error: { code?: string }) => {
      if (!error.code) throw error;
      return error.code;
    },
  );

const object = 'pub/204815162342108999/a.png';

describe('RequestValidator.validate()', () => {
  it.each(Object.entries(policies).filter(([, { door }]) => door !== 'public'))(
    'accepts an empty request for %s, or refuses it with a code of the contract',
    async (id) => {
      await codeOf(id as OperationId, {});
    },
  );

  it('compiles the validators of all operations at once without holding the event loop', async () => {
    const all = Object.entries(policies).filter(([, { door }]) => door !== 'public');
    const heldMs = await shortestHoldMs(async () => {
      const fresh = new RequestValidator(async () => contract);
      await Promise.allSettled(
        all.map(([id, policy]) => fresh.validate(id as OperationId, policy, emptyRequest(policy))),
      );
    });
    // This takes up to 30 ms on an idle machine. Compiling them all in one turn would take half a second.
    expect(heldMs).toBeLessThan(150);
  });
});

function emptyRequest({ path }: OperationPolicy) {
  return { pathname: path.replace(/\{[^{}]+\}/g, 'x'), pathParameters: {}, query: parseQuery('/'), body: undefined };
}

describe('RequestValidator.validate() of a query', () => {
  it('converts values to their types', async () => {
    expect((await check('listObjects', { search: 'prefix=photos/&private=1&delimiter=/&limit=7' })).query).toEqual({
      prefix: 'photos/',
      private: true,
      delimiter: '/',
      limit: 7,
    });
    expect(
      (await check('uploadObject', { search: 'name=a&private=0&overwrite=false&security_hash=true' })).query,
    ).toMatchObject({ name: 'a', private: false, overwrite: false, security_hash: true });
  });

  it.each<[OperationId, string]>([
    ['uploadObject', 'name=a&private=1&prefix=&disposition=inline&metadata=%7B%22a%22:%22*+%2B,;=%26%22%7D'],
    ['listObjects', 'prefix=a+b*%3F%23%5B&cursor=%C3%BC'],
    ['getObjectInfo', `object=${object}`],
    ['getDownloadLink', `object=${object}&redirect=0&filename=a%0A'()!@:$.png`],
    ['putChunkedPart', 'upload=a.b~c&part=2048'],
    ['listActivity', 'limit=100&cursor=%20'],
    ['showActivationPage', 'done=approved'],
  ])('returns the same for the first request of %s, which a chain validates, as for later ones', async (id, search) => {
    const policy: OperationPolicy = policies[id];
    const sent = { ...emptyRequest(policy), query: parseQuery(`/?${search}`) };
    const fresh = new RequestValidator(async () => contract);
    const first = await fresh.validate(id, policy, sent);
    expect(await fresh.validate(id, policy, sent)).toEqual(first);
  });

  it('has only parameters that later requests can validate without the chain', () => {
    const resolved = ({ $ref, ...given }: { $ref?: string }, kind: 'parameters' | 'schemas') =>
      ($ref ? contract.components[kind][$ref.split('/').at(-1)!] : given) as Record<string, unknown>;
    for (const { path, method } of Object.values(policies)) {
      for (const given of contract.paths[path][method].parameters ?? []) {
        const parameter = resolved(given, 'parameters');
        if (parameter.in === 'path') continue;
        const schema = resolved(parameter.schema ?? {}, 'schemas');
        // The chain has own rules for the others: it splits lists, converts dates and refuses unencoded characters.
        if (parameter.in === 'query') expect(parameter).toMatchObject({ allowReserved: true });
        expect(['string', 'integer', 'boolean']).toContain(schema.type);
        expect(schema).not.toHaveProperty('format');
        expect(parameter).not.toHaveProperty('content');
      }
    }
  });

  it('ignores unknown parameters and their values', async () => {
    const { query } = await check('listObjects', {
      search: 'limit=7&x=1&x=2&%00=%ff&__proto__=1&constructor=2&limit[]=9',
    });
    expect(query).toEqual({ limit: 7 });
    expect(Object.getPrototypeOf(query)).toBe(Object.prototype);
  });

  it.each(['true', 'false', '1', '0'])('accepts %s as a boolean', async (value) => {
    expect((await check('listObjects', { search: `private=${value}` })).query.private).toBe(
      value === 'true' || value === '1',
    );
  });

  it.each([
    '',
    'True',
    'yes',
    'no',
    '2',
    '01',
    ' true',
    'true ',
    'null',
    '%00',
    'true&private=true',
    'true&private=false',
  ])('refuses the boolean %j with the code of the field', async (value) => {
    expect(await codeOf('listObjects', { search: `private=${value}` })).toBe('INVALID_OBJECT_PRIVATE');
  });

  it.each(['1', '7', '1000'])('accepts %s as a number from 1 to 1000', async (value) => {
    expect((await check('listObjects', { search: `limit=${value}` })).query.limit).toBe(Number(value));
  });

  it.each([
    '',
    '0',
    '-1',
    '+1',
    '01',
    '1001',
    '1e2',
    '1.0',
    '0x10',
    ' 7',
    '7 ',
    '٧',
    '99999999999999999999',
    'NaN',
    'Infinity',
    '7&limit=7',
    '[7]',
    '7,8',
  ])('refuses the number %j with the code of the field', async (value) => {
    expect(
      await codeOf('listObjects', {
        search: `limit=${encodeURIComponent(value).replace(/%26/g, '&').replace(/%3D/g, '=')}`,
      }),
    ).toBe('INVALID_LIMIT');
  });

  it.each(['%ff', '%', '%c3%28', 'a%00b', '%00'])(
    'refuses %s, which is not text, with the code of the field',
    async (value) => {
      expect(await codeOf('listObjects', { search: `prefix=${value}` })).toBe('INVALID_OBJECT_PREFIX');
    },
  );

  it('fills in the default of a missing parameter', async () => {
    expect((await check('listObjects', {})).query).toEqual({ limit: 1000 });
  });

  it('accepts an empty value only where the contract allows it', async () => {
    expect((await check('listObjects', { search: 'prefix=' })).query).toEqual({ prefix: '', limit: 1000 });
    expect(await codeOf('listObjects', { search: 'cursor=' })).toBe('INVALID_CONTINUATION_TOKEN');
    expect(await codeOf('uploadObject', { search: 'name=' })).toBe('INVALID_OBJECT_NAME');
  });

  it.each([
    [
      'name',
      'INVALID_OBJECT_NAME',
      ['a b', 'a/b', '../a', 'a..b', 'a.', '-a', 'a-ex7', 'a-ex6h', 'é', 'a'.repeat(129)],
    ],
    ['prefix', 'INVALID_OBJECT_PREFIX', ['/a', 'a//b', 'a/../b', '.', 'a/b/c/d/e/f/g/h/i', 'a b', 'a'.repeat(65)]],
    ['disposition', 'INVALID_OBJECT_DISPOSITION', ['none', 'INLINE']],
    ['checksum_sha256', 'INVALID_CHECKSUM', ['a'.repeat(63), 'A'.repeat(64), 'g'.repeat(64)]],
    ['overwrite', 'INVALID_OVERWRITE', ['maybe']],
    ['security_hash', 'INVALID_OBJECT_SECURITY_HASH', ['maybe']],
    ['auto_download', 'INVALID_STORAGE_AUTO_DOWNLOAD', ['maybe']],
    ['private', 'INVALID_OBJECT_PRIVATE', ['maybe']],
  ])('refuses wrong values of %s with %s', async (field, code, values) => {
    for (const value of values) {
      const search = new URLSearchParams({ name: 'photo', [field]: value });
      expect(await codeOf('uploadObject', { search: String(search) }), value).toBe(code);
    }
  });

  it.each(['a', '_', '9', 'a.b-c_d', 'photo-2026', 'a-ex', 'ex7', 'a'.repeat(128)])(
    'takes the name %s',
    async (name) => {
      expect((await check('uploadObject', { search: `name=${name}` })).query).toEqual({ name });
    },
  );

  it('reports the first wrong parameter in the order of the contract, not of the query', async () => {
    expect(await codeOf('uploadObject', { search: 'disposition=x&prefix=/&name=/' })).toBe('INVALID_OBJECT_NAME');
    expect(await codeOf('uploadObject', { search: 'disposition=x&prefix=/&name=a' })).toBe('INVALID_OBJECT_PREFIX');
  });

  it('refuses a missing parameter with its code', async () => {
    expect(await codeOf('getObjectInfo', {})).toBe('INVALID_OBJECT');
  });

  it('decodes once only', async () => {
    expect((await check('listObjects', { search: 'prefix=a%2520b%2B+%26limit%3D3' })).query).toEqual({
      prefix: 'a%20b+ &limit=3',
      limit: 1000,
    });
  });

  it('has a code for every fault of every parameter', async () => {
    for (const [operationId, policy] of Object.entries(policies) as Array<[OperationId, OperationPolicy]>) {
      if (policy.door === 'public') continue;
      for (const [name, field] of Object.entries(policy.queryFields)) {
        if (!field.codes) continue;
        for (const search of [`${name}=%00`, `${name}=%ff`, `${name}=1&${name}=1`])
          expect(await codeOf(operationId, { search }), `${operationId} ${search}`).toMatch(
            /^([A-Z0-9_]+|invalid_query)$/,
          );
      }
    }
  });
});

describe('RequestValidator.validate() of a body', () => {
  it('returns the body unchanged, with unknown fields and unconverted types', async () => {
    const body = { object, private: true, expire: 30, other: { a: [1] } };
    expect((await check('updateObjects', { body })).body).toEqual({
      object,
      private: true,
      expire: 30,
      other: { a: [1] },
    });
  });

  it.each([[null], ['text'], [7], [true], [[]], [['a']]])('refuses %j with INVALID_BODY', async (body) => {
    expect(await codeOf('deleteObjects', { body })).toBe('INVALID_BODY');
  });

  it.each<[string, OperationId, unknown, string]>([
    ['a field of another type', 'deleteObjects', { object: 7 }, 'INVALID_OBJECT'],
    ['a field that is null', 'deleteObjects', { object: null }, 'INVALID_OBJECT'],
    ['a list of another type', 'deleteObjects', { objects: object }, 'INVALID_BODY'],
    ['an empty list', 'deleteObjects', { objects: [] }, 'INVALID_BODY'],
    ['a list that is too long', 'deleteObjects', { objects: Array(101).fill(object) }, 'TOO_MANY_OBJECTS'],
    [
      'a list that is too long, of anything',
      'updateObjects',
      { objects: Array(51).fill(7), private: true },
      'TOO_MANY_OBJECTS',
    ],
    ['a wrong entry of a list', 'deleteObjects', { objects: [object, 7] }, 'INVALID_OBJECT'],
    ['a text that looks like a boolean', 'updateObjects', { object, private: 'true' }, 'INVALID_OBJECT_PRIVATE'],
    ['a number for a boolean', 'updateObjects', { object, private: 1 }, 'INVALID_OBJECT_PRIVATE'],
    ['a wrong choice', 'updateObjects', { object, disposition: 'x' }, 'INVALID_OBJECT_DISPOSITION'],
    ['an object instead of a text', 'updateObjects', { object, expire: {} }, 'INVALID_OBJECT_EXPIRE'],
    ['a list instead of an object', 'updateObjects', { object, metadata: [] }, 'INVALID_OBJECT_METADATA'],
    ['a nested object in metadata', 'updateObjects', { object, metadata: { a: { b: 1 } } }, 'INVALID_OBJECT_METADATA'],
    [
      'a metadata key with slashes',
      'updateObjects',
      { object, metadata: { 'private/*': 1 } },
      'INVALID_OBJECT_METADATA',
    ],
    ['no destination', 'copyObject', { source: object }, 'INVALID_DESTINATION'],
    ['a destination that is not an object', 'copyObject', { source: object, destination: 'a' }, 'INVALID_DESTINATION'],
    ['a destination without a name', 'copyObject', { source: object, destination: {} }, 'INVALID_OBJECT_NAME'],
    [
      'a destination with a wrong name',
      'copyObject',
      { source: object, destination: { name: 'a/b' } },
      'INVALID_OBJECT_NAME',
    ],
    [
      'a destination with a wrong prefix',
      'copyObject',
      { source: object, destination: { name: 'a', prefix: '/' } },
      'INVALID_OBJECT_PREFIX',
    ],
    [
      'a destination with a wrong visibility',
      'copyObject',
      { source: object, destination: { name: 'a', private: 'x' } },
      'INVALID_DESTINATION',
    ],
    ['a wrong move', 'copyObject', { source: object, destination: { name: 'a' }, move: 1 }, 'INVALID_MOVE'],
    ['no source', 'copyObject', { destination: { name: 'a' } }, 'INVALID_OBJECT'],
    [
      'a wrong extension in a list',
      'createUploadToken',
      { allowed_extensions: ['png', '.PNG'] },
      'INVALID_ALLOWED_EXTENSIONS',
    ],
    ['a number out of range', 'createUploadToken', { max_uses: 101 }, 'INVALID_MAX_USES'],
    ['a number as text', 'createUploadToken', { max_uses: '1' }, 'INVALID_MAX_USES'],
    ['a fraction', 'createUploadToken', { max_uses: 1.5 }, 'INVALID_MAX_USES'],
    ['no id', 'deleteShare', {}, 'INVALID_SHARE'],
  ])('refuses %s (%s %j) with %s', async (_what, operationId, body, code) => {
    expect(await codeOf(operationId, { body })).toBe(code);
  });

  it('reports the first wrong field in the order of the contract, not of the body', async () => {
    expect(await codeOf('copyObject', { body: { destination: { name: 'a/b' }, source: 7 } })).toBe('INVALID_OBJECT');
    expect(await codeOf('copyObject', { body: { move: 1, destination: { name: 'a/b' }, source: object } })).toBe(
      'INVALID_OBJECT_NAME',
    );
  });

  it('treats the key __proto__ as a plain key', async () => {
    const { body } = await check('deleteObjects', {
      body: JSON.parse(`{"__proto__":{"objects":["x"]},"object":"${object}"}`),
    });
    expect((body as { objects?: unknown }).objects).toBeUndefined();
  });
});

describe('RequestValidator.validate()', () => {
  it('keeps concurrent requests apart', async () => {
    const found = await Promise.all(
      Array.from({ length: 200 }, (_, number) =>
        check('listObjects', { search: `limit=${number + 1}&prefix=p${number}` }),
      ),
    );
    expect(found.map(({ query }) => query)).toEqual(
      Array.from({ length: 200 }, (_, number) => ({ limit: number + 1, prefix: `p${number}` })),
    );
  });

  it('passes on path parameters unchanged', async () => {
    expect((await check('revokeKey', { path: { id: 'abc' } })).path).toMatchObject({ id: 'abc' });
  });
});
