import { hash } from 'node:crypto';
import { connect } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { abortIdleUploads } from '#server/features/uploads/abort-idle-uploads.ts';
import { sentPlaceMs } from '#server/features/file-requests/limits.ts';
import {
  changeRequest,
  cookiesOf,
  createRequest,
  keysOf,
  requestNow,
  sendFiles,
  type TestFileRequest,
} from '#test/support/file-requests.ts';
import { someBytes } from '#test/support/files.ts';
import { announce, askUpload, openedUpload, sendBytes, type TestSentUpload } from '#test/support/sent-uploads.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { codeOf } from '#test/support/shares.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  account = await server.account();
});
afterAll(() => server.stop());

const mebibyte = 1_048_576;
const stateOf = (answer: Awaited<ReturnType<typeof announce>>) => answer.json().response;
const announcedOf = ({ id }: TestFileRequest) =>
  server.running.app.stores.metadata.atomically((tx) => tx.fileRequests.announcedOf(id, tx.now - sentPlaceMs));
const accountNow = () => server.running.app.stores.metadata.read.accounts.find(account.id);

/** Sends the first bytes of a body, and leaves. */
function cutOff({ path, cookie }: TestSentUpload, announcedBytes: number, bytes: Buffer): Promise<void> {
  const { port } = new URL(server.running.urls.files);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.write(
    `PATCH ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: ${cookie}\r\nUpload-Offset: 0\r\n` +
      `Content-Type: application/partial-upload\r\nContent-Length: ${announcedBytes}\r\n\r\n`,
  );
  return new Promise((resolve) => {
    socket.on('close', () => resolve());
    socket.write(bytes, () => setTimeout(() => socket.destroy(), 400));
  });
}

describe('a file in several requests', () => {
  it('is placed as a file of a form is, when its last byte has arrived', async () => {
    const request = await createRequest(server, account, { sender_folders: true });
    const bytes = someBytes(30_000);
    await sendFiles(server, request, [['beach.jpg', 'x']], { sender: 'Ann' });
    const upload = await openedUpload(server, request, {
      name: '../photos//beach.jpg',
      size: bytes.length,
      sender: 'Ann',
    });
    const first = await sendBytes(server, upload, 0, bytes.subarray(0, 10_000));
    expect([first.status, first.headers.get('upload-offset'), first.headers.get('upload-complete')]).toEqual([
      200,
      '10000',
      '?0',
    ]);
    expect(stateOf(first)).toMatchObject({ name: 'photos/beach.jpg', offset: 10_000, size: 30_000, complete: false });
    expect(stateOf(await askUpload(server, upload))).toEqual(stateOf(first));
    expect((await askUpload(server, upload, 'HEAD')).headers.get('upload-offset')).toBe('10000');
    expect(await keysOf(server, account)).toEqual(['inbox/Ann/beach.jpg']);
    const last = await sendBytes(server, upload, 10_000, bytes.subarray(10_000));
    expect(stateOf(last)).toMatchObject({ offset: 30_000, complete: true, expires_at: null });
    expect(await keysOf(server, account)).toEqual(['inbox/Ann (2)/photos/beach.jpg', 'inbox/Ann/beach.jpg']);
    expect(await requestNow(server, account, request)).toMatchObject({ files: 2, bytes: 30_001, senders: 2 });
    // The page of the sender shows it with its hash.
    const page = await server.send(`${request.path}/sent`, {
      door: 'files',
      headers: { Cookie: upload.cookie, Accept: 'text/html' },
    });
    expect(page.body.toString()).toContain(hash('sha256', bytes, 'hex'));
    expect(await accountNow()).toMatchObject({ usedBytes: 30_001, reservedBytes: 0, inFlightBytes: 0 });
  });

  it('gets a number if its name is taken, also by one that began later', async () => {
    const request = await createRequest(server, account);
    const slow = await openedUpload(server, request, { size: 3 });
    const fast = await openedUpload(server, request, { size: 3 }, { cookie: slow.cookie });
    await sendBytes(server, fast, 0, 'two');
    await sendBytes(server, slow, 0, 'one');
    expect(await keysOf(server, account)).toEqual(['inbox/a (2).bin', 'inbox/a.bin']);
    expect(await requestNow(server, account, request)).toMatchObject({ files: 2, senders: 1 });
  });

  it('may be empty, and is stored at once', async () => {
    const request = await createRequest(server, account);
    const answer = await announce(server, request, { name: 'empty.txt', size: 0 });
    expect([answer.status, stateOf(answer).complete]).toEqual([201, true]);
    expect(await keysOf(server, account)).toEqual(['inbox/empty.txt']);
  });

  it('goes on where a cut connection has left it', async () => {
    const request = await createRequest(server, account);
    const bytes = someBytes(3 * mebibyte);
    const upload = await openedUpload(server, request, { size: bytes.length });
    await cutOff(upload, bytes.length, Buffer.from(bytes.subarray(0, 2 * mebibyte)));
    const { offset } = stateOf(await askUpload(server, upload));
    expect(offset).toBeGreaterThan(0);
    expect(offset).toBeLessThanOrEqual(2 * mebibyte);
    const wrong = await sendBytes(server, upload, 0, bytes);
    expect([...codeOf(wrong), wrong.headers.get('upload-offset')]).toEqual([
      409,
      'UPLOAD_OFFSET_MISMATCH',
      String(offset),
    ]);
    expect(stateOf(await sendBytes(server, upload, offset, bytes.subarray(offset)))).toMatchObject({ complete: true });
    expect(codeOf(await sendBytes(server, upload, bytes.length, 'x'))).toEqual([409, 'UPLOAD_COMPLETED']);
    expect(await requestNow(server, account, request)).toMatchObject({ files: 1, bytes: bytes.length });
  });

  it('is not an upload of the account, which neither sees it nor loses a place', async () => {
    const request = await createRequest(server, account);
    const upload = await openedUpload(server, request, { size: 3 });
    const list = await server.send('/v1/objects/chunked/open', { credential: account.credential });
    expect(list.status).toBe(200);
    expect(list.body.toString()).not.toContain('a.bin');
    const id = upload.path.split('/').at(-1)!;
    const seen = await server.send(`/v1/uploads/${id}`, { credential: account.credential });
    expect(codeOf(seen)).toEqual([404, 'UPLOAD_NOT_FOUND']);
  });

  it('tells its sender nothing about the account', async () => {
    const request = await createRequest(server, account);
    const answers = [await announce(server, request, { name: 'a.bin', size: 3 })];
    const upload = { path: new URL(answers[0]!.headers.get('location')!).pathname, cookie: cookiesOf(answers[0]!) };
    answers.push(await askUpload(server, upload), await sendBytes(server, upload, 0, 'abc'));
    for (const answer of answers) {
      const shown = answer.body.toString() + JSON.stringify([...answer.headers]);
      expect(shown).not.toMatch(new RegExp(`${account.id}|inbox|x-cubby|quota|${request.id}`, 'i'));
    }
  });
});

