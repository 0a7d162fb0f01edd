import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import type { Scope } from '#server/domain/access/scope.ts';
import { forgetFileRequests } from '#server/features/file-requests/forget-file-requests.ts';
import { suspendAccount } from '#server/domain/account/close-account.ts';
import { serverActor } from '#server/domain/audit/audit-entry.ts';
import {
  askForRequest,
  changeRequest,
  createRequest,
  keysOf,
  listRequests,
  requestNow,
  sendFiles,
} from '#test/support/file-requests.ts';
import { someBytes } from '#test/support/files.ts';
import { needPrograms } from '#test/support/need-programs.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { codeOf } from '#test/support/shares.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function events(): Promise<any[]> {
  const { credential } = account;
  return (await server.send('/v1/events?limit=100', { credential })).json().response.events;
}

const ids = (page: any) => page.file_requests.map(({ id }: { id: string }) => id);

describe('the owner of a request', () => {
  it('gets events of each file, and of the end', async () => {
    account = await server.account();
    const request = await createRequest(server, account, { max_files: 1, sender_folders: true });
    await sendFiles(server, request, [['photos/a.jpg', 'abc']], { sender: 'Ann' });
    await changeRequest(server, account, { id: request.id, state: 'closed' });
    const told = (await events()).filter(({ type }) => type !== 'key.created');
    expect(told.map(({ type }) => type)).toEqual([
      'file_request.created',
      'object.created',
      'file_request.received',
      'file_request.full',
      'file_request.updated',
      'file_request.ended',
    ]);
    const [, created, received, , , ended] = told;
    const object = `prv/${account.id}/inbox/Ann/photos/a.jpg`;
    expect(created.data).toMatchObject({ object: { id: object }, file_request: { id: request.id } });
    expect(received.data).toMatchObject({
      file_request: { id: request.id, files: 1, senders: 1, state: 'open' },
      object: { id: object, size: 3 },
      sender: { name: 'Ann', folder: 'Ann' },
      name: 'photos/a.jpg',
    });
    expect(ended.data).toMatchObject({ reason: 'closed', file_request: { state: 'closed' } });
    expect(JSON.stringify(told)).not.toContain(request.path.split('/').at(-1));
  });

  it('is told once of a deadline that has passed, and again after another one', async () => {
    account = await server.account();
    const { metadata } = server.running.app.stores;
    const deadline = () => new Date(server.clock.now() + 60_000).toISOString();
    const request = await createRequest(server, account, { deadline: deadline() });
    const ended = async () => (await events()).filter(({ type }) => type === 'file_request.ended').length;
    const pass = async () => {
      server.clock.advance(60_000);
      for (let run = 0; run < 2; run++) await forgetFileRequests({ metadata }, server.clock.now());
      return ended();
    };
    expect(await pass()).toBe(1);
    await changeRequest(server, account, { id: request.id, deadline: deadline() });
    expect(await pass()).toBe(2);
  });

  it('sees the sender in the activity', async () => {
    account = await server.account();
    const request = await createRequest(server, account);
    await sendFiles(server, request, [['a.txt', 'x']], { headers: { 'User-Agent': 'a sender' } });
    const { activity } = (await server.send('/v1/account/activity', { credential: account.credential })).json()
      .response;
    expect(activity[0]).toMatchObject({
      type: 'object.uploaded',
      details: { file_request: request.id, size: 1 },
      auth: 'upload_token',
      user_agent: 'a sender',
    });
    expect(activity[1]).toMatchObject({ type: 'file_request.created', details: { prefix: 'inbox' } });
  });

  it('lists requests page by page, and by state, folder and id', async () => {
    account = await server.account();
    const made: string[] = [];
    for (const prefix of ['a', 'a/b', 'ab', 'c']) {
      made.push((await createRequest(server, account, { prefix })).id);
      server.clock.advance(1);
    }
    const newest = made.toReversed();
    await changeRequest(server, account, { id: made[3], state: 'closed' });
    const first = await listRequests(server, account, '?limit=3');
    expect(ids(first)).toEqual(newest.slice(0, 3));
    const rest = await listRequests(server, account, `?limit=3&cursor=${first.continuationToken}`);
    expect([ids(rest), rest.continuationToken]).toEqual([newest.slice(3), undefined]);
    expect(ids(await listRequests(server, account, '?state=closed'))).toEqual([made[3]]);
    expect(ids(await listRequests(server, account, '?state=open&prefix=a'))).toEqual(newest.slice(1));
    expect(ids(await listRequests(server, account, '?prefix=a/'))).toEqual([made[1]]);
    expect(ids(await listRequests(server, account, `?id=${made[2]}`))).toEqual([made[2]]);
    const restricted = await server.key(account, { scopes: ['blob:read'], prefixes: ['a'] });
    expect(ids(await listRequests(server, { credential: restricted }))).toEqual([made[1], made[0]]);
  });

  it('is no other account', async () => {
    account = await server.account();
    const request = await createRequest(server, account);
    const other = await server.account();
    expect(ids(await listRequests(server, other, `?id=${request.id}`))).toEqual([]);
    for (const [body, method] of [
      [{ state: 'closed' }, 'PATCH'],
      [{}, 'DELETE'],
    ] as const)
      expect(codeOf(await changeRequest(server, other, { id: request.id, ...body }, method))).toEqual([
        404,
        'FILE_REQUEST_NOT_FOUND',
      ]);
  });

  it('takes nothing while suspended', async () => {
    account = await server.account();
    const request = await createRequest(server, account);
    await suspendAccount(server.running.app.stores, { accountId: account.id, by: serverActor });
    expect(codeOf(await sendFiles(server, request, [['a.txt', 'x']]))).toEqual([404, 'FILE_REQUEST_NOT_FOUND']);
  });

  it('is told that a password of a request needs another plan', async () => {
    const hobby = await server.account('hobby');
    const answer = await askForRequest(server, hobby, { title: 'Photos', prefix: 'inbox', password: 'long enough' });
    expect(codeOf(answer)).toEqual([403, 'UPGRADE_REQUIRED']);
    expect(answer.json().message).toContain('A password on a file request');
  });

  it('names only types that the rule takes too, and no programs', async () => {
    account = await server.account();
    const { credential } = account;
    const rules = { rules: [{ prefix: 'inbox', extensions: ['txt', 'pdf'] }] };
    await server.send('/v1/account/settings', { method: 'PUT', credential, body: JSON.stringify(rules) });
    const wordsFor = async (allowed: readonly string[], name: string) => {
      const request = await createRequest(server, account, { allowed_extensions: allowed });
      const sent = await sendFiles(server, request, [[name, 'x']]);
      expect(codeOf(sent)).toEqual([400, 'FILE_TYPE_NOT_ALLOWED']);
      return sent.json().message;
    };
    expect(await wordsFor(['jpg', 'txt'], 'a.jpg')).toBe('This request takes files that end in txt.');
    expect(await wordsFor(['jpg', 'txt', 'exe'], 'a.pdf')).toBe('This request takes files that end in txt.');
    expect(await wordsFor(['jpg', 'exe'], 'a.jpg')).toContain('takes no type of file at present');
  });

  it('has the rule of the folder kept, and its deletion removes nothing but the request', async () => {
    account = await server.account();
    const rules = { rules: [{ prefix: 'inbox', extensions: ['txt'], max_size: 1000, expire: '30d' }] };
    const { credential } = account;
    await server.send('/v1/account/settings', { method: 'PUT', credential, body: JSON.stringify(rules) });
    const request = await createRequest(server, account);
    const sent = await sendFiles(server, request, [
      ['a.jpg', 'x'],
      ['b.txt', someBytes(1001)],
      ['c.txt', 'x'],
    ]);
    expect(sent.json().response.files.map(({ code }: any) => code)).toEqual([
      'FILE_TYPE_NOT_ALLOWED',
      'FILE_TOO_LARGE',
      undefined,
    ]);
    await changeRequest(server, account, { id: request.id }, 'DELETE');
    const { metadata } = server.running.app.stores;
    await forgetFileRequests({ metadata }, server.clock.now());
    expect(await metadata.read.fileRequests.listAfter(request.id.slice(0, -1), 1)).not.toContainEqual(
      expect.objectContaining({ id: request.id }),
    );
    expect(await keysOf(server, account)).toEqual(['inbox/c-ex30.txt']);
  });
});

