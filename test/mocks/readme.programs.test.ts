import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { mockConfig } from '#mocks/mock/settings.ts';
import { settingLines } from '#mocks/own-settings.ts';
import { programEnv, run } from '#test/support/command.ts';
import { because, noProgram } from '#test/support/programs.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'mocks/README.md'), 'utf8');
const [, aboutMock = ''] = /^## The mock$([^]*?)^## The sandbox$/m.exec(readme)!;

/** A command of the README. */
interface Documented {
  readonly command: string;
  /** The comment behind it: the status of the response, and words of it. Other comments promise a success. */
  readonly promise: string | undefined;
}

const curls: readonly Documented[] = [...aboutMock.matchAll(/^```sh\n([^]*?)^```$/gm)]
  .flatMap(([, block]) => block!.replaceAll(/\\\n\s*/g, '').split('\n'))
  .filter((line) => line.startsWith('curl '))
  .map((line) => {
    const [, command, promise] = /^(.*?)(?:\s+# (.*))?$/.exec(line)!;
    return { command: command!, promise };
  });

let mock: ChildProcess;
let printed = '';
let url: string;
beforeAll(async () => {
  mock = spawn(process.execPath, [join(root, 'mocks/mock.ts')], {
    cwd: root,
    env: { ...programEnv, CUBBY_MOCK_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  mock.stdout!.setEncoding('utf8').on('data', (text: string) => (printed += text));
  while (!printed.includes('Ctrl+C') && mock.exitCode === null) await once(mock.stdout!, 'data');
  url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)![0];
});
afterAll(async () => {
  if (mock.exitCode === null && mock.kill()) await once(mock, 'exit');
});

/** Runs a curl command against the mock. Returns the status, and the headers and the body as text. */
async function responseTo(command: string): Promise<{ readonly status: number; readonly text: string }> {
  const own = command.replaceAll('http://127.0.0.1:7410', url).replace(/^curl /, "curl -s -w '\\n%{http_code}' ");
  const { output } = await run('bash', ['-c', own], root);
  return { status: Number(output.slice(-3)), text: output.slice(0, -4) };
}

describe('the program with the typed client in mocks/README.md', () => {
  it('lists files, and gets the error that it asks for', async () => {
    const [, program] = /^```ts\n(import \{ listObjects, uploadObject \}[^]*?)^```$/m.exec(readme)!;
    const file = join(root, 'dist', `readme-client-${process.pid}.mts`);
    await mkdir(join(root, 'dist'), { recursive: true });
    await writeFile(file, program!.replace('http://127.0.0.1:7410', url));
    try {
      const { exitCode, output } = await run(process.execPath, [file], root);
      expect([exitCode, output]).toEqual([0, expect.stringMatching(/^pub\/\S+ \d+\n[^]*\nOBJECT_ALREADY_EXISTS\n$/)]);
    } finally {
      await rm(file, { force: true });
    }
  });
});

const missing = noProgram('bash', 'curl');

describe.skipIf(missing)(`the commands of mocks/README.md${because(missing)}`, () => {
  it.each(curls.map(({ command, promise }) => [command, promise] as const))('%s', async (command, promise) => {
    const [, status, words = ''] = /^(\d{3}) ?(.*)$/.exec(promise ?? '') ?? [];
    const got = await responseTo(command);
    if (status === undefined) expect(got.status, got.text).toBeLessThan(300);
    else expect([got.status, got.text]).toEqual([Number(status), expect.stringContaining(words)]);
  });

  it('that play in a story store the first upload and refuse the second', async () => {
    const [, loop] = /^(for count in [^]*?^done)$/m.exec(aboutMock)!;
    const { output } = await run('bash', ['-c', loop!.replaceAll('http://127.0.0.1:7410', url)], root);
    expect(output).toMatch(/"status":"success"[^]*"code":"UPLOAD_TOKEN_USED"/);
  });

  it('are those that `npm run mock` prints, which listens on 7410', async () => {
    for (const [command] of printed.replaceAll(/\\\n\s*/g, '').matchAll(/curl .*/g))
      expect((await responseTo(command)).status, command).toBeLessThan(command.includes('code=') ? 410 : 300);
    expect(readFileSync(join(root, 'mocks/mock.ts'), 'utf8')).toContain("CUBBY_MOCK_PORT = '7410'");
  });
});

it('`npm run mock` prints in what it differs from a server without settings', () => {
  for (const line of settingLines(mockConfig)) expect(printed).toContain(`\n  ${line}\n`);
});