describe('the sender', () => {
  it('alone reaches an upload, at its own request only', async () => {
    const [request, other] = [await createRequest(server, account), await createRequest(server, account)];
    const upload = await openedUpload(server, request, { size: 3 });
    const foreign = await openedUpload(server, request, { size: 3 });
    const missing = [404, 'UPLOAD_NOT_FOUND'];
    for (const wrong of [
      { ...upload, cookie: foreign.cookie },
      { ...upload, cookie: '' },
      { ...upload, path: upload.path.replace(request.path, other.path) },
      { ...upload, path: `${request.path}/uploads/nosuchupload` },
    ]) {
      expect(codeOf(await askUpload(server, wrong))).toEqual(missing);
      expect(codeOf(await sendBytes(server, wrong, 0, 'abc'))).toEqual(missing);
      expect(codeOf(await askUpload(server, wrong, 'DELETE'))).toEqual(missing);
    }
    expect(stateOf(await sendBytes(server, upload, 0, 'abc')).complete).toBe(true);
  });

  it('is not another site', async () => {
    const request = await createRequest(server, account);
    const upload = await openedUpload(server, request, { size: 3 });
    const headers = { Origin: 'https://evil.example' };
    const refused = [403, 'INVALID_FORM_TOKEN'];
    expect(codeOf(await announce(server, request, { name: 'a.bin', size: 1 }, { headers }))).toEqual(refused);
    expect(codeOf(await sendBytes(server, upload, 0, 'abc', { headers }))).toEqual(refused);
    expect(codeOf(await askUpload(server, upload, 'DELETE', headers))).toEqual(refused);
  });

  it('gives a file up, which frees its place', async () => {
    const request = await createRequest(server, account, { max_files: 1, max_bytes: 5 });
    const upload = await openedUpload(server, request, { size: 5 });
    await sendBytes(server, upload, 0, 'ab');
    expect(await announcedOf(request)).toEqual({ files: 1, bytes: 5 });
    expect(codeOf(await sendFiles(server, request, [['a.txt', 'x']]))).toEqual([409, 'FILE_REQUEST_FULL']);
    for (let time = 0; time < 2; time++) expect((await askUpload(server, upload, 'DELETE')).status).toBe(204);
    expect(codeOf(await askUpload(server, upload))).toEqual([404, 'UPLOAD_NOT_FOUND']);
    expect(await announcedOf(request)).toEqual({ files: 0, bytes: 0 });
    expect(await accountNow()).toMatchObject({ usedBytes: 0, reservedBytes: 0 });
    expect((await sendFiles(server, request, [['a.txt', 'x']])).status).toBe(200);
  });

  it('has up to 16 unfinished files', async () => {
    const request = await createRequest(server, account);
    const { cookie } = await openedUpload(server, request, { size: 1 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => announce(server, request, { name: 'a.bin', size: 1 }, { cookie })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(15);
    expect(codeOf(answers.find(({ status }) => status !== 201)!)).toEqual([429, 'TOO_MANY_OPEN_UPLOADS']);
    expect((await announce(server, request, { name: 'a.bin', size: 1 })).status).toBe(201);
  });
});

describe('what is announced', () => {
  it.each([
    ['INVALID_BODY', ['a']],
    ['INVALID_FILENAME', { size: 1 }],
    ['INVALID_FILENAME', { name: 5, size: 1 }],
    ['INVALID_FILENAME', { name: '', size: 1 }],
    ['INVALID_FILENAME', { name: 'folder/', size: 1, sender: 'Ann' }],
    ['INVALID_FILENAME', { name: '../..', size: 1, sender: 'Ann' }],
    ['INVALID_FILENAME', { name: 'a'.repeat(4097), size: 1 }],
    ['INVALID_FILENAME', { name: 'a/'.repeat(30) + 'b', size: 1, sender: 'Ann' }],
    ['INVALID_SENT_SIZE', { name: 'a' }],
    ['INVALID_SENT_SIZE', { name: 'a', size: '1' }],
    ['INVALID_SENT_SIZE', { name: 'a', size: 1.5 }],
    ['INVALID_SENT_SIZE', { name: 'a', size: null }],
    ['INVALID_SENT_SIZE', { name: 'a', size: 5_368_709_121 }],
    ['INVALID_SENDER_NAME', { name: 'a', size: 1 }],
    ['INVALID_SENDER_NAME', { name: 'a', size: 1, sender: ' ' }],
    ['INVALID_SENDER_NAME', { name: 'a', size: 1, sender: 7 }],
    ['INVALID_SENDER_NAME', { name: 'a', size: 1, sender: 'a'.repeat(81) }],
  ])('is refused with %s, and changes nothing: %j', async (code, body) => {
    const request = await createRequest(server, account, { sender_folders: true });
    expect(codeOf(await announce(server, request, body))).toEqual([400, code]);
    expect(await announcedOf(request)).toEqual({ files: 0, bytes: 0 });
  });
});

describe('the limits', () => {
  it('are exact when many announce at once', async () => {
    const request = await createRequest(server, account, { max_files: 5, max_bytes: 100 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => announce(server, request, { name: 'a.bin', size: at < 6 ? 30 : 10 })),
    );
    const opened = answers.filter(({ status }) => status === 201).map((answer) => stateOf(answer).size as number);
    const bytes = opened.reduce((sum, size) => sum + size, 0);
    expect(await announcedOf(request)).toEqual({ files: opened.length, bytes });
    expect(bytes).toBeLessThanOrEqual(100);
    expect(opened.length).toBeLessThanOrEqual(5);
    const refused = answers.filter(({ status }) => status !== 201).map((answer) => codeOf(answer).join(' '));
    expect(new Set(refused)).toEqual(new Set(['409 FILE_REQUEST_FULL']));
  });

  it('count a form and an announced file together', async () => {
    const request = await createRequest(server, account, { max_bytes: 10 });
    const upload = await openedUpload(server, request, { size: 6 });
    expect(codeOf(await sendFiles(server, request, [['a.txt', '12345']]))).toEqual([409, 'FILE_REQUEST_FULL']);
    expect((await sendFiles(server, request, [['a.txt', '1234']])).status).toBe(200);
    expect(stateOf(await sendBytes(server, upload, 0, '123456')).complete).toBe(true);
    expect(await requestNow(server, account, request)).toMatchObject({ files: 2, bytes: 10, remaining_bytes: 0 });
  });

  it('of the quota are those of the account, of which senders learn nothing', async () => {
    const { metadata } = server.running.app.stores;
    await metadata.atomically((tx) => tx.accounts.setQuota(account.id, 50_000));
    const request = await createRequest(server, account);
    const refused = await announce(server, request, { name: 'a.bin', size: 50_001 });
    expect(codeOf(refused)).toEqual([409, 'FILE_REQUEST_FULL']);
    expect(refused.body.toString()).not.toMatch(/50000|quota/i);
    const uploads = await Promise.all([1, 2].map(() => openedUpload(server, request, { size: 30_000 })));
    const answers = await Promise.all(uploads.map((upload) => sendBytes(server, upload, 0, someBytes(30_000))));
    expect(answers.map((answer) => codeOf(answer).join(' ').trim()).toSorted()).toEqual([
      '200',
      '409 FILE_REQUEST_FULL',
    ]);
    expect(await accountNow()).toMatchObject({ usedBytes: 30_000 });
  });

  it('of sizes are kept: no byte more than announced', async () => {
    const request = await createRequest(server, account, { max_size: 512 });
    expect(codeOf(await announce(server, request, { name: 'a.bin', size: 513 }))).toEqual([413, 'FILE_TOO_LARGE']);
    const upload = await openedUpload(server, request, { size: 3 });
    expect(codeOf(await sendBytes(server, upload, 0, 'abcd'))).toEqual([409, 'SIZE_MISMATCH']);
    expect(stateOf(await askUpload(server, upload)).offset).toBe(0);
  });

  it('that an owner lowers meanwhile hold for a file under way', async () => {
    const request = await createRequest(server, account, { max_bytes: 1000 });
    const upload = await openedUpload(server, request, { size: 600 });
    await changeRequest(server, account, { id: request.id, max_bytes: 599 });
    expect(codeOf(await sendBytes(server, upload, 0, someBytes(600)))).toEqual([409, 'FILE_REQUEST_FULL']);
    await changeRequest(server, account, { id: request.id, max_bytes: 600 });
    expect(stateOf(await askUpload(server, upload))).toMatchObject({ complete: true });
  });
});

describe('a place', () => {
  const full = [409, 'FILE_REQUEST_FULL'];

  it('without bytes lives ten minutes, and others see it as held', async () => {
    const request = await createRequest(server, account, { max_bytes: 1000, max_files: 3 });
    const silent = await openedUpload(server, request, { size: 1000 });
    expect(await requestNow(server, account, request)).toMatchObject({
      remaining_bytes: 1000,
      held_files: 1,
      held_bytes: 1000,
    });
    expect(codeOf(await announce(server, request, { name: 'b.bin', size: 1 }))).toEqual(full);
    server.clock.advance(sentPlaceMs - 1);
    expect(codeOf(await announce(server, request, { name: 'b.bin', size: 1 }))).toEqual(full);
    server.clock.advance(1);
    expect(await requestNow(server, account, request)).toMatchObject({ held_files: 0, held_bytes: 0 });
    const next = await openedUpload(server, request, { size: 1000 });
    // It had no bytes, so nothing is left of it.
    expect(codeOf(await sendBytes(server, silent, 0, 'a'))).toEqual([404, 'UPLOAD_NOT_FOUND']);
    expect(stateOf(await sendBytes(server, next, 0, someBytes(1000))).complete).toBe(true);
  });

  it('is renewed by bytes, and taken again by an upload that goes on after a pause', async () => {
    const request = await createRequest(server, account, { max_bytes: 1000 });
    const slow = await openedUpload(server, request, { size: 900 });
    for (let minute = 0; minute < 30; minute += 9) {
      server.clock.advance(9 * 60_000);
      expect((await sendBytes(server, slow, minute / 9, 'a')).status).toBe(200);
    }
    expect(codeOf(await announce(server, request, { name: 'b.bin', size: 101 }))).toEqual(full);
    server.clock.advance(sentPlaceMs);
    const quick = await openedUpload(server, request, { size: 101 });
    expect(codeOf(await sendBytes(server, slow, 4, 'a'))).toEqual(full);
    expect((await askUpload(server, quick, 'DELETE')).status).toBe(204);
    expect(stateOf(await sendBytes(server, slow, 4, someBytes(896))).complete).toBe(true);
    expect(await requestNow(server, account, request)).toMatchObject({ bytes: 900, held_files: 0 });
  });

  it('is freed by closing, also that of bytes under way', async () => {
    const request = await createRequest(server, account, { max_bytes: 1000 });
    const begun = await openedUpload(server, request, { size: 1000 });
    await sendBytes(server, begun, 0, 'abc');
    await changeRequest(server, account, { id: request.id, state: 'closed' });
    expect(await requestNow(server, account, request)).toMatchObject({ held_files: 0, held_bytes: 0 });
    await changeRequest(server, account, { id: request.id, state: 'open' });
    const other = await openedUpload(server, request, { size: 998 });
    expect(codeOf(await sendBytes(server, begun, 3, 'd'))).toEqual(full);
    expect(stateOf(await sendBytes(server, other, 0, someBytes(998))).complete).toBe(true);
    await changeRequest(server, account, { id: request.id }, 'DELETE');
    expect(await accountNow()).toMatchObject({ usedBytes: 998, reservedBytes: 0 });
  });

  it('is one of few for an address, whatever senders it names', async () => {
    const request = await createRequest(server, account);
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => announce(server, request, { name: 'a.bin', size: 1 })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = answers.find(({ status }) => status !== 201)!;
    expect(codeOf(refused)).toEqual([429, 'TOO_MANY_OPEN_UPLOADS']);
    expect(refused.headers.get('retry-after')).toBe('30');
    server.clock.advance(sentPlaceMs);
    expect((await announce(server, request, { name: 'a.bin', size: 1 })).status).toBe(201);
  });

  it('that has lapsed is taken again exactly, by as many as there is space for', async () => {
    const request = await createRequest(server, account, { max_bytes: 100 });
    const paused: TestSentUpload[] = [];
    for (let at = 0; at < 6; at++) {
      const upload = await openedUpload(server, request, { size: 40 });
      await sendBytes(server, upload, 0, 'a');
      server.clock.advance(sentPlaceMs);
      paused.push(upload);
    }
    const answers = await Promise.all(paused.map((upload) => sendBytes(server, upload, 1, someBytes(39))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(await requestNow(server, account, request)).toMatchObject({ files: 2, bytes: 80 });
  });
});

describe('the end of a request', () => {
  it('lets a file go on that began before the deadline, within the grace', async () => {
    const deadline = new Date(server.clock.now() + 60_000).toISOString();
    const request = await createRequest(server, account, { deadline, grace: 60 });
    const [inTime, late] = [
      await openedUpload(server, request, { size: 6 }),
      await openedUpload(server, request, { size: 6 }),
    ];
    server.clock.advance(90_000);
    const expired = [410, 'FILE_REQUEST_EXPIRED'];
    expect(codeOf(await announce(server, request, { name: 'a.bin', size: 1 }))).toEqual(expired);
    expect(stateOf(await sendBytes(server, inTime, 0, '123456')).complete).toBe(true);
    expect((await sendBytes(server, late, 0, '123')).status).toBe(200);
    server.clock.advance(30_000);
    expect(codeOf(await sendBytes(server, late, 3, '456'))).toEqual(expired);
    expect(codeOf(await askUpload(server, late))).toEqual(expired);
    expect(await requestNow(server, account, request)).toMatchObject({ files: 1 });
  });

  it('stops a file under way, which goes on if the request is opened again', async () => {
    const request = await createRequest(server, account);
    const upload = await openedUpload(server, request, { size: 6 });
    await sendBytes(server, upload, 0, '123');
    await changeRequest(server, account, { id: request.id, state: 'closed' });
    expect(codeOf(await sendBytes(server, upload, 3, '456'))).toEqual([410, 'FILE_REQUEST_CLOSED']);
    await changeRequest(server, account, { id: request.id, state: 'open' });
    expect(stateOf(await sendBytes(server, upload, 3, '456')).complete).toBe(true);
    const lost = await openedUpload(server, request, { size: 6 });
    await changeRequest(server, account, { id: request.id }, 'DELETE');
    expect(codeOf(await sendBytes(server, lost, 0, '123456'))).toEqual([404, 'FILE_REQUEST_NOT_FOUND']);
  });

  it('leaves nothing of a file that was given up by its silence', async () => {
    const request = await createRequest(server, account);
    const upload = await openedUpload(server, request, { size: 6 });
    await sendBytes(server, upload, 0, '123');
    server.clock.advance(24 * 3_600_000);
    expect(codeOf(await askUpload(server, upload))).toEqual([404, 'UPLOAD_NOT_FOUND']);
    const { metadata } = server.running.app.stores;
    await abortIdleUploads({ metadata }, server.clock.now());
    expect(await announcedOf(request)).toEqual({ files: 0, bytes: 0 });
    expect(await accountNow()).toMatchObject({ usedBytes: 0, reservedBytes: 0 });
    const activity = await server.send('/v1/account/activity', { credential: account.credential });
    expect(activity.body.toString()).toContain('file_request.created');
    expect(activity.body.toString()).not.toContain('chunked');
  });
});
