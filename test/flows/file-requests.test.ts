import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ReceiptInvalid, verifyReceipt, verifySentReceipt } from '#dist/modules/client/index.js';
import {
  askForRequest,
  changeRequest,
  cookiesOf,
  createRequest,
  keysOf,
  listRequests,
  requestNow,
  sendFiles,
} from '#test/support/file-requests.ts';
import { sha256, someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { browserAccept, codeOf, createShare } from '#test/support/shares.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const html = { Accept: browserAccept };
const page = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  server.send(path, { door: 'files', headers: { ...html, ...headers } });

describe('a file request', () => {
  it('takes files into its folder, private and counted', async () => {
    account = await server.account();
    const request = await createRequest(server, account, { max_files: 10, max_bytes: 100_000 });
    const [beach, empty, large] = [someBytes(3000), Buffer.alloc(0), someBytes(50_000)];
    const answer = await sendFiles(server, request, [
      ['beach.jpg', beach],
      ['empty.txt', empty],
      ['large.bin', large],
    ]);
    expect(answer.status, answer.body.toString()).toBe(200);
    const { files, receipt } = answer.json().response;
    expect(files.map(({ name, size, sha256: sum }: any) => [name, size, sum])).toEqual([
      ['beach.jpg', 3000, sha256(beach)],
      ['empty.txt', 0, sha256(empty)],
      ['large.bin', 50_000, sha256(large)],
    ]);
    const keys = (await server.send('/v1/receipts/keys')).json();
    expect((await verifySentReceipt(receipt, keys)).files).toEqual(
      files.map(({ received_at: at, ...file }: any) => ({ ...file, at })),
    );
    // It is no receipt of an upload, which a backend might take it for.
    await expect(verifyReceipt(receipt, keys)).rejects.toThrow(ReceiptInvalid);
    expect(await keysOf(server, account)).toEqual(['inbox/beach.jpg', 'inbox/empty.txt', 'inbox/large.bin']);
    expect(await requestNow(server, account, request)).toMatchObject({
      files: 3,
      bytes: 53_000,
      senders: 1,
      remaining_files: 7,
      remaining_bytes: 47_000,
      state: 'open',
    });
    const link = await server.send(`/v1/objects/download?redirect=false&object=prv/${account.id}/inbox/large.bin`, {
      credential: account.credential,
    });
    const { url } = link.json().response;
    expect(sha256(Buffer.from(await (await fetch(url)).arrayBuffer()))).toBe(sha256(large));
  });

  it('never replaces a file', async () => {
    account = await server.account();
    const request = await createRequest(server, account);
    for (let round = 0; round < 3; round++) await sendFiles(server, request, [['a.tar.gz', `${round}`]]);
    expect(await keysOf(server, account)).toEqual(['inbox/a (2).tar.gz', 'inbox/a (3).tar.gz', 'inbox/a.tar.gz']);
  });

  it('names each file as its key does, also in an archive of the folder', async () => {
    account = await server.account();
    const request = await createRequest(server, account);
    await sendFiles(server, request, [
      ['a.txt', 'first'],
      ['a.txt', 'second one'],
    ]);
    const created = (await createShare(server, account, { prefix: 'inbox' })).json().response;
    const listed = await server.send(`/v1/shares/files?id=${created.id}`, { credential: account.credential });
    expect(listed.json().response.files.map(({ name, size }: any) => [name, size])).toEqual([
      ['a (2).txt', 10],
      ['a.txt', 5],
    ]);
  });

  it('shows a page whose only script is a file of its own, with escaped words', async () => {
    account = await server.account();
    const title = '<script>alert(1)</script>';
    const request = await createRequest(server, account, { title, note: `"><img src=x onerror=alert(1)>\nline` });
    const { status, body, headers } = await page(request.path);
    expect(status).toBe(200);
    const text = body.toString();
    expect(text.match(/<script[^]*?<\/script>|<img/g)).toEqual([
      expect.stringMatching(/^<script type="module" src="\.\.\/sending\/[0-9a-f]{12}\/page\.js"><\/script>$/),
    ]);
    expect(text).toContain('&#60;script&#62;');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'; connect-src 'self'");
    const script = await fetch(`${server.running.urls.files}/${/sending\/\w+\/page\.js/.exec(text)![0]}`);
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  });

  it('leads a browser to what it has sent', async () => {
    account = await server.account();
    const request = await createRequest(server, account, { allowed_extensions: ['jpg'] });
    const sent = await sendFiles(
      server,
      request,
      [
        ['a.jpg', 'abc'],
        ['<b>.txt', 'abc'],
      ],
      { headers: html },
    );
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `${request.url}/sent`]);
    const cookie = cookiesOf(sent);
    const shown = await page(`${request.path}/sent`, { Cookie: cookie });
    expect(shown.status).toBe(200);
    expect(shown.body.toString()).toContain(sha256(Buffer.from('abc')));
    expect(shown.body.toString()).toContain('&#60;b&#62;.txt');
    expect(shown.body.toString()).toContain('This request takes files that end in jpg.');
    const receipt = await server.send(`${request.path}/receipt`, { door: 'files', headers: { Cookie: cookie } });
    const payload = JSON.parse(Buffer.from(receipt.body.toString().split('.')[1]!, 'base64url').toString());
    expect(payload).toMatchObject({ action: 'receive', file_request: request.id, files: [{ name: 'a.jpg', size: 3 }] });
    expect(codeOf(await server.send(`${request.path}/sent`, { door: 'files' }))).toEqual([404, 'NOTHING_SENT']);
  });

  it('gives each sender a folder of their own', async () => {
    account = await server.account();
    const request = await createRequest(server, account, { sender_folders: true });
    const first = await sendFiles(server, request, [['a.txt', '1']], { sender: 'Ann' });
    await sendFiles(server, request, [['a.txt', '2']], { sender: 'ann' });
    await sendFiles(server, request, [['photos/2026/b.txt', '3']], { sender: '../../etc' });
    await sendFiles(server, request, [['c.txt', '4']], {
      sender: 'Somebody else',
      headers: { Cookie: cookiesOf(first) },
    });
    expect(await keysOf(server, account)).toEqual([
      'inbox/..-..-etc/photos/2026/b.txt',
      'inbox/Ann/a.txt',
      'inbox/Ann/c.txt',
      'inbox/ann (2)/a.txt',
    ]);
    expect(codeOf(await sendFiles(server, request, [['a.txt', '1']]))).toEqual([400, 'INVALID_SENDER_NAME']);
    expect(await requestNow(server, account, request)).toMatchObject({ files: 4, senders: 3 });
  });

  it('gives a folder to a sender who began before names were asked for', async () => {
    account = await server.account();
    const request = await createRequest(server, account);
    const first = await sendFiles(server, request, [['a.txt', '1']]);
    const headers = { Cookie: cookiesOf(first) };
    await changeRequest(server, account, { id: request.id, sender_folders: true });
    expect(codeOf(await sendFiles(server, request, [['b.txt', '2']], { headers }))).toEqual([
      400,
      'INVALID_SENDER_NAME',
    ]);
    await sendFiles(server, request, [['b.txt', '2']], { sender: 'Ann', headers });
    await sendFiles(server, request, [['c.txt', '3']], { headers });
    await sendFiles(server, request, [['d.txt', '4']], { sender: 'Ann' });
    expect(await keysOf(server, account)).toEqual([
      'inbox/Ann (2)/d.txt',
      'inbox/Ann/b.txt',
      'inbox/Ann/c.txt',
      'inbox/a.txt',
    ]);
    expect(await requestNow(server, account, request)).toMatchObject({ files: 4, senders: 2 });
  });

  it('is closed, opened again and deleted, and its files stay', async () => {
    account = await server.account();
    const request = await createRequest(server, account);
    await sendFiles(server, request, [['a.txt', '1']]);
    expect((await changeRequest(server, account, { id: request.id, state: 'closed' })).json().response).toMatchObject({
      state: 'closed',
    });
    expect(codeOf(await sendFiles(server, request, [['b.txt', '1']]))).toEqual([410, 'FILE_REQUEST_CLOSED']);
    expect((await page(request.path)).status).toBe(410);
    await changeRequest(server, account, { id: request.id, state: 'open' });
    expect((await sendFiles(server, request, [['b.txt', '1']])).status).toBe(200);
    expect((await changeRequest(server, account, { id: request.id }, 'DELETE')).status).toBe(200);
    expect(codeOf(await sendFiles(server, request, [['c.txt', '1']]))).toEqual([404, 'FILE_REQUEST_NOT_FOUND']);
    expect(await keysOf(server, account)).toEqual(['inbox/a.txt', 'inbox/b.txt']);
    expect((await listRequests(server, account)).file_requests).toEqual([]);
  });

  it('refuses what it does not take, and says so for each file', async () => {
    account = await server.account();
    const request = await createRequest(server, account, { allowed_extensions: ['txt'], max_size: 1000, max_files: 2 });
    const answer = await sendFiles(server, request, [
      ['a.jpg', 'x'],
      ['b.exe', 'x'],
      ['..', 'x'],
      ['c.txt', someBytes(1001)],
      ['d.txt', someBytes(1000)],
      ['e.txt', 'x'],
      ['f.txt', 'x'],
    ]);
    expect(answer.json().response.files.map(({ name, code }: any) => [name, code ?? 'stored'])).toEqual([
      ['a.jpg', 'FILE_TYPE_NOT_ALLOWED'],
      ['b.exe', 'BLOCKED_FILE_TYPE'],
      ['..', 'INVALID_FILENAME'],
      ['c.txt', 'FILE_TOO_LARGE'],
      ['d.txt', 'stored'],
      ['e.txt', 'stored'],
      ['f.txt', 'FILE_REQUEST_FULL'],
    ]);
    expect(codeOf(await sendFiles(server, request, [['g.txt', 'x']]))).toEqual([409, 'FILE_REQUEST_FULL']);
    expect((await page(request.path)).body.toString()).toContain('This request is full');
  });

  it('says how many folders a filename may have', async () => {
    account = await server.account();
    const request = await createRequest(server, account);
    const answer = await sendFiles(server, request, [[`${'a/'.repeat(21)}b.txt`, 'x']]);
    expect(codeOf(answer)).toEqual([400, 'INVALID_FILENAME']);
    expect(answer.json().message).toContain('at most 20 of them');
  });

  it('says what is wrong with a form, which may have several parts', async () => {
    account = await server.account();
    const request = await createRequest(server, account);
    const sendBody = (type: string, body: string) =>
      server.send(new URL(request.url).pathname, {
        door: 'files',
        method: 'POST',
        headers: { 'Content-Type': type },
        body,
      });
    for (const [type, body, words] of [
      ['text/plain', 'a', 'The Content-Type is another one'],
      ['multipart/form-data; boundary=X', '--X--\r\n', 'The form has no part'],
      ['multipart/form-data; boundary=X', `--X\r\n${'A: b\r\n'.repeat(5000)}`, 'cannot be told apart'],
    ] as const) {
      const answer = await sendBody(type, body);
      expect(codeOf(answer)).toEqual([409, 'INVALID_CONTENT_TYPE']);
      expect(answer.json().message).toContain(words);
      expect(answer.json().message).not.toContain('exactly one part');
    }
  });

  it('takes a thousand files of a form, and tells of one more', async () => {
    account = await server.account();
    const request = await createRequest(server, account);
    const parts = Array.from(
      { length: 1003 },
      (_, at) => [`${at}${'x'.repeat(at > 1000 ? 300 : 0)}.txt`, 'x'] as const,
    );
    const { files } = (await sendFiles(server, request, parts)).json().response;
    expect([files.length, files[999].code, files[1000].code]).toEqual([1001, undefined, 'INVALID_FILE']);
    expect(await requestNow(server, account, request)).toMatchObject({ files: 1000, senders: 1 });
  });

  it('asks for its password', async () => {
    account = await server.account();
    const request = await createRequest(server, account, { password: 'correct horse' });
    expect((await page(request.path)).status).toBe(401);
    expect(codeOf(await sendFiles(server, request, [['a.txt', '1']]))).toEqual([401, 'FILE_REQUEST_PASSWORD_REQUIRED']);
    const give = (password: string) =>
      server.send(`${request.path}/password`, {
        door: 'files',
        method: 'POST',
        headers: html,
        body: new URLSearchParams({ password }),
      });
    expect((await give('wrong horse')).status).toBe(401);
    const right = await give('correct horse');
    expect([right.status, right.headers.get('location')]).toEqual([303, request.url]);
    const headers = { Cookie: cookiesOf(right) };
    expect((await page(request.path, headers)).status).toBe(200);
    expect((await sendFiles(server, request, [['a.txt', '1']], { headers })).status).toBe(200);
    await changeRequest(server, account, { id: request.id, password: 'another horse' });
    expect((await page(request.path, headers)).status).toBe(401);
  });

  it('keeps to its deadline, with a grace for what has begun', async () => {
    account = await server.account();
    const at = (ms: number) => new Date(server.clock.now() + ms).toISOString();
    expect(codeOf(await askForRequest(server, account, { title: 'a', prefix: 'b', deadline: at(-1) }))).toEqual([
      400,
      'INVALID_DEADLINE',
    ]);
    const request = await createRequest(server, account, { deadline: at(60_000), grace: 60 });
    expect((await sendFiles(server, request, [['a.txt', '1']])).status).toBe(200);
    server.clock.advance(60_000);
    expect(codeOf(await sendFiles(server, request, [['b.txt', '1']]))).toEqual([410, 'FILE_REQUEST_EXPIRED']);
    expect(await requestNow(server, account, request)).toMatchObject({ state: 'expired' });
    expect(codeOf(await changeRequest(server, account, { id: request.id, state: 'open' }))).toEqual([
      400,
      'INVALID_REQUEST_STATE',
    ]);
    await changeRequest(server, account, { id: request.id, deadline: at(60_000) });
    expect((await sendFiles(server, request, [['b.txt', '1']])).status).toBe(200);
  });
});
