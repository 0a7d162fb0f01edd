import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

it('the package carries what users of the client, the uploader and the server need, and neither tests nor measurements', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root });
  const paths: string[] = JSON.parse(stdout)[0].files.map(({ path }: { readonly path: string }) => path);
  const needed = ['generated/client/index.js', 'generated/client/index.d.ts', 'generated/uploader/index.js', 'generated/uploader/element/element.d.ts', 'server/main.ts', 'server/cli/main.ts'];
  expect(paths).toEqual(expect.arrayContaining([...needed, 'openapi/build/docs.ts', 'docs/uploader.md', 'README.md', 'LICENSE']));
  expect(paths.filter((path) => /^(test|bench|\.ci|node_modules)\/|\.test\.ts$/.test(path))).toEqual([]);
});
