import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** The shape of `@types/react` 19: the module is a namespace with JSX in it. */
const react = `export = React;
export as namespace React;
declare namespace React {
  interface Attributes { key?: string }
  interface ClassAttributes<T> extends Attributes { ref?: (instance: T | null) => void }
  interface HTMLAttributes<T> { className?: string; onClick?: (event: { currentTarget: T }) => void }
  type DetailedHTMLProps<E, T> = ClassAttributes<T> & E;
  namespace JSX { interface Element {} interface IntrinsicElements { div: DetailedHTMLProps<HTMLAttributes<HTMLDivElement>, HTMLDivElement> } }
}`;
const reactRuntime = `import * as React from './';
export namespace JSX { interface Element extends React.JSX.Element {} interface IntrinsicElements extends React.JSX.IntrinsicElements {} }
export function jsx(...args: unknown[]): JSX.Element;
export const jsxs: typeof jsx;`;
/** The shape of solid-js 1.9. */
const solid = `export namespace JSX {
  type Element = unknown;
  interface HTMLAttributes<T> { class?: string; ref?: T | ((instance: T) => void) }
  interface IntrinsicElements { div: HTMLAttributes<HTMLDivElement> }
}
export function jsx(...args: unknown[]): JSX.Element;`;

/**
 * Compiles a program in its own folder with Cubby and one framework installed. Resolves with the output of the
 * compiler.
 */
async function compile(framework: 'react' | 'preact' | 'solid', source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-jsx-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const modules = join(folder, 'node_modules');
  for (const name of ['uploader', 'client'])
    await cp(join(root, 'generated', name), join(modules, 'cubby/generated', name), { recursive: true });
  await cp(join(root, 'package.json'), join(modules, 'cubby/package.json'));
  const write = async (path: string, text: string) => {
    await mkdir(join(modules, path, '..'), { recursive: true });
    await writeFile(join(modules, path), text);
  };
  if (framework === 'preact') await cp(join(root, 'node_modules/preact'), join(modules, 'preact'), { recursive: true });
  if (framework === 'react') {
    await write('react/package.json', JSON.stringify({ name: 'react', types: 'index.d.ts' }));
    await write('react/index.d.ts', react);
    await write('react/jsx-runtime.d.ts', reactRuntime);
  }
  if (framework === 'solid') {
    await write(
      'solid-js/package.json',
      JSON.stringify({ name: 'solid-js', exports: { './jsx-runtime': { types: './jsx.d.ts' } } }),
    );
    await write('solid-js/jsx.d.ts', solid);
  }
  await writeFile(join(folder, 'page.tsx'), source);
  const jsxImportSource = framework === 'solid' ? 'solid-js' : framework;
  // Checking the libraries too finds no error in this one.
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    types: [],
    jsx: 'react-jsx',
    jsxImportSource,
    skipLibCheck: false,
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['page.tsx'] }));
  return run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).then(
    () => '',
    ({ stdout }) => String(stdout),
  );
}

const page = (framework: string, on: string) => `import 'cubby-server/uploader/${framework}';
export const right = <cubby-upload token-url="/t" max-size="10MB" multiple paste="page" ref={(element) => void element?.pauseAll()} ${on}uploaded={({ detail }) => void detail.uploaded.id.length} />;
export const wrong = <cubby-upload paste="never" />;
export const wrongToo = <cubby-upload ${on}failed={({ detail }) => void detail.error.kode} />;
const element = document.querySelector('cubby-upload')!;
element.addEventListener('progress', ({ detail }) => void detail.sentBytes.toFixed());
element.addEventListener('click', (event) => void event.clientX.toFixed());
element.addEventListener('finished', ({ detail }) => void detail.percent);
`;

it.each([
  ['react', 'on'],
  ['preact', 'on'],
  ['solid', 'on:'],
] as const)('the element and its events have types in the JSX of %s', async (framework, on) => {
  const said = await compile(framework, page(framework, on));
  const mistakes = said.split('\n').filter((line) => /^\S/.test(line));
  expect(mistakes, said).toHaveLength(3);
  expect(mistakes[0]).toMatch(/page\.tsx\(3,.*TS2322.*"never"/);
  expect(mistakes[1]).toMatch(/page\.tsx\(4,.*'kode' does not exist on type 'UploadError'/);
  expect(mistakes[2]).toMatch(/page\.tsx\(8,.*'percent' does not exist on type 'TotalProgress'/);
});
