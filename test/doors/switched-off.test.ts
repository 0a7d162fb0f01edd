import { expect, it } from 'vitest';

import { contractWithout, pagesNoting, switchedOff } from '#server/doors/api/switched-off.ts';
import { policies } from '#generated/policies.ts';

const handlers = Object.fromEntries(
  Object.entries(policies)
    .filter(([, { tag }]) => tag !== 'chat')
    .map(([id]) => [id, () => {}]),
);
const off = switchedOff([{ name: 'chat', pages: ['ai'] }], handlers);
const llms = `# Cubby

> About.

- [AI](http://localhost:7400/docs/ai.md)
- [Files](http://localhost:7400/docs/reference/files.md)
- [Chat](http://localhost:7400/docs/reference/chat.md)
- [Only chat](http://localhost:7400/docs/contract/chat.json)
- [Only objects](http://localhost:7400/docs/contract/files.json)
`;

it('switchedOff() returns the operations without a handler, and the tags that have no other', () => {
  expect(off.operations).toContain('createChatCompletion');
  expect(off.operations).not.toContain('listObjects');
  expect([...off.tags]).toEqual(['chat']);
});

it('contractWithout() leaves out fields of the features, and examples that show nothing else', () => {
  const preset = { type: 'object', properties: { name: { type: 'string' }, size: { 'x-feature': 'chat' } } };
  const example = (value: object) => ({ value });
  const contract = () => ({
    paths: {
      '/v1/things': {
        put: {
          operationId: 'replaceThings',
          content: {
            schema: { $ref: '#/components/schemas/Things' },
            examples: {
              both: example({ plain: [{ name: 'a', size: 1 }], model: 'b' }),
              one: example({ model: 'b' }),
              none: example({}),
              named: { $ref: '#/components/examples/named' },
            },
          },
        },
      },
    },
    tags: [],
    components: {
      schemas: {
        Things: {
          allOf: [{ $ref: '#/components/schemas/Plain' }],
          required: ['model', 'plain'],
          properties: {
            model: { 'x-feature': 'chat', $ref: '#/components/schemas/Model' },
            id: { 'x-feature': 'apps' },
          },
        },
        Plain: { properties: { plain: { items: preset } } },
        Model: { type: 'string' },
      },
      examples: { named: example({ id: 1, model: 'b' }) },
    },
  });
  const { paths, components } = contractWithout(contract(), off) as any;
  expect(paths['/v1/things'].put.content.examples).toEqual({
    both: example({ plain: [{ name: 'a' }] }),
    none: example({}),
    named: { $ref: '#/components/examples/named' },
  });
  expect(components.examples.named).toEqual(example({ id: 1 }));
  expect(components.schemas).toEqual({
    Things: {
      allOf: [{ $ref: '#/components/schemas/Plain' }],
      required: ['plain'],
      properties: { id: { 'x-feature': 'apps' } },
    },
    Plain: { properties: { plain: { items: { type: 'object', properties: { name: { type: 'string' } } } } } },
  });
  expect(contractWithout(contract(), switchedOff([], policies))).toEqual(contract());
});

it('contractWithout() leaves out codes of the features, and responses and vocabularies that had them', () => {
  const example = { value: { code: 'A' } };
  const text = (...codes: string[]) => ({
    content: { 'text/plain': { 'x-codes': codes, examples: Object.fromEntries(codes.map((code) => [code, {}])) } },
  });
  const json = (...codes: string[]) => ({
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Code' }, { properties: { code: { enum: codes } } }] },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  });
  const vocabulary = (...codes: string[]) => ({ enum: codes, 'x-enum-descriptions': codes.map((code) => `${code}!`) });
  const contract = {
    paths: {
      '/v1/things': {
        get: {
          operationId: 'listObjects',
          responses: { 400: json('CHAT', 'PLAIN'), 404: text('CHAT'), 409: json('CHAT') },
        },
        post: { operationId: 'createChatCompletion', responses: { 400: json('OF_OPERATION') } },
      },
    },
    tags: [],
    components: {
      schemas: { Code: vocabulary('CHAT', 'PLAIN', 'OF_OPERATION', 'IN_RESULTS') },
      examples: { CHAT: { 'x-feature': 'chat', ...example }, PLAIN: example, OF_OPERATION: example },
    },
  };
  expect(contractWithout(contract, off)).toEqual({
    paths: { '/v1/things': { get: { operationId: 'listObjects', responses: { 400: json('PLAIN') } } } },
    tags: [],
    components: { schemas: { Code: vocabulary('PLAIN', 'IN_RESULTS') }, examples: { PLAIN: example } },
  });
});

it('pagesNoting() leaves out of llms.txt what is switched off', () => {
  expect(pagesNoting(off)(llms, 'llms.txt')).toBe(`# Cubby

> About.
> Switched off on this server: chat.

- [Files](http://localhost:7400/docs/reference/files.md)
- [Only objects](http://localhost:7400/docs/contract/files.json)
`);
});

it('pagesNoting() says it at the top of every page', () => {
  const change = pagesNoting(off);
  expect(change('# Files', 'files.md')).toBe('> Switched off on this server: chat.\n\n# Files');
  expect(change('<body class="a"><div></div></body>', 'files.html')).toMatch(
    /<body class="a"><style>.*<\/style><p class="off-here">Switched off on this server: chat\.<\/p><div>/,
  );
  expect(change('const a = 1;', 'assets/a.js')).toBe('const a = 1;');
});

it('pagesNoting() changes nothing when all is on', () => {
  expect(pagesNoting(switchedOff([], policies))(llms, 'llms.txt')).toBe(llms);
});
