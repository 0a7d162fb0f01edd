import { expect, it } from 'vitest';

import { areTabs, partsOf, withTabs } from '#openapi/build/pages/tabs.ts';
import { tabFor } from '#openapi/site/theme/tab-languages.ts';

const fence = (info: string, code: string) => `\`\`\`${info}\n${code}\n\`\`\`\n`;

it('blocks of different languages in a row become tabs, which are named after the languages', () => {
  const blocks = [fence('sh', 'curl a'), fence('js', 'await b'), fence('py', 'c()')];
  expect(withTabs(`Do it:\n\n${blocks.join('\n')}\nDone.\n`)).toBe(
    `Do it:\n\n::: code-group\n${fence('sh [curl]', 'curl a')}${fence('js [JavaScript]', 'await b')}${fence(
      'py [Python]',
      'c()',
    )}:::\n\nDone.\n`,
  );
});

it('names a shell without curl, and files, as they are', () => {
  const two = withTabs(`${fence('sh', 'aws s3 ls')}\n${fence('py', 'c()')}`);
  expect([...two.matchAll(/\[(.*)\]/g)].map(([, title]) => title)).toEqual(['Shell', 'Python']);
  const files = withTabs(`${fence('js [server.mjs]', 'a')}\n${fence('go [server.go]', 'b')}`);
  expect([...files.matchAll(/\[(.*)\]/g)].map(([, title]) => title)).toEqual(['server.mjs', 'server.go']);
});

it.each([
  ['a block alone', [['js']]],
  ['two of a language', [['js'], ['js']]],
  ['a language that nobody chooses', [['sh'], ['toml']]],
  ['a file and the command that runs it', [['js', 'a.mjs'], ['sh']]],
  [
    'a command that keeps running',
    [
      ['sh', 'keep running'],
      ['js', 'a b'],
    ],
  ],
] as const)('no tabs: %s', (_what, blocks) => {
  const made = blocks.map(([language, label]) => ({ language, label, code: '' }));
  expect(areTabs(made)).toBe(false);
  const text = made.map(({ language, label }) => fence(label ? `${language} [${label}]` : language, 'x')).join('\n');
  expect(withTabs(text)).toBe(text);
});

it('a text between two blocks separates them, and everything else stays as it is', () => {
  const text = `# A\n\n${fence('sh', 'curl a')}\nThen:\n\n${fence('js', 'b')}\n\n| c |\n|---|\n`;
  expect(partsOf(text)).toHaveLength(5);
  expect(withTabs(text)).toBe(text);
});

it('tabFor() prefers the same title, and then one of the same language', () => {
  expect(tabFor('fetch', ['curl', 'client', 'fetch'])).toBe(2);
  expect(tabFor('JavaScript', ['curl', 'client', 'fetch'])).toBe(1);
  expect(tabFor('fetch', ['curl', 'JavaScript', 'Python'])).toBe(1);
  expect(tabFor('Python', ['hooks.mjs', 'hooks.py', 'hooks.go', 'hooks.php'])).toBe(1);
  expect(tabFor('Shell', ['curl', 'Python'])).toBe(0);
  expect(tabFor('PHP', ['curl', 'Python'])).toBe(-1);
});
