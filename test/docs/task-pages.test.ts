import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { chat } from '#server/features/chat/feature.ts';

const root = join(import.meta.dirname, '../..');
const pages = globSync(
  ['docs/{operating,ai,start/frameworks}{.md,/*.md}', 'docs/{faq,glossary,limits,troubleshooting,from-*}.md'],
  { cwd: root },
).toSorted();

it.each(pages)('%s says first what its reader will have, and last where to go on', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  expect(text).toMatch(/^# .+\n\n[^#`|-]/);
  expect(text.slice(text.lastIndexOf('\n## '))).toMatch(/^\n## Where to go from here\n\n- [^]*\]\([^)]+\.md/);
});

// Its tables are made of all operations.
it.each(pages.filter((page) => page !== 'docs/limits.md'))('%s has at most 1,500 words', (page) => {
  expect(readFileSync(join(root, page), 'utf8').split(/\s+/).length).toBeLessThanOrEqual(1500);
});

it('the frequent questions are 25, each with an answer and a page', () => {
  const [, ...sections] = readFileSync(join(root, 'docs/faq.md'), 'utf8').split(/^### /m);
  expect(sections.length).toBe(25);
  expect(sections.filter((section) => !/\?\n\n[^]+\]\([^)]+\.md/.test(section))).toEqual([]);
});

it('the first page of the repository has at most 120 lines, one picture, and ten lines to the first file', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  expect(text.match(/!\[[^\]]+\]\(|<img /g)).toHaveLength(1);
  expect(/^```sh\n([^]*?)\n```$/m.exec(text)![1]!.split('\n').length).toBeLessThanOrEqual(10);
});

it('a server without the AI gateway lists none of its pages', () => {
  const own = pages.flatMap((page) => /^docs\/(ai\b.*)\.md$/.exec(page)?.[1] ?? []);
  expect(chat.pages).toEqual(expect.arrayContaining(own));
});
