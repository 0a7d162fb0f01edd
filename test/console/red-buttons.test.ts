import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../console');

/** Every element of the console that is, or can be, a red button, as it is written. */
const red = globSync('**/*.tsx', { cwd: root }).flatMap((name) =>
  [...readFileSync(join(root, name), 'utf8').matchAll(/<\w*Button\b(?:[^<>]|=>)*'?"?danger"?'?(?:[^<>]|=>)*>/g)].map(
    ([text]) => [name, text.replace(/\s+/g, ' ')] as const,
  ),
);

it('there are red buttons', () => {
  expect(red.map(([name]) => name)).toEqual(
    expect.arrayContaining(['ui/confirm.tsx', 'screens/trash/empty-dialog.tsx', 'screens/files/selection-bar.tsx']),
  );
});

it.each(red)('the red button of %s does not ask for the focus: %s', (_name, text) => {
  const [, condition] = /kind=\{(\w+) \? 'danger'/.exec(text) ?? [];
  const autofocus = /\bautofocus(?:=\{([^}]*)\})?/i.exec(text);
  // A button that is red on a condition may ask for it otherwise.
  if (autofocus) expect(autofocus[1]).toBe(`!${condition}`);
});

/** The dialogs with a red button, as they are written. */
const dialogs = [...new Set(red.map(([name]) => name))]
  .map((name) => [name, readFileSync(join(root, name), 'utf8').replace(/\s+/g, ' ')] as const)
  .filter(([, text]) => /<Dialog\b/.test(text));

it.each(dialogs)('the dialog of %s focuses what does nothing', (_name, text) => {
  const [first] = /actions=\{ <> <Button\b(?:[^<>]|=>)*>/.exec(text)!;
  expect(first).toMatch(/\bautofocus\b/);
});
