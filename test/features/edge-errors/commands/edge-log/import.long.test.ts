import { execFileSync } from 'node:child_process';
import { appendFile, copyFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cubbyHere, cubbyOver, temporaryFolder } from '#test/cli/cubby.ts';
import { normalisePath } from '#server/features/edge-errors/normalise-path.ts';
import type { SampleError } from '#test/support/edge-errors.ts';
import { caddyLine, nginxLine, traefikLine } from './log-lines.ts';
import { openLogs } from './logs.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const at = Date.parse('2026-04-21T09:30:00Z');
const error = (change: Partial<SampleError> = {}): SampleError => ({
  at,
  status: 502,
  method: 'GET',
  path: '/a',
  ...change,
});
const lines = (errors: readonly SampleError[], line = nginxLine) => errors.map((one) => `${line(one)}\n`).join('');

describe('cubby edge-log import', () => {
  it.each([
    ['nginx', nginxLine],
    ['caddy', caddyLine],
    ['traefik', traefikLine],
  ] as const)('counts the errors of a %s log', async (format, line) => {
    const { cubby, args, file, counted } = await openLogs();
    const errors = [
      error({ path: '/a?b' }),
      error({ status: 404, path: '/users/123' }),
      error({ status: 200 }),
      error({ status: 302 }),
      error({ at: at + 60_000 }),
    ];
    const path = await file(`${lines(errors, line)}\n`);
    expect(await cubby.json(...args, '--format', format, path)).toEqual({
      lines: 6,
      errors: 3,
      bad: 0,
      files: [{ file: path, lines: 6, errors: 3, bad: 0, first_bad: [] }],
      failed: [],
    });
    expect(await counted()).toEqual({
      '502 GET /a 04-21T09:30:00': 1,
      '404 GET /users/:id 04-21T09:30:00': 1,
      '502 GET /a 04-21T09:31:00': 1,
    });
  });

  it('stores the same as counting line by line', async () => {
    const { cubby, app, args, counted } = await openLogs();
    const folder = await temporaryFolder();
    const sample = fc.record({
      at: fc.integer({ min: at, max: at + 3 * 86_400_000 }),
      status: fc.constantFrom(200, 404, 500, 503),
      method: fc.constantFrom('GET', 'POST', 'BREW'),
      path: fc.oneof(fc.webPath(), fc.constantFrom('/', '/a', '/b?c')),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(sample, fc.constantFrom(nginxLine, caddyLine, traefikLine)), {
          maxLength: isLong ? 200 : 60,
        }),
        fc.boolean(),
        async (entries, isPacked) => {
          const appId = await app();
          const path = join(folder, String(++run));
          const text = entries.map(([one, line]) => `${line(one)}\n`).join('');
          await writeFile(path, isPacked ? gzipSync(text) : text);
          const expected: Record<string, number> = {};
          for (const [{ at: instant, status, method, path: target }] of entries.filter(
            ([{ status }]) => status >= 400,
          )) {
            const key =
              `${status} ${method === 'BREW' ? 'OTHER' : method} ${normalisePath(target)} ` +
              `${new Date(instant).toISOString().slice(5, 19)}`;
            expected[key] = (expected[key] ?? 0) + 1;
          }
          await cubby.json(...args.slice(0, 3), appId, path);
          expect(await counted(appId)).toEqual(expected);
        },
      ),
      { numRuns: isLong ? 100 : 15 },
    );
  });

  it('counts nothing twice: in a file that has grown, only the new lines', async () => {
    const { cubby, args, file, total } = await openLogs();
    const path = await file(lines([error(), error()]));
    const errorsOf = async (...paths: string[]) => (await cubby.json(...args, ...paths)).errors;
    expect([await errorsOf(path), await errorsOf(path)]).toEqual([2, 0]);
    await appendFile(path, lines([error()]));
    expect([await errorsOf(path), await errorsOf(path), await total()]).toEqual([1, 0, 3]);
  });

  it.each([
    ['renamed', async (path: string) => (await rename(path, `${path}.1`), `${path}.1`)],
    ['copied', async (path: string) => (await copyFile(path, `${path}.1`), `${path}.1`)],
    ['compressed', async (path: string, text: string) => (await writeFile(`${path}.gz`, gzipSync(text)), `${path}.gz`)],
  ])('recognises a log that was %s, and continues where it ended', async (_, change) => {
    const { cubby, args, file, total } = await openLogs();
    const text = lines(
      Array.from({ length: 200 }, (__, index) => error({ path: `/${'x'.repeat(index % 50)}`, at: at + index })),
    );
    const path = await file(text);
    await cubby.json(...args, path);
    await appendFile(path, lines([error()]));
    const moved = await change(path, text + lines([error()]));
    expect((await cubby.json(...args, moved)).errors).toBe(1);
    expect((await cubby.json(...args, moved)).errors).toBe(0);
    expect(await total()).toBe(201);
  });

  it('treats a rewritten file as another log, and counts a log once for each application', async () => {
    const { cubby, app, args, file, total } = await openLogs();
    const path = await file(lines([error(), error()]));
    await cubby.json(...args, path);
    await writeFile(path, lines([error({ at: at + 1000 })]));
    expect((await cubby.json(...args, path)).errors).toBe(1);
    await writeFile(path, lines([error({ at: at + 2000 }), error(), error(), error()]));
    expect((await cubby.json(...args, path)).errors).toBe(4);
    expect(await total()).toBe(7);
    const second = await app();
    expect((await cubby.json(...args.slice(0, 3), second, path)).errors).toBe(4);
  });

  it('leaves an unfinished last line until it is complete', async () => {
    const { cubby, args, file } = await openLogs();
    const [first, second] = [nginxLine(error()), nginxLine(error({ status: 404 }))];
    const path = await file(`${first}\n${second.slice(0, 30)}`);
    expect(await cubby.json(...args, path)).toMatchObject({ errors: 1, bad: 0 });
    await appendFile(path, second.slice(30));
    expect(await cubby.json(...args, path)).toMatchObject({ errors: 1, bad: 0 });
    await appendFile(path, `\n${first}\n`);
    expect(await cubby.json(...args, path)).toMatchObject({ errors: 1, bad: 0 });
    // Nobody adds to a compressed file.
    const packed = await file(gzipSync(`${lines([error({ at: at + 7 })])}${second.slice(0, 30)}`));
    expect(await cubby.json(...args, packed)).toMatchObject({ errors: 1, bad: 1 });
  });

  it('counts unreadable lines, reports the first with their numbers, and continues', async () => {
    const { cubby, args, file } = await openLogs();
    const tooLong = `{"x":"${'x'.repeat(300 * 1024)}"}`;
    const path = await file(`${lines([error()])}nonsense\n\n${tooLong}\n${lines([error()])}${'{}\n'.repeat(20)}`);
    const { files, ...totals } = await cubby.json(...args, path);
    expect(totals).toEqual({ lines: 25, errors: 2, bad: 22, failed: [] });
    expect(files[0].first_bad).toEqual([
      { line: 2, reason: 'it is not JSON' },
      { line: 4, reason: 'it is longer than 256 KiB' },
      ...[6, 7, 8].map((line) => ({ line, reason: 'it has no status' })),
    ]);
    await appendFile(path, 'more nonsense\n');
    expect((await cubby.json(...args, path).catch(() => {}), (await cubby(...args, path)).code)).toBe(0);
  });

  it('reads several files, names those that cannot be read, and then exits with 1', async () => {
    const { cubby, args, file, total } = await openLogs();
    const good = await file(lines([error()]));
    const whole = gzipSync(lines(Array.from({ length: 5000 }, (_, index) => error({ at: at + index * 1000 }))));
    const cut = await file(whole.subarray(0, whole.length / 2));
    const folder = await temporaryFolder();
    const { code, stdout, stderr } = await cubby(...args, '--json', join(folder, 'missing.log'), folder, cut, good);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('3 of the files could not be read to the end'),
    });
    const { failed, errors } = JSON.parse(stdout);
    expect(failed.map(({ file: path }: { file: string }) => path)).toEqual([join(folder, 'missing.log'), folder, cut]);
    // The errors before the cut are stored, and the next import continues there.
    expect(errors).toBeGreaterThan(1);
    expect((errors - 1) % 1000, 'more than what whole batches had stored before').not.toBe(0);
    expect(await total()).toBe(errors);
    await writeFile(cut, whole);
    expect((await cubby.json(...args, cut)).errors).toBe(5001 - errors);
    expect(await total()).toBe(5001);
  });

  it('numbers lines as an editor does, even after a last line without a line end', async () => {
    const { cubby, args, file } = await openLogs();
    const path = await file(`${nginxLine(error())}\n${nginxLine(error())}`);
    expect(await cubby.json(...args, path)).toMatchObject({ lines: 2 });
    await appendFile(path, `\n${nginxLine(error())}\nnonsense\n`);
    expect(await cubby.json(...args, path)).toMatchObject({
      lines: 2,
      errors: 1,
      files: [{ first_bad: [{ line: 4 }] }],
    });
  });

  it('reads past a byte order mark', async () => {
    const { cubby, args, file } = await openLogs();
    expect(await cubby.json(...args, await file(`\ufeff${lines([error()])}`))).toMatchObject({ errors: 1, bad: 0 });
  });

  it('rejects a pipe, because nobody may ever write to it', async () => {
    const { dataDir, args } = await openLogs();
    const pipe = join(await temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const { code, stdout } = await cubbyOver(dataDir)(...args, pipe);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(`${pipe} is not a regular file.`) });
  });

  it('exits with 1 for a file without a readable line', async () => {
    const { cubby, args, file } = await openLogs();
    const { code, stderr } = await cubby(...args, await file('192.0.2.1 - - "GET / HTTP/1.1" 502\n'));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('No line of') });
  });

  it('imports for an application, whose name is stored without blanks around it', async () => {
    const { cubby, file, account } = await openLogs();
    const { id: appId, name } = await cubby.json('app', 'create', '--account', account, '--name', '  x ');
    expect(name).toBe('x');
    expect((await cubby.json('edge-log', 'import', '--app', appId, await file(lines([error()])))).errors).toBe(1);
  });

  it('rejects an unknown application', async () => {
    const { cubby, file } = await openLogs();
    const { code, stderr } = await cubby('edge-log', 'import', '--app', 'app_none', await file(''));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('There is no application app_none. "cubby app list'),
    });
  });

  it('counts a log once when two commands read it at the same time', async () => {
    const { cubby, args, file, total, dataDir } = await openLogs();
    const path = await file(lines(Array.from({ length: 20_000 }, (_, index) => error({ at: at + index * 1000 }))));
    const outcomes = await Promise.all([0, 1].map(() => cubbyOver(dataDir)(...args, path)));
    expect(outcomes.map(({ code }) => code).sort()).not.toEqual([1, 1]);
    await cubbyHere(dataDir)(...args, path);
    expect(await total()).toBe(20_000);
    expect((await cubby.json(...args, path)).errors).toBe(0);
  });
});
