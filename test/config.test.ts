import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { Feature } from '#server/feature.ts';
import { features } from '#server/features.ts';
import { ConfigProblems, parseConfig } from '#server/config/config.ts';
import { compileTrusted } from '#server/http/client-address.ts';

/** Returns the problems of an environment, or none if it is valid. */
function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems;
    throw error;
  }
}

async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-config-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'file'), text);
  return join(folder, 'file');
}

describe('parseConfig()', () => {
  it('has a default for everything', () => {
    expect(parseConfig({})).toEqual({
      dataDir: resolve('data'),
      host: '127.0.0.1',
      operatorHost: '127.0.0.1',
      operatorNames: [],
      mayMoveOperator: true,
      hasPublicMetrics: false,
      settings: expect.any(Array),
      ports: { api: 7400, files: 7401, public: 7402, s3: 7403, operator: 7404 },
      urls: {
        base: undefined,
        api: undefined,
        files: undefined,
        public: undefined,
        s3: undefined,
        operator: undefined,
      },
      masterKey: undefined,
      masterKeySource: undefined,
      keyEncryptionKey: undefined,
      rateLimits: true,
      caches: true,
      workers: 1,
      minFreeBytes: null,
      trustedProxies: [],
      cdnPurgeUrl: undefined,
      ai: {
        upstreams: [],
        modelFile: undefined,
        devResponder: true,
        clientForms: false,
        responses: true,
        messages: true,
        embeddings: undefined,
        streaming: { isOn: false, keepAliveMs: 10_000 },
        maxConcurrent: null,
        dailyTokens: null,
        cache: { keptMs: 0, maxBytes: 67_108_864 },
        tracesContent: false,
        logDays: 0,
        queueMs: { chat: 0, agents: 10_000 },
      },
      searchUrl: undefined,
      logLevel: 'info',
      backup: undefined,
      events: { keptDays: 30, allowPrivate: false },
      featuresOff: new Set(),
      deploys: { coalesces: false },
      images: { isOn: false, cacheBytes: 1_073_741_824, presets: new Map() },
      scrubDays: 30,
      rowCacheBytes: null,
      bodyMemoryBytes: 128 * 1024 ** 2,
    });
  });

  it('reads every variable', () => {
    const env = {
      CUBBY_DATA_DIR: '/srv/cubby',
      CUBBY_HOST: '0.0.0.0',
      CUBBY_API_PORT: '80',
      CUBBY_FILES_PORT: '0',
      CUBBY_PUBLIC_PORT: '65535',
      CUBBY_S3_PORT: ' 9000 ',
      CUBBY_OPERATOR_PORT: '9404',
      CUBBY_OPERATOR_HOST: '127.0.0.2',
      CUBBY_OPERATOR_NAMES: 'cubby, Ops.example.com',
      CUBBY_OPERATOR_URL: 'http://127.0.0.2:9404/',
      CUBBY_PUBLIC_METRICS: 'on',
      CUBBY_BASE_URL: 'https://storage.example.com/',
      CUBBY_API_URL: 'https://api.example.com',
      CUBBY_FILES_URL: 'HTTPS://Files.example.com:8443/cubby//',
      CUBBY_PUBLIC_URL: 'http://10.0.0.1:7402',
      CUBBY_S3_URL: 'http://[::1]:7403/',
      CUBBY_MASTER_KEY: 'k'.repeat(32),
      CUBBY_MIN_FREE_BYTES: '2 GiB',
      CUBBY_CACHE_BYTES: '1GiB',
      CUBBY_BODY_MEMORY: '64 MiB',
      CUBBY_RATE_LIMITS: 'off',
      CUBBY_CACHES: 'off',
      CUBBY_WORKERS: '1',
      CUBBY_TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,fd00::/8 , 192.0.2.1',
      CUBBY_CDN_PURGE_URL: 'https://cubby:secret@relay.example.com/purge?token=abc',
      CUBBY_AI_UPSTREAM_URL: 'http://127.0.0.1:11434/v1/, https://api.example.com/v1',
      CUBBY_AI_UPSTREAM_KEY: ',sk-abc',
      CUBBY_AI_UPSTREAM_MODEL: 'tiny:8b, large',
      CUBBY_AI_DEV_RESPONDER: 'off',
      CUBBY_AI: 'open',
      CUBBY_AI_CLIENT_FORMS: 'on',
      CUBBY_AI_RESPONSES: 'on',
      CUBBY_AI_MESSAGES: 'on',
      CUBBY_AI_EMBEDDINGS_MODEL: 'nomic-embed',
      CUBBY_AI_STREAMING: 'on',
      CUBBY_AI_STREAM_KEEPALIVE_SECONDS: 'off',
      CUBBY_AI_MAX_CONCURRENT: '32',
      CUBBY_AI_DAILY_TOKENS: '50000000',
      CUBBY_AI_CACHE_SECONDS: '3600',
      CUBBY_AI_CACHE_BYTES: '8MiB',
      CUBBY_AI_TRACE_CONTENT: 'on',
      CUBBY_AI_LOG_DAYS: '30',
      CUBBY_AI_QUEUE_MS: '2500',
      CUBBY_SEARCH_URL: 'http://127.0.0.1:8888/searx/',
      CUBBY_LOG: 'silent',
      CUBBY_BACKUP_TARGET: '/mnt/backup',
      CUBBY_EVENTS_DAYS: '7',
      CUBBY_FEATURES: '-devices',
      CUBBY_WEBHOOK_ALLOW_PRIVATE: '10.0.0.0/8, ::1',
      CUBBY_IMAGE_VARIANTS: 'on',
      CUBBY_IMAGE_CACHE_BYTES: '500MB',
      CUBBY_IMAGE_PRESETS: 'thumb:w=200&h=200&fit=cover, large:w=1600&q=70&f=webp',
      CUBBY_SCRUB_DAYS: '0',
      CUBBY_DEPLOY_COALESCE: 'on',
    };
    expect(parseConfig(env)).toEqual({
      dataDir: '/srv/cubby',
      host: '0.0.0.0',
      operatorHost: '127.0.0.2',
      operatorNames: ['cubby', 'ops.example.com'],
      mayMoveOperator: false,
      hasPublicMetrics: true,
      settings: expect.any(Array),
      ports: { api: 80, files: 0, public: 65_535, s3: 9000, operator: 9404 },
      urls: {
        base: 'https://storage.example.com',
        api: 'https://api.example.com',
        files: 'https://files.example.com:8443/cubby',
        public: 'http://10.0.0.1:7402',
        s3: 'http://[::1]:7403',
        operator: 'http://127.0.0.2:9404',
      },
      masterKey: 'k'.repeat(32),
      masterKeySource: 'CUBBY_MASTER_KEY',
      minFreeBytes: 2 * 1024 ** 3,
      rowCacheBytes: 1024 ** 3,
      bodyMemoryBytes: 64 * 1024 ** 2,
      rateLimits: false,
      caches: false,
      workers: 1,
      trustedProxies: ['loopback', '10.0.0.0/8', 'fd00::/8', '192.0.2.1'],
      cdnPurgeUrl: 'https://cubby:secret@relay.example.com/purge?token=abc',
      ai: {
        upstreams: [
          { url: 'http://127.0.0.1:11434/v1', key: undefined, model: 'tiny:8b' },
          { url: 'https://api.example.com/v1', key: 'sk-abc', model: 'large' },
        ],
        modelFile: undefined,
        devResponder: false,
        clientForms: true,
        responses: true,
        messages: true,
        embeddings: { url: 'http://127.0.0.1:11434/v1', key: undefined, model: 'nomic-embed' },
        streaming: { isOn: true, keepAliveMs: null },
        maxConcurrent: 32,
        dailyTokens: 50_000_000,
        cache: { keptMs: 3_600_000, maxBytes: 8_388_608 },
        tracesContent: true,
        logDays: 30,
        queueMs: { chat: 2500, agents: 2500 },
      },
      searchUrl: 'http://127.0.0.1:8888/searx',
      logLevel: 'silent',
      backup: { folder: '/mnt/backup' },
      events: { keptDays: 7, allowPrivate: ['10.0.0.0/8', '::1'] },
      featuresOff: new Set(['devices']),
      deploys: { coalesces: true },
      images: {
        isOn: true,
        cacheBytes: 500_000_000,
        presets: new Map([
          ['thumb', { width: 200, height: 200, fit: 'cover', quality: null, format: 'auto' }],
          ['large', { width: 1600, height: null, fit: 'contain', quality: 70, format: 'webp' }],
        ]),
      },
      scrubDays: 0,
    });
  });

  it('treats an empty variable as unset, because compose files leave variables empty', () => {
    expect(parseConfig({ CUBBY_DATA_DIR: '', CUBBY_API_PORT: ' ', CUBBY_MASTER_KEY: '', CUBBY_WORKERS: '' })).toEqual(
      parseConfig({}),
    );
  });

  it('reads the master key from a file', async () => {
    const path = await fileWith(`${'f'.repeat(64)}\n`);
    expect(parseConfig({ CUBBY_MASTER_KEY_FILE: path }).masterKey).toBe('f'.repeat(64));
  });

  it('reports every problem at once, one in each line', async () => {
    const env = {
      CUBBY_DATA_DIR: await fileWith('not a folder'),
      CUBBY_HOST: 'http://0.0.0.0',
      CUBBY_API_PORT: '70000',
      CUBBY_BASE_URL: 'storage.example.com',
      CUBBY_MASTER_KEY: 'short',
      CUBBY_RATE_LIMITS: 'yes',
      CUBBY_TRUSTED_PROXIES: 'proxy.local, 10.0.0.1',
      CUBBY_LOG: 'verbose',
      CUBBY_AI_UPSTREAM_URL: 'http://127.0.0.1:11434/v1,nowhere',
      CUBBY_AI_UPSTREAM_KEY: 'a,b,c',
      CUBBY_AI_DAILY_TOKENS: '1e6',
      CUBBY_SEARCH_URL: 'searx.local',
      CUBBY_WORKERS: '2',
      CUBBY_DATADIR: '/srv',
    };
    const problems = problemsOf(env);
    expect(problems).toEqual([
      `CUBBY_DATA_DIR is "${env.CUBBY_DATA_DIR}", which is a file and not a folder. ` +
        'Set it to a folder on a disk of this machine.',
      'CUBBY_HOST is "http://0.0.0.0", but must be an address of this machine such as 127.0.0.1, 0.0.0.0 or ::, ' +
        'without a port.',
      'CUBBY_API_PORT is "70000", but must be a port number from 0 to 65535.',
      'CUBBY_BASE_URL is "storage.example.com", but must be an http or https address ' +
        'such as https://files.example.com.',
      expect.stringMatching(/^The master key has 5 characters, but must have at least 32\./),
      'CUBBY_RATE_LIMITS is "yes", but must be on or off.',
      'CUBBY_TRUSTED_PROXIES names "proxy.local", which is not an address, network, loopback, linklocal or ' +
        'uniquelocal.',
      'CUBBY_AI_UPSTREAM_URL is set, but must be an http or https address such as http://127.0.0.1:11434/v1, ' +
        'without "?" and "#".',
      'CUBBY_AI_UPSTREAM_KEY has 3 entries, and CUBBY_AI_UPSTREAM_URL has 2. Give one for all, or one each.',
      'CUBBY_AI_DAILY_TOKENS is "1e6", but must be a whole number from 1 to 9007199254740991.',
      'CUBBY_SEARCH_URL is set, but must be an http or https address such as http://127.0.0.1:8888, ' +
        'without "?" and "#".',
      'CUBBY_LOG is "verbose", but must be debug, info, warn, error or silent.',
      'CUBBY_WORKERS is 2, but several workers need CUBBY_DATABASE_URL: they cannot share a SQLite database. ' +
        'Name a PostgreSQL database, or set CUBBY_WORKERS to 1.',
      'CUBBY_DATADIR is not a variable of Cubby. See docs/operating/configuration.md.',
    ]);
    expect(() => parseConfig(env)).toThrow(`The configuration has 14 problems:\n  - ${problems[0]}\n  - `);
  });

  const refused: Record<string, string[]> = {
    CUBBY_HOST: ['0.0.0.0:7400', '[::1]', '999.1.1.1', '10.0.0', 'my host', '*', '-x', 'http://x'],
    CUBBY_API_PORT: ['-1', '65536', '74o0', '1e3', '0x10', '7400.0', '999999', '+80'],
    CUBBY_PUBLIC_URL: [
      'x',
      '/x',
      'ftp://x',
      'http:x',
      'http://',
      'http://x?a=b',
      'http://x#a',
      'javascript:alert(1)',
      'https://a b',
    ],
    CUBBY_RATE_LIMITS: ['ON', 'true', '0', 'none'],
    CUBBY_CACHES: ['ON', 'true', '0', 'none'],
    CUBBY_TRUSTED_PROXIES: [
      '999.1.1.1',
      '10',
      '10.0.0.0/33',
      '10.0.0.0/0',
      '::/0',
      '10.0.0.0/',
      'fd00::/129',
      'dead',
      '*',
      '10.0.0.1;10.0.0.2',
      '::ffff:10.0.0.0/90',
    ],
    CUBBY_CDN_PURGE_URL: [
      'relay.example.com',
      '/purge',
      'ftp://relay',
      'http:relay',
      'http://',
      'https://a b',
      'javascript:alert(1)',
      'http://relay/#purge',
      'http://%zz@relay',
      'http://relay/purge',
    ],
    CUBBY_AI_UPSTREAM_URL: [
      'api.example.com/v1',
      'ftp://x/v1',
      'http://',
      'http://x/v1?key=a',
      'http://x/v1#a',
      'http://user:pass@x/v1',
      'http:x',
      'http://x/v1,,http://y/v1',
      'http://a b/v1',
    ],
    CUBBY_AI_DEV_RESPONDER: ['yes', 'ON', '1'],
    CUBBY_AI_STREAMING: ['yes', 'ON', '1'],
    CUBBY_AI_CLIENT_FORMS: ['yes', 'ON', '1'],
    CUBBY_AI_RESPONSES: ['yes', 'ON', '1'],
    CUBBY_AI_MESSAGES: ['yes', 'ON', '1'],
    CUBBY_AI_EMBEDDINGS_MODEL: ['nomic-embed'],
    CUBBY_AI_EMBEDDINGS_URL: ['http://127.0.0.1:11434/v1'],
    CUBBY_AI_EMBEDDINGS_KEY: ['sk-abc'],
    CUBBY_AI_STREAM_KEEPALIVE_SECONDS: ['0', '61', '-1', '1.5', 'on', '10s', '100'],
    CUBBY_AI_MAX_CONCURRENT: ['0', '-1', '1.5', '1e3', '100001', 'many'],
    CUBBY_AI_QUEUE_MS: ['-1', '60001', '1.5', '1s', '999999'],
    CUBBY_AI_DAILY_TOKENS: ['0', '-1', '9007199254740992', '10M', '99999999999999999999'],
    CUBBY_AI_CACHE_SECONDS: ['-1', '604801', '1.5', 'on'],
    CUBBY_AI_CACHE_BYTES: ['0', '1023KiB', '65GiB', 'much'],
    CUBBY_AI_TRACE_CONTENT: ['yes', 'ON', '1'],
    CUBBY_AI_LOG_DAYS: ['-1', '401', '1.5', 'on'],
    CUBBY_AI_MODEL_FILE: ['/does/not/exist.gguf', '/tmp'],
    CUBBY_SEARCH_URL: ['searx', 'http://x/search?q=', 'http://user@x', 'ftp://x', 'http://x#a'],
    CUBBY_LOG: ['INFO', 'trace', '1'],
    CUBBY_EVENTS_DAYS: ['0', '366', '1.5', 'off'],
    CUBBY_FEATURES: ['chat', '-chats', '-files', '-chat,', withoutNeeded()],
    CUBBY_WEBHOOK_ALLOW_PRIVATE: ['yes', '10.0.0.0/33', 'localhost', '10.0.0.0/8,', '::1/129'],
    CUBBY_SCRUB_DAYS: ['-1', '366', '1.5', 'off'],
    CUBBY_IMAGE_VARIANTS: ['yes', 'ON', '1'],
    CUBBY_DEPLOY_COALESCE: ['yes', 'ON', '1'],
    CUBBY_IMAGE_CACHE_BYTES: ['0', '1023KiB', 'much', '-1'],
    CUBBY_IMAGE_PRESETS: ['thumb', 'thumb:w=0', 'a:w=1,a:w=2', 'a:w=1,', 'a:f=webp', 'A:w=1', 'a:w=1&x=2'],
  };
  it.each(Object.entries(refused))('rejects invalid values of %s', (name, values) => {
    for (const value of values)
      expect(problemsOf({ [name]: value }), value).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
  });

  const accepted: Record<string, string[]> = {
    CUBBY_HOST: ['::', '::1', '0.0.0.0', 'localhost', 'node-1.example.com'],
    CUBBY_TRUSTED_PROXIES: [
      '',
      'loopback',
      'linklocal,uniquelocal',
      '10.0.0.1',
      '10.0.0.0/8',
      '::1',
      'fd00::/8',
      '2001:db8::/128',
      '::ffff:10.0.0.1',
      ',10.0.0.1,',
    ],
    CUBBY_DATA_DIR: ['/does/not/exist/yet', '.'],
  };
  it.each(Object.entries(accepted))('accepts valid values of %s', (name, values) => {
    for (const value of values) expect(problemsOf({ [name]: value }), value).toEqual([]);
  });

  it('accepts no proxy that makes the server fail', () => {
    for (const value of [...accepted.CUBBY_TRUSTED_PROXIES!, '1.2.3.4/1', '1.2.3.4/32', '::/1']) {
      expect(() => compileTrusted(parseConfig({ CUBBY_TRUSTED_PROXIES: value }).trustedProxies), value).not.toThrow();
    }
  });

  it('gives the model for embeddings the server and the key of the chat model, and no other server that key', () => {
    const chat = { CUBBY_AI_UPSTREAM_URL: 'http://a/v1', CUBBY_AI_UPSTREAM_KEY: 'sk-a' };
    const embeddingsOf = (env: Record<string, string>) =>
      parseConfig({ CUBBY_AI_EMBEDDINGS_MODEL: 'm', ...env }).ai.embeddings;
    expect(embeddingsOf(chat)).toEqual({ url: 'http://a/v1', key: 'sk-a', model: 'm' });
    const elsewhere = { ...chat, CUBBY_AI_EMBEDDINGS_URL: 'http://b/v1' };
    expect(embeddingsOf(elsewhere)).toEqual({ url: 'http://b/v1', key: undefined, model: 'm' });
    expect(embeddingsOf({ ...elsewhere, CUBBY_AI_EMBEDDINGS_KEY: 'sk-b' })?.key).toBe('sk-b');
    expect(problemsOf({ ...elsewhere, CUBBY_AI_EMBEDDINGS_MODEL: 'm', CUBBY_AI_EMBEDDINGS_KEY: 'a b' })).toEqual([
      expect.stringMatching(/^CUBBY_AI_EMBEDDINGS_KEY is set, but must be a key/),
    ]);
  });

  it('rejects unknown variables by name', () => {
    expect(problemsOf({ CUBBY_API_PROT: '7400', HOME: '/root' })).toEqual([
      'CUBBY_API_PROT is not a variable of Cubby. See docs/operating/configuration.md.',
    ]);
  });

  it('accepts values that ask for nothing, and variables of related programs', () => {
    expect(
      problemsOf({
        CUBBY_WORKERS: '1',
        CUBBY_AI_DEV_RESPONDER: 'off',
        CUBBY_MOCK_PORT: '7410',
        CUBBY_TEST_LONG: '1',
        CUBBY_KEY: 'cbk_x',
      }),
    ).toEqual([]);
  });

  it('accepts a purge hook only with the address under which a CDN knows the files', () => {
    const hook = { CUBBY_CDN_PURGE_URL: 'http://relay/purge' };
    expect(problemsOf(hook)).toEqual([
      'CUBBY_CDN_PURGE_URL needs CUBBY_PUBLIC_URL: a CDN knows files by the addresses that clients use.',
    ]);
    expect(problemsOf({ ...hook, CUBBY_PUBLIC_URL: 'https://cdn.example.com' })).toEqual([]);
    expect(problemsOf({ ...hook, CUBBY_PUBLIC_URL: 'x' })).toHaveLength(1);
  });

  it('accepts one key and one model for all upstreams, or one each', () => {
    const upstreamsOf = (env: Record<string, string>) =>
      parseConfig({ CUBBY_AI_UPSTREAM_URL: 'http://a/v1,http://b/v1', ...env }).ai.upstreams.map(
        ({ key, model }) => `${key} ${model}`,
      );
    expect(upstreamsOf({})).toEqual(['undefined default', 'undefined default']);
    expect(upstreamsOf({ CUBBY_AI_UPSTREAM_KEY: 'sk', CUBBY_AI_UPSTREAM_MODEL: 'm' })).toEqual(['sk m', 'sk m']);
    expect(upstreamsOf({ CUBBY_AI_UPSTREAM_KEY: 'sk, ', CUBBY_AI_UPSTREAM_MODEL: ',m' })).toEqual([
      'sk default',
      'undefined m',
    ]);
    expect(problemsOf({ CUBBY_AI_UPSTREAM_URL: 'http://a/v1', CUBBY_AI_UPSTREAM_MODEL: 'm,n' })).toEqual([
      expect.stringContaining('CUBBY_AI_UPSTREAM_MODEL has 2 entries, and CUBBY_AI_UPSTREAM_URL has 1'),
    ]);
    expect(problemsOf({ CUBBY_AI_UPSTREAM_URL: 'http://a/v1', CUBBY_AI_UPSTREAM_KEY: 'sk a' })).toEqual([
      expect.stringMatching(/^CUBBY_AI_UPSTREAM_KEY is set, but must be one key/),
    ]);
    for (const name of ['CUBBY_AI_UPSTREAM_KEY', 'CUBBY_AI_UPSTREAM_MODEL'])
      expect(problemsOf({ [name]: 'x' })).toEqual([
        expect.stringContaining(`${name} is set, but needs CUBBY_AI_UPSTREAM_URL`),
      ]);
  });

  it('accepts a model file or upstreams, but not both', async () => {
    const file = await fileWith('GGUF');
    expect(parseConfig({ CUBBY_AI_MODEL_FILE: file }).ai.modelFile).toBe(file);
    expect(problemsOf({ CUBBY_AI_MODEL_FILE: file, CUBBY_AI_UPSTREAM_URL: 'http://a/v1' })).toEqual([
      'CUBBY_AI_MODEL_FILE and CUBBY_AI_UPSTREAM_URL are both set. Keep one of them.',
    ]);
  });

  it('allows the development responder in production only when it is switched on', () => {
    const allowed = (env: Record<string, string>) => parseConfig(env).ai.devResponder;
    expect([allowed({}), allowed({ NODE_ENV: 'development' }), allowed({ NODE_ENV: 'production' })]).toEqual([
      true,
      true,
      false,
    ]);
    expect([
      allowed({ CUBBY_AI_DEV_RESPONDER: 'off' }),
      allowed({ NODE_ENV: 'production', CUBBY_AI_DEV_RESPONDER: 'on' }),
    ]).toEqual([false, true]);
  });

  it('lets doors share a port only under different host names', () => {
    expect(problemsOf({ CUBBY_FILES_PORT: '7400' })).toEqual([
      expect.stringContaining('The api and the files door share port 7400'),
    ]);
    const urls = { CUBBY_API_URL: 'http://api.example.com', CUBBY_FILES_URL: 'http://files.example.com' };
    expect(problemsOf({ ...urls, CUBBY_FILES_PORT: '7400' })).toEqual([]);
    expect(
      problemsOf({ ...urls, CUBBY_FILES_URL: 'http://api.example.com:81', CUBBY_FILES_PORT: '7400' }),
    ).toHaveLength(1);
    expect(problemsOf({ CUBBY_API_PORT: '0', CUBBY_FILES_PORT: '0' })).toEqual([]);
  });

  it('rejects a master key that is given twice, too short, or in a file that cannot be read', async () => {
    const good = 'g'.repeat(32);
    expect(problemsOf({ CUBBY_MASTER_KEY: good, CUBBY_MASTER_KEY_FILE: await fileWith(good) })).toEqual([
      'CUBBY_MASTER_KEY and CUBBY_MASTER_KEY_FILE are both set. Keep one of them.',
    ]);
    expect(problemsOf({ CUBBY_MASTER_KEY_FILE: await fileWith(' \n') })).toEqual([
      expect.stringMatching(/^The master key has 0 characters/),
    ]);
    expect(problemsOf({ CUBBY_MASTER_KEY_FILE: '/does/not/exist' })).toEqual([
      'CUBBY_MASTER_KEY_FILE must name a file that can be read (ENOENT).',
    ]);
    expect(problemsOf({ CUBBY_MASTER_KEY_FILE: '/tmp' })).toEqual([
      'CUBBY_MASTER_KEY_FILE must name a file that can be read (EISDIR).',
    ]);
  });

  it('keeps control characters out of its messages', () => {
    expect(problemsOf({ CUBBY_LOG: 'a\u001b[2Jb\nc' })).toEqual([
      'CUBBY_LOG is "a?[2Jb?c", but must be debug, info, warn, error or silent.',
    ]);
  });
});

/** Switches off a feature that others need, and all of those but one. */
function withoutNeeded(): string {
  const all: readonly Feature[] = features;
  const needing = (needed: Feature) => all.filter(({ needs }) => needs.includes(needed));
  const needed = all.find((one) => !one.isRequired && needing(one).length > 0)!;
  return [needed, ...needing(needed).slice(1)].map(({ name }) => `-${name}`).join();
}
