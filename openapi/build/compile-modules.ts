import { execFile, spawn } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** Texts by their paths within `dist/modules/`. */
export type Files = Map<string, string>;

/** The folders with TypeScript, and the folders of their modules. */
export const compiled = { uploader: 'uploader', 'mocks/consumer': 'mocks' };

/** Returns the files of a pattern, as paths from the root, in order. */
export async function sources(pattern: string): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob(pattern, { cwd: root })) found.push(path.replaceAll('\\', '/'));
  return found.sort();
}

/** Points the imports of a module at the modules beside it, by relative paths with `.js`. */
function withOwnPaths(path: string, text: string): string {
  return text
    .replaceAll(/(?<=(?:from|import\() ?')#dist\/modules\/([^']+)(?=')/g, (_, target: string) => {
      const relative = posix.relative(posix.dirname(path), target);
      return relative.startsWith('.') ? relative : `./${relative}`;
    })
    .replaceAll(/((?:from|import\(|import) ?'\.[^']*)\.ts'/g, "$1.js'");
}

/** Removes the types from TypeScript. What is left of them at the ends of lines goes too. */
async function withoutTypes(texts: readonly string[]): Promise<string[]> {
  const program = join(import.meta.dirname, 'strip-types.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(texts));
  const stripped = (await json(child.stdout)) as readonly string[];
  return stripped.map((text) => {
    const trimmed = text.replaceAll(/[ \t]+$/gm, '').replaceAll(/\n{3,}/g, '\n\n');
    return trimmed.trim() === '' ? 'export {};\n' : trimmed.trimStart();
  });
}

/** Makes the modules of the folders without a compiler. */
export async function stripped(): Promise<Files> {
  const typed: Files = new Map();
  for (const [from, to] of Object.entries(compiled))
    for (const source of await sources(`${from}/{*,demo/*,element/*}.ts`)) {
      const path = to + source.slice(from.length);
      if (!path.endsWith('.d.ts')) typed.set(path, withOwnPaths(path, await readFile(join(root, source), 'utf8')));
    }
  const texts = await withoutTypes([...typed.values()]);
  return new Map([...typed.keys()].map((path, at) => [path.replace(/\.ts$/, '.js'), texts[at]!]));
}

/** Compiles a folder. */
export async function compile(folder: string, to: string, work: string): Promise<Files> {
  const outDir = join(work, 'compiled', to);
  const tsc = join(root, 'node_modules/.bin/tsc');
  await run(tsc, ['-p', join(folder, 'tsconfig.json'), '--outDir', outDir], { cwd: root }).catch(
    ({ stdout, message }: Error & { stdout?: string }) => {
      throw new Error(`dist/modules/${to} could not be compiled: ${stdout ?? message}`);
    },
  );
  const files: Files = new Map();
  for await (const path of glob('**/*.{js,d.ts}', { cwd: outDir })) {
    const name = `${to}/${path.replaceAll('\\', '/')}`;
    files.set(name, withOwnPaths(name, await readFile(join(outDir, path), 'utf8')));
  }
  return files;
}
