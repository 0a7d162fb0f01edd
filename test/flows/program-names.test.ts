import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { programEnding, servedType } from '#server/features/files/file-type.ts';
import { safePath } from '#server/features/shares/safe-names.ts';
import { exchange } from '#test/s3/exchange.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import { chunking } from '#test/support/chunked.ts';
import { upload } from '#test/support/files.ts';
import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import { metadataOf, serialUploads } from '#test/support/serial.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';

let server: TestServer;
let account: TestAccount;
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
  ({ server, account } = gateway);
});
afterAll(() => gateway.stop());

const programs = [
  ...['setup.exe', 'setup.EXE', '.exe', '.bat', '..exe', 'a.b/.hta', 'a\\.vbs', '.exe.gz', 'setup.exe.gz'],
  ...[
    'setup.exe.',
    'setup.exe ',
    '.exe. .',
    'setup.exe:x',
    'a.txt:b.exe',
    'setup.exe::$DATA',
    'setup.ex\u200be',
    'setup.e\u202exe',
  ],
];
const others = ['report.pdf', '.profile', 'exe.pdf', 'setup.exe.txt', 'bat', '.exe.d'];

const codeOf = (answer: TestAnswer) => (answer.status < 300 ? 'taken' : JSON.parse(answer.body.toString()).code);

const ofFeatures = (await partsOfFeatures('cases')).flatMap(({ nameDoors = {} }) => Object.entries(nameDoors));

type Door = (filename: string) => Promise<TestAnswer>;

/** Every door that takes the name of a file from a client, and refuses programs. */
const doors: Readonly<Record<string, Door>> = {
  'an upload in one request': (filename) => upload(server, account, { filename }),
  'a chunked upload': (filename) => chunking(() => server).start(account, { filename }),
  'a new name of a file': async (filename) => {
    const { id } = (await upload(server, account)).json().response;
    const body = JSON.stringify({ object: id, original_name: filename });
    return server.send('/v1/objects', { method: 'PATCH', credential: account.credential, body });
  },
  'an upload of tus': (filename) =>
    serialUploads(() => server).create(account, { 'Upload-Length': '600', ...metadataOf({ name: 'a', filename }) }, {}),
  'an upload of the draft': (filename) =>
    serialUploads(() => server).draft(
      account,
      {
        'Upload-Complete': '?0',
        'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
      },
      { name: 'a' },
    ),
  ...Object.fromEntries(
    ofFeatures.map(([name, { send }]): [string, Door] => [name, (filename) => send({ server, account }, filename)]),
  ),
};

/**
 * Names that a door stores in a form that is no program: without their first dots, or with a blank in place of a mark.
 */
const harmless: Readonly<Record<string, RegExp>> = {
  'an upload of the draft': /(?:^|[/\\])\./,
  ...Object.fromEntries(ofFeatures.flatMap(([name, { harmless }]) => (harmless ? [[name, harmless] as const] : []))),
};

/** Codes of names that are refused for their form before they are read. */
const refused = ['BLOCKED_FILE_TYPE', 'INVALID_FILE_TYPE', 'INVALID_FILENAME'];

describe('the names of programs', () => {
  it.each(Object.entries(doors))('are not taken by %s', async (door, send) => {
    for (const name of programs.filter((one) => !harmless[door]?.test(one)))
      expect(refused, `${JSON.stringify(name)}`).toContain(codeOf(await send(name)));
    for (const name of ['report.pdf', '.profile', 'exe.pdf', 'setup.exe.txt'])
      expect(codeOf(await send(name)), name).toBe('taken');
    const { uploads } = (await chunking(() => server).list(account)).json().response;
    for (const one of uploads) await chunking(() => server).abort(account, one.upload);
  });

  it('are read as Windows reads them', () => {
    for (const name of programs) expect(programEnding(name), name).toBeDefined();
    for (const name of others) expect(programEnding(name), name).toBeUndefined();
  });

  it('are not given to files by temporary links, unless the file has such a name itself', async () => {
    const { id } = (await upload(server, account, { query: { private: 'true' } })).json().response;
    const link = (object: string, filename: string) =>
      server.send(`/v1/objects/download?${new URLSearchParams({ object, filename, redirect: 'false' })}`, {
        credential: account.credential,
      });
    for (const name of ['setup.exe', 'setup.exe.', 'a.exe:x', 'setup.ex\u200be'])
      expect(codeOf(await link(id, name)), name).toBe('BLOCKED_FILE_TYPE');
    // Dots before a name are dropped.
    expect(codeOf(await link(id, '.exe'))).toBe('taken');
    await exchange(gateway, { method: 'PUT', path: '/private/setup.exe', body: 'MZ' });
    expect(codeOf(await link(`prv/${account.id}/setup.exe`, 'setup-2.exe'))).toBe('taken');
  });

  it('are not brought by a copy to a file without one', async () => {
    await exchange(gateway, { method: 'PUT', path: '/private/.exe', body: 'MZ' });
    const copy = { source: `prv/${account.id}/.exe`, destination: { name: 'setup.exe' } };
    const send = { method: 'POST', credential: account.credential, body: JSON.stringify(copy) };
    expect(codeOf(await server.send('/v1/objects/copy', send))).toBe('BLOCKED_FILE_TYPE');
  });

  it('are never served as something that runs', () => {
    for (const name of ['setup.exe', '.exe', 'a.b/.hta', '..exe'])
      expect(servedType(name).isAttachment, name).toBe(true);
  });

  it('are made of no other name by an archive', () => {
    for (const name of ['setup.exe', '.exe', 'a.b/.hta']) expect(programEnding(safePath(name)), name).toBeDefined();
    for (const name of [...others, 'a.e<xe', 'a.exe_'.repeat(60), 'con.exe.txt'])
      expect(programEnding(safePath(name)), name).toBeUndefined();
  });

  it.each([
    ...['CON', 'con.txt', 'CONIN$', 'conout$.log', 'CLOCK$', 'COM1 .txt', 'COM¹', 'lpt³.a', 'nul  .tar.gz', 'AUX . b'],
  ])('of devices are changed in archives: %s', (name) => {
    expect(safePath(`folder/${name}`)).toBe(`folder/_${name}`);
  });

  it.each(['CONSOLE', 'con$.txt', 'com', 'comma1.txt', 'COM10', 'auxiliary'])(
    'that only look like devices stay: %s',
    (name) => void expect(safePath(name)).toBe(name),
  );
});
