import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { startChatUpstream, type ChatUpstream } from '#mocks/chat-upstream.ts';
import { startSandbox, type Sandbox } from '#mocks/sandbox.ts';
import { freePort } from '#test/support/free-port.ts';
import { needPackages, needPrograms, needPythonPackages } from '#test/support/need-programs.ts';
import { followGuide, type Followed, type Reader, type TabLanguage } from './follow-guide.ts';
import { blocksOf } from './guide-code.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const isLong = process.env.CUBBY_TEST_LONG === '1';

let sandbox: Sandbox;
let upstream: ChatUpstream;
let reader: Reader;
beforeAll(async () => {
  const ports = Object.fromEntries(
    ['API', 'FILES', 'PUBLIC', 'S3', 'OPERATOR'].map((door) => [`CUBBY_${door}_PORT`, '0']),
  );
  upstream = await startChatUpstream();
  const env = {
    ...ports,
    CUBBY_AI: 'open',
    CUBBY_AI_EMBEDDINGS_MODEL: 'tiny',
    CUBBY_AI_EMBEDDINGS_URL: upstream.url,
  };
  sandbox = await startSandbox({ env });
  const { credential } = sandbox.accounts.find(({ plan }) => plan === 'enterprise')!;
  reader = { api: sandbox.urls.api, key: credential };
});
afterAll(async () => {
  await sandbox.stop();
  await upstream.close();
  expect(sandbox.wrongAnswers).toEqual([]);
});

const report = Buffer.from('%PDF-1.4 A report. '.repeat(200));

/** A guide whose tabs do the same in different languages. */
interface Guide {
  /** The files that the reader has. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** Packages of npm and of Python. */
  readonly packages?: { readonly js?: readonly string[]; readonly py?: ReadonlyArray<'anthropic' | 'openai'> };
  /** What its programs print, in each language. */
  readonly prints: readonly RegExp[];
  /** Looks at what they have done. */
  readonly check?: (printed: string, followed: Followed) => Promise<void>;
}

const openai = { js: ['openai'], py: ['openai'] } as const;

