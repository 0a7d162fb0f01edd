import { expect, it } from 'vitest';

import { matching } from '#console/ui/matching.ts';

const entries = ['Usage', 'File requests', 'Files', 'Configurações'].map((label) => ({ label }));
const found = (text: string) => matching(entries, text).map(({ label }) => label);

it.each([
  ['', ['Usage', 'File requests', 'Files', 'Configurações']],
  ['file', ['File requests', 'Files']],
  ['req file', ['File requests']],
  ['configuracoes', ['Configurações']],
  ['nothing', []],
])('the palette finds for "%s" %j', (text, labels) => {
  expect(found(text)).toEqual(labels);
});
