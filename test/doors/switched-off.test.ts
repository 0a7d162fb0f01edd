import { expect, it } from 'vitest';

import { pagesNoting, switchedOff } from '#server/doors/api/switched-off.ts';
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
- [Files](http://localhost:7400/docs/reference/objects.md)
- [Chat](http://localhost:7400/docs/reference/chat.md)
- [Only chat](http://localhost:7400/docs/contract/chat.json)
- [Only objects](http://localhost:7400/docs/contract/objects.json)
`;

it('switchedOff() returns the operations without a handler, and the tags that have no other', () => {
  expect(off.operations).toContain('createChatCompletion');
  expect(off.operations).not.toContain('listObjects');
  expect([...off.tags]).toEqual(['chat']);
});

it('pagesNoting() leaves out of llms.txt what is switched off', () => {
  expect(pagesNoting(off)(llms, 'llms.txt')).toBe(`# Cubby

> About.
> Switched off on this server: chat.

- [Files](http://localhost:7400/docs/reference/objects.md)
- [Only objects](http://localhost:7400/docs/contract/objects.json)
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
