import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it, onTestFinished } from 'vitest';

import { needPackages } from '#test/support/need-programs.ts';
import { folderOfGroup, placeOf } from '#test/support/packages.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** The packages whose types a program in a framework needs. */
const packages = {
  react: ['@types/react', 'csstype'],
  preact: ['preact'],
  solid: ['solid-js', 'csstype', 'seroval', 'seroval-plugins'],
} as const;

/**
 * Compiles a program in its own folder with Cubby and one framework installed. Resolves with the output of the
 * compiler.
 */
async function compile(framework: keyof typeof packages, source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-jsx-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const modules = join(folder, 'node_modules');
  for (const name of ['uploader', 'client'])
    await cp(join(root, 'dist/modules', name), join(modules, 'cubby-server/dist/modules', name), { recursive: true });
  await cp(join(root, 'package.json'), join(modules, 'cubby-server/package.json'));
  for (const name of packages[framework]) {
    await mkdir(join(modules, name, '..'), { recursive: true });
    const own = placeOf(name);
    await symlink(existsSync(own) ? own : join(folderOfGroup('browser'), 'node_modules', name), join(modules, name));
  }
  await writeFile(join(folder, 'page.tsx'), source);
  const jsxImportSource = framework === 'solid' ? 'solid-js' : framework;
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
    skipLibCheck: true,
    preserveSymlinks: true,
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['page.tsx'] }));
  return run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).then(
    () => '',
    ({ stdout }) => String(stdout),
  );
}

const page = (framework: string, on: string) => `import 'cubby-server/uploader/${framework}';
export const right = (
  <cubby-upload
    token-url="/t" max-size="10MB" multiple paste="page" ref={(element) => void element?.pauseAll()}
    keep-existing={false} private={true} hidden-files
    ${on}uploaded={({ detail }) => void detail.uploaded.id.length}
  />
);
export const wrong = <cubby-upload paste="never" />;
export const wrongToo = <cubby-upload ${on}failed={({ detail }) => void detail.error.kode} />;
export const noFlag = <cubby-upload overwrite={false} />;
const element = document.querySelector('cubby-upload')!;
element.maxSize = 10;
element.prefix = 'inbox';
element.keepExisting = 'yes';
element.addEventListener('progress', ({ detail }) => void detail.sentBytes.toFixed());
element.addEventListener('click', (event) => void event.clientX.toFixed());
element.addEventListener('finished', ({ detail }) => void detail.percent);
`;

it.each([
  ['react', 'on'],
  ['preact', 'on'],
  ['solid', 'on:'],
] as const)('the element and its events have types in the JSX of %s', async (framework, on) => {
  needPackages('@types/react', 'solid-js');
  const said = await compile(framework, page(framework, on));
  const mistakes = said.split('\n').filter((line) => /^\S/.test(line));
  expect(mistakes, said).toHaveLength(5);
  expect(mistakes[0]).toMatch(/page\.tsx\(9,.*TS2322.*"never"/);
  expect(mistakes[1]).toMatch(/page\.tsx\(10,.*'kode' does not exist on type 'UploadError'/);
  expect(mistakes[2]).toMatch(/page\.tsx\(11,.*'\{ overwrite: boolean; \}' is not assignable/);
  expect(mistakes[3]).toMatch(/page\.tsx\(15,.*'string' is not assignable to type 'boolean'/);
  expect(mistakes[4]).toMatch(/page\.tsx\(18,.*'percent' does not exist on type 'TotalProgress'/);
});