/** All guides with tabs of programs, and what these do. */
const guides: Readonly<Record<string, Guide>> = {
  'start/server.md': {
    files: { 'report.pdf': report },
    prints: [/stored prv\/\d+\/reports\/report_\w+\.pdf/],
    async check(printed) {
      const listed = printed.match(/(?<!stored )prv\/\d+\/reports\/report_\w+\.pdf/g);
      expect(listed).toContain(/stored (\S+)/.exec(printed)![1]);
      const [link] = /http:\/\/[^"\s]+\/s\/\w+/.exec(printed)!;
      expect(Buffer.from(await (await fetch(link)).arrayBuffer())).toEqual(report);
    },
  },
  'start/s3.md': {
    files: { 'report.pdf': report },
    packages: { js: ['@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner'] },
    prints: [/reports\/report\.pdf/],
    async check(printed) {
      const [address] = /^http:\S+X-Amz-Signature\S+$/m.exec(printed)!;
      expect(Buffer.from(await (await fetch(address)).arrayBuffer())).toEqual(report);
    },
  },
  'start/chat.md': { packages: openai, prints: [/ETag/] },
  'shares.md': {
    files: { 'lease.pdf': report },
    prints: [/link http:\S+\/s\/\w+/, /\blease\.pdf\b/],
    async check(printed, { folder }) {
      // Revoked, as the page says.
      expect((await fetch(/link (\S+)/.exec(printed)![1]!)).status).toBe(404);
      expect((await readFile(join(folder, 'papers.zip'))).includes(report)).toBe(true);
    },
  },
  'upload-tokens.md': {
    prints: [/cbup_\w+/],
    async check(printed, { folder }) {
      const [token] = /cbup_\w+/.exec(printed)!;
      const code = await readFile(join(folder, 'page.js'), 'utf8');
      const program = `${code}\nconsole.log(await upload(process.argv[2], new File([new Uint8Array(600)], 'me.png')));`;
      await writeFile(join(folder, 'page.mjs'), program);
      const { stdout } = await run(process.execPath, [join(folder, 'page.mjs'), token]);
      expect(stdout).toMatch(/^pub\/\d+\/avatars\/avatar_\w+\.png$/m);
    },
  },
  'chunked-uploads.md': {
    // Two parts.
    files: { 'site.tar.gz': Buffer.alloc(33 * 1024 * 1024, 'a site ') },
    prints: [/pub\/\d+\/site\.tar\.gz/, /\bnext_part['"]?: ?3\b/, /\bparts['"]?: ?2\b/],
  },
  'events.md': { prints: [/(?:"cursor":"|go on at )\w+-\w+\.[\w-]+/, /whsec_[A-Za-z0-9+/]{43}=/] },
  'keys.md': { prints: [/\bcbk_\w+/] },
  'rules.md': { prints: [/contracts\//, /\bdelete_after_days['"]?: ?30\b/] },
  'trash.md': {
    files: { 'april.pdf': report },
    prints: [/pub\/\d+\/invoices\/april\.pdf/],
    async check(printed) {
      const [id] = /pub\/\d+\/invoices\/april\.pdf/.exec(printed)!;
      const headers = { Authorization: `Bearer ${reader.key}` };
      const answer = await fetch(`${reader.api}/v1/trash?prefix=invoices/`, { headers });
      const { response } = (await answer.json()) as { response: { versions: Array<{ id: string }> } };
      expect(response.versions.filter((version) => version.id === id)).toEqual([]);
    },
  },
  'ai.md': { packages: openai, prints: [/ETag/] },
  'ai/streaming.md': { packages: openai, prints: [/ETag/] },
  'ai/embeddings.md': { packages: openai, prints: [/"?embedding"?:? ?\[/] },
  'ai/responses.md': { packages: openai, prints: [/ETag/] },
  'ai/messages.md': { packages: { js: ['@anthropic-ai/sdk'], py: ['anthropic'] }, prints: [/ETag/] },
};

const allGuides = globSync('**/*.md', { cwd: join(root, 'docs') }).map((path) => path.replaceAll('\\', '/'));

/** Returns the languages in which a guide has tabs of programs. */
function languagesOf(guide: string): TabLanguage[] {
  const tabs = blocksOf(guide).filter(({ isTab, file }) => isTab && file === undefined);
  return [...new Set(tabs.map(({ language }) => language as TabLanguage))];
}

/** Skips the test if this machine cannot run a program in this language. */
function needs(language: TabLanguage, { packages }: Guide = { prints: [] }): void {
  if (language === 'js') needPackages(...(packages?.js ?? []));
  if (language === 'py') {
    needPrograms('python3', 'requests');
    needPythonPackages(...(packages?.py ?? []));
  }
  if (language === 'go') needPrograms('go');
  if (language === 'php') needPrograms('php', 'php-curl');
}

describe('the guides in several languages', () => {
  it('are all run by this test, each of them in curl, JavaScript and Python', () => {
    const found = allGuides.filter((guide) => languagesOf(guide).length > 0);
    expect(found.toSorted()).toEqual(Object.keys(guides).toSorted());
    for (const guide of found) expect(languagesOf(guide), guide).toEqual(expect.arrayContaining(['sh', 'js', 'py']));
  });

  const cases = Object.keys(guides).flatMap((name) => languagesOf(name).map((language) => [name, language] as const));

  // Compiling takes half a minute where Go's cache is empty.
  it.each(cases.filter(([, language]) => isLong || language !== 'go'))('%s works in %s', async (name, language) => {
    const { files, prints, check } = guides[name]!;
    needs(language, guides[name]);
    if (name === 'start/s3.md') {
      if (language === 'sh') needPrograms('aws');
      if (language === 'py') needPrograms('boto3');
    }
    const followed = await followGuide(reader, name, files, { 'https://api.example.com': reader.api });
    const printed = await followed.program(language);
    for (const pattern of prints) expect(printed).toMatch(pattern);
    await check?.(printed, followed);
  });

  it('have programs in Go that are formatted as such programs are', async () => {
    needPrograms('gofmt');
    const folder = await mkdtemp(join(tmpdir(), 'cubby-go-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const programs = allGuides.flatMap(blocksOf).filter(({ language }) => language === 'go');
    expect(programs.length).toBeGreaterThan(1);
    const names = programs.map((_program, at) => join(folder, `${at}.go`));
    for (const [at, { code }] of programs.entries()) await writeFile(names[at]!, code);
    expect(await run('gofmt', ['-l', ...names])).toMatchObject({ stdout: '' });
  });

  it('start/page.md gives the page a token, with a server in Python', async () => {
    needs('py');
    const { start } = await followGuide(reader, 'start/page.md');
    const { address } = await start('python3 server.py');
    expect(await (await fetch(address)).text()).toContain(`base-url="${reader.api}"`);
    const { token } = (await (await fetch(`${address}/upload-token`, { method: 'POST' })).json()) as { token: string };
    const body = new FormData();
    body.append('file', new File([report], 'notes.txt'));
    const headers = { Authorization: token, Origin: address };
    const stored = await fetch(`${reader.api}/v1/objects?name=notes&prefix=inbox`, { method: 'POST', headers, body });
    expect(((await stored.json()) as { response: { id: string } }).response.id).toMatch(/^pub\/\d+\/inbox\/notes_\w+/);
  });

  const receivers = [
    ['js', 'node hooks.mjs'],
    ['py', 'python3 hooks.py'],
    // `go run` would leave its child behind.
    ['go', "bash -c 'go build -o hooks hooks.go && exec ./hooks'"],
    ['php', 'php -S localhost:3000 hooks.php'],
  ] as const;

  it.each(receivers.filter(([language]) => isLong || language !== 'go'))(
    'events.md takes a delivery only with its signature and soon, in %s',
    async (language, command) => {
      needs(language);
      const secret = `whsec_${Buffer.alloc(32, 'a secret').toString('base64')}`;
      const port = String(await freePort());
      const { start } = await followGuide(reader, 'events.md', {}, { '3000': port });
      const { printed } = await start(`env WEBHOOK_SECRET=${secret} ${command.replace('3000', port)}`);
      const body = JSON.stringify({ id: 'evt_1', type: 'object.created' });
      const send = async (sentAt: Date, text = body, other = secret) => {
        const headers = {
          'webhook-id': 'evt_1',
          'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
          'webhook-signature': `v1a,AAAA ${new Webhook(other).sign('evt_1', sentAt, body)}`,
        };
        return (await fetch(`http://localhost:${port}/hooks`, { method: 'POST', headers, body: text })).status;
      };
      const now = new Date();
      await expect.poll(() => send(now).catch(String), { timeout: 60_000 }).toBe(204);
      expect(await send(now, `${body} `)).toBe(400);
      expect(await send(now, body, `whsec_${Buffer.alloc(32).toString('base64')}`)).toBe(400);
      expect(await send(new Date(now.getTime() - 600_000))).toBe(400);
      await expect.poll(printed).toContain('object.created evt_1');
    },
  );
});
