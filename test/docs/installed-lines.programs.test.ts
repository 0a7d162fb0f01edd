import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { packClientPackage } from '#openapi/build/client-package.ts';
import { installLines } from './install-lines.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const { version, exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/** Without the variables of the process that started this test, as in a new shell. A person answers npx with "y". */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_(?!config_)|NODE_(ENV|OPTIONS|PATH|COMPILE_CACHE)|VITEST|CUBBY_)/.test(name),
    ),
  ),
  npm_config_yes: 'true',
  npm_config_prefer_offline: 'true',
};

const commands = new Set(installLines().map(({ command }) => command.replaceAll('VERSION', version)));
const named = (pattern: RegExp) => [...commands].filter((command) => pattern.test(command));

describe(
  'the lines of the documentation that install, with packages that are packed here',
  { timeout: 600_000 },
  () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'cubby-install-'));
      await run(process.execPath, [join(root, 'mocks/sandbox/bundle.ts')], { cwd: root });
      // The documentation and the console are built before all tests.
      await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: root, env });
      await packClientPackage(folder);
    }, 300_000);
    afterAll(() => rm(folder, { recursive: true, force: true }));

    /** A project with the packages in its folder. */
    async function project(name: string): Promise<string> {
      const place = join(folder, name);
      await mkdir(place);
      await writeFile(join(place, 'package.json'), '{ "name": "project", "private": true, "type": "module" }');
      for (const half of ['server', 'client'])
        await copyFile(join(folder, `cubby-${half}-${version}.tgz`), join(place, `cubby-${half}-${version}.tgz`));
      return place;
    }
    const shell = (cwd: string, command: string) => run('sh', ['-c', command], { cwd, env });

    it('install the client, and all that it exports can be imported', async () => {
      const [command, ...more] = named(/^npm install .*cubby-client/);
      expect(more).toEqual([]);
      const place = await project('client');
      await shell(place, command!);
      for (const name of ['cubby-client', 'cubby-client/uploader', 'cubby-client/element'])
        await run('node', ['-e', `import('${name}')`], { cwd: place, env });
    });

    it('install the server, whose command, exports and sandbox work', async () => {
      const lines = named(/^npm install .*cubby-server/);
      expect(lines.length).toBeGreaterThan(1);
      const place = await project('server');
      for (const line of lines) await shell(place, line);
      for (const name of Object.keys(exports).filter((name) => !/react|preact|solid/.test(name)))
        await run('node', ['-e', `import('cubby-server${name.slice(1)}')`], { cwd: place, env });
      for (const line of named(/^npx cubby .*/).filter((line) => !line.includes('…'))) {
        const { stdout } = await shell(place, `${line} --help`);
        expect(stdout, line).toMatch(/^Usage: cubby/);
      }
    });

    it('run the server from its file, in an empty folder', async () => {
      const lines = named(/^npx -p /);
      expect(lines).toHaveLength(1);
      const { stdout } = await shell(await project('npx'), `${lines[0]} help`);
      expect(stdout).toMatch(/^Usage: cubby/);
    });

    it('install packages of others, which the registry has in these versions', async () => {
      const place = await project('others');
      for (const line of named(/^npm install (?!.*(cubby-|--prefix|--omit))/))
        if (!/^npm install --no-save$/.test(line)) await shell(place, `${line} --dry-run --ignore-scripts`);
    });
  },
);