describe('curl, without script', () => {
  it('sends files of any name', async () => {
    account = await server.account();
    const request = await createRequest(server, account);
    const folder = await mkdtemp(join(tmpdir(), 'cubby-request-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const large = someBytes(2_000_000);
    await writeFile(join(folder, 'large.bin'), large);
    await writeFile(join(folder, 'empty'), '');
    const names = [
      'plain.bin',
      'a "quoted" name.bin',
      'Übung №5 漢字 👪.bin',
      '../../etc/passwd',
      'C:\\dir\\win.bin',
      '.hidden',
    ];
    needPrograms('curl');
    const run = promisify(execFile);
    const parts = names.flatMap((name) => ['-F', `file=@large.bin;filename="${name.replace(/["\\]/g, '\\$&')}"`]);
    const { stdout } = await run('curl', ['-s', ...parts, '-F', 'file=@empty;filename=empty.txt', request.url], {
      cwd: folder,
    });
    expect(JSON.parse(stdout).response.files.map(({ name, size }: any) => [name, size])).toEqual([
      ['plain.bin', 2_000_000],
      ['a "quoted" name.bin', 2_000_000],
      ['Übung №5 漢字 👪.bin', 2_000_000],
      ['etc/passwd', 2_000_000],
      ['C:/dir/win.bin', 2_000_000],
      ['.hidden', 2_000_000],
      ['empty.txt', 0],
    ]);
    expect(await requestNow(server, account, request)).toMatchObject({ files: 7, bytes: 12_000_000, senders: 1 });
    expect(await keysOf(server, account)).toContain('inbox/Übung №5 漢字 👪.bin');
  });
});

it('a key that may read and not write does not see the address at which others send files', async () => {
  const owner = await server.account();
  const { id } = await createRequest(server, owner);
  const urlFor = async (scopes: readonly Scope[]) => {
    const credential = await server.key(owner, { scopes });
    const answer = await server.send(`/v1/file-requests?id=${id}`, { credential });
    return answer.json().response.file_requests[0].url;
  };
  expect(await urlFor(['blob:read'])).toBeNull();
  expect(await urlFor(['blob:read', 'blob:write'])).toMatch(/\/r\//);
});
