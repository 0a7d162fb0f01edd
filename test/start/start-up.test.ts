import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { startProgram, temporaryFolder } from './program.ts';

/** Returns a module that writes down the URL of every module that a program loads. */
const lister = (file: string) => `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    appendFileSync(${JSON.stringify(file)}, url + '\\n');
    return next(url, context);
  },
});
`;

/** Returns the packages and the project files that have been loaded so far. */
async function loaded(file: string): Promise<string[]> {
  const urls = (await readFile(file, 'utf8')).trim().split('\n');
  return [...new Set(urls.map((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? url))];
}

describe('the start of the server', () => {
  it('loads only what it needs: no validators, tokenizer, HTTP client, command line or operations of S3', async () => {
    const folder = await temporaryFolder();
    const [preload, list] = [join(folder, 'lister.mjs'), join(folder, 'modules.txt')];
    await writeFile(preload, lister(list));
    const dataDir = join(folder, 'data');
    await mkdir(dataDir, { mode: 0o700 });
    const server = await startProgram({ dataDir, env: { NODE_OPTIONS: `--import=${pathToFileURL(preload)}` } });
    expect((await fetch(`${server.api}/readyz`)).status).toBe(200);
    const atStart = await loaded(list);
    expect(atStart).toContain('express');
    const late = ['express-openapi-validator', 'ajv', 'gpt-tokenizer', 'undici', 'fast-xml-parser', 'commander'];
    expect(atStart.filter((name) => late.includes(name))).toEqual([]);
    expect(atStart.filter((url) => url.includes('/s3/door/operations/'))).toEqual([]);

    // The first operation with something to validate loads the validator.
    expect((await fetch(`${server.api}/v1/objects?limit=0`)).status).toBe(401);
    const [, key] = /key +(cbk_\w+)/.exec(server.stdout())!;
    const refused = await fetch(`${server.api}/v1/objects?limit=0`, { headers: { Authorization: key! } });
    expect(refused.status).toBe(400);
    expect(await loaded(list)).toContain('express-openapi-validator');
    await server.stop('SIGINT');
  });
});

describe('the command line', () => {
  const main = join(import.meta.dirname, '../../server/cli/main.js');
  const groups = ['account/create.ts', 'key/create.ts', 'apps/commands/list.ts', 'purges/list.ts'];

  it.each<[args: string[], loads: string[]]>([
    [['--help'], []],
    [['--version'], []],
    [['app', 'list', '--help'], ['apps/commands/list.ts']],
    [['help', 'key'], ['key/create.ts']],
    [['--json', 'purges', '--help'], ['purges/list.ts']],
    [['completion', 'bash'], groups],
  ])('loads the commands of the groups that it needs: %j', async (args, loads) => {
    const folder = await temporaryFolder();
    const [preload, list] = [join(folder, 'lister.mjs'), join(folder, 'modules.txt')];
    await writeFile(preload, lister(list));
    execFileSync(process.execPath, ['--import', pathToFileURL(preload).href, main, ...args]);
    const urls = await loaded(list);
    expect(groups.filter((group) => urls.some((url) => url.endsWith(group)))).toEqual(loads);
  });
});

describe.skipIf(process.platform === 'win32')('compiled modules', () => {
  const url = pathToFileURL(join(import.meta.dirname, '../../server/compile-cache.js'));
  /** Returns whether a process keeps its compiled modules in the folder. */
  const areKept = (folder: string): boolean => {
    const script = `import { keepCompiled } from '${url}'; console.log(keepCompiled(${JSON.stringify(folder)}));`;
    const env = { PATH: process.env.PATH };
    return (
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }) === 'true\n'
    );
  };

  it('are kept in a folder that is created for this user only', async () => {
    const folder = join(await temporaryFolder(), 'cache/cubby');
    expect(areKept(folder)).toBe(true);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('are not kept, without an error, when others may write to the folder or it cannot be created', async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o777);
    expect(areKept(folder)).toBe(false);
    expect(await readdir(folder)).toEqual([]);
    expect(areKept('/dev/null/cubby')).toBe(false);
  });
});

describe('resolveOwnFiles()', () => {
  const { href } = pathToFileURL(join(import.meta.dirname, '../../server/compile-cache.js'));
  const resolved = (specifiers: readonly string[]) => {
    const script = `import { resolveOwnFiles } from '${href}'; resolveOwnFiles();
      console.log(JSON.stringify(${JSON.stringify(specifiers)}.map((one) => import.meta.resolve(one))))`;
    const args = ['--input-type=module', '-e', script];
    return JSON.parse(execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' })) as string[];
  };

  it('finds the files of this project and packages as Node does', () => {
    const found = resolved(['#server/log.ts', '#test/start/program.ts', './program.ts', '../../server/log.ts', 'pino']);
    const [log, program] = [import.meta.resolve('#server/log.ts'), import.meta.resolve('./program.ts')];
    expect(found).toEqual([log, program, program, log, import.meta.resolve('pino')]);
  });

  it('finds files as new URL() does, whatever dots they begin with', async () => {
    const specifiers = ['./b.ts', '../b.ts', '../../b.ts', '../c/b.ts', './c/d/b.ts'];
    const parent = 'file:///project/server/c/d/parent.ts';
    const script = `import { resolveOwnFiles } from '${href}'; resolveOwnFiles();
      console.log(JSON.stringify(${JSON.stringify(specifiers)}.map((one) => import.meta.resolve(one, '${parent}'))))`;
    const args = ['--experimental-import-meta-resolve', '--input-type=module', '-e', script];
    const found = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[];
    expect(found).toEqual(specifiers.map((one) => new URL(one, parent).href));
  });

  it('knows every subpath import of the package', async () => {
    const { imports } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'));
    for (const [name, path] of Object.entries(imports)) expect(path).toBe(`./${name.slice(1)}`);
  });
});
