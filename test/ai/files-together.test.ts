import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startChatUpstream, type ChatUpstream } from '#mocks/chat-upstream.ts';
import { changeAccount } from '#server/domain/account/change-account.ts';
import { maxFileTextBytes } from '#server/features/chat/file-texts/named-files.ts';
import { aiDoors, sendTo } from '#test/support/ai-doors.ts';
import { upload } from '#test/support/files.ts';
import { pdfOf } from '#test/support/pdfs.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

const half = maxFileTextBytes / 2;
const prose = (bytes: number) => Buffer.alloc(bytes, 'word ');

let upstream: ChatUpstream;
let server: TestServer;
let account: TestAccount;
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  upstream = await startChatUpstream();
  upstream.answer({ text: 'A mark.' });
  server = await startTestServer({ env: { CUBBY_AI_UPSTREAM_URL: upstream.url, CUBBY_AI_STREAMING: 'on' } });
  account = await server.account('enterprise');
  // So only the bytes of files are in the way.
  await changeAccount(server.running.app.stores, { accountId: account.id, aiLimits: { contextTokens: 4_000_000 } });
  const put = async (bytes: Uint8Array, filename: string): Promise<string> =>
    (await upload(server, account, { bytes, filename, query: { name: filename, private: 'true' } })).json().response.id;
  // A page ends its lines and its text where it ends itself.
  const page = Array.from({ length: 50 }, () => prose(90).toString());
  ids = {
    text: await put(prose(half), 'a.txt'),
    other: await put(Buffer.alloc(half, 'text '), 'b.txt'),
    short: await put(prose(600), 'c.txt'),
    // One page fits beside it, and two do not.
    long: await put(prose(maxFileTextBytes - 6000), 'd.txt'),
    pdf: await put(pdfOf([page]), 'a.pdf'),
    otherPdf: await put(pdfOf([[...page].reverse(), []]), 'b.pdf'),
    longPdf: await put(pdfOf([page, page]), 'c.pdf'),
  };
});

afterAll(async () => {
  await server.stop();
  await upstream.close();
});

const ofTexts = (bytes: number) => new RegExp(`: at least ${bytes} bytes of files > ${maxFileTextBytes} maximum\\. `);
const ofPdf = new RegExp(
  `: over ${maxFileTextBytes} bytes .*[abc]\\.pdf_\\w+\\.pdf", which is a PDF with too much text, alone or tog`,
);

/** Files that are each short enough, and the message about all of them. */
const rejected: Readonly<Record<string, readonly [files: readonly string[], message: RegExp]>> = {
  'three texts': [['text', 'other', 'short'], ofTexts(maxFileTextBytes + 600)],
  'a text at three places': [['text', 'text', 'text'], ofTexts(3 * half)],
  'a text and two PDFs': [['long', 'pdf', 'otherPdf'], ofPdf],
  'a text and a PDF at two places': [['long', 'pdf', 'pdf'], ofPdf],
  'a text and a PDF': [['long', 'longPdf'], ofPdf],
};

describe.each(Object.entries(aiDoors))('%s', (_, door) => {
  const send = (files: readonly string[]) =>
    sendTo(
      server,
      door,
      account.credential,
      door.body(
        'What do they say?',
        files.map((name) => ids[name]!),
      ),
    );

  it.each(Object.entries(rejected))('rejects %s with over 1 MiB together', async (_name, [files, message]) => {
    const before = upstream.requests.length;
    const answer = await send(files);
    const { error } = answer.json();
    expect([answer.status, error.code]).toEqual([400, 'context_length_exceeded']);
    expect(error.message).toMatch(message);
    expect(upstream.requests).toHaveLength(before);
  });

  it('reads files of 1 MiB together', async () => {
    expect((await send(['text', 'other'])).status).toBe(200);
    expect((await send(['long', 'pdf'])).status).toBe(200);
  });
});
