import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { checkConfig } from '#server/config/config.ts';

async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-config-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'file'), text);
  return join(folder, 'file');
}

describe('checkConfig()', () => {
  it('returns the values in force and their sources', () => {
    const { config, settings, problems } = checkConfig({
      CUBBY_API_PORT: '8400',
      CUBBY_S3_PORT: '0',
      CUBBY_API_URL: 'https://api.example.com/',
    });
    expect(config).toBeDefined();
    expect(problems).toEqual([]);
    const shown = Object.fromEntries(settings.map(({ name, value, source }) => [name, `${value} (${source})`]));
    expect(shown).toEqual({
      CUBBY_DATA_DIR: `${resolve('data')} (default)`,
      CUBBY_DATABASE_URL: 'none, rows are in SQLite in the data folder (default)',
      CUBBY_DATABASE_PASSWORD_FILE: 'none (default)',
      CUBBY_HOST: '127.0.0.1 (default)',
      CUBBY_OPERATOR_HOST: '127.0.0.1 (default)',
      CUBBY_OPERATOR_NAMES: 'none (default)',
      CUBBY_API_PORT: '8400 (environment)',
      CUBBY_FILES_PORT: '7401 (default)',
      CUBBY_PUBLIC_PORT: '7402 (default)',
      CUBBY_S3_PORT: '0 (a free port) (environment)',
      CUBBY_OPERATOR_PORT: '7404 (default)',
      CUBBY_PUBLIC_METRICS: 'off (default)',
      CUBBY_BASE_URL: 'https://api.example.com (default)',
      CUBBY_API_URL: 'https://api.example.com (environment)',
      CUBBY_FILES_URL: 'http://localhost:7401 (default)',
      CUBBY_PUBLIC_URL: 'http://localhost:7402 (default)',
      CUBBY_S3_URL: 'http://localhost:<the free port> (default)',
      CUBBY_OPERATOR_URL: 'http://localhost:7404 (default)',
      CUBBY_KEY_ENCRYPTION_KEY: 'none (default)',
      CUBBY_MASTER_KEY: `in ${resolve('data/master.key')} (default)`,
      CUBBY_BLOBS_URL: 'files in the data folder (default)',
      CUBBY_BLOBS_ACCESS_KEY_ID: 'none (default)',
      CUBBY_BLOBS_SECRET_ACCESS_KEY: 'none (default)',
      CUBBY_BLOBS_REDIRECT: 'off (default)',
      CUBBY_MIN_FREE_BYTES: '256 MiB, or 1 % of the disk where that is less (default)',
      CUBBY_CACHE_BYTES: 'a 64th of the memory, 32 to 256 MiB (default)',
      CUBBY_BODY_MEMORY: '128 MiB (default)',
      CUBBY_RATE_LIMITS: 'on (default)',
      CUBBY_CACHES: 'on (default)',
      CUBBY_WORKERS: '1 (default)',
      CUBBY_TRUSTED_PROXIES: 'none (default)',
      CUBBY_CDN_PURGE_URL: 'none (default)',
      CUBBY_AI: 'strict (default)',
      CUBBY_AI_UPSTREAM_URL: 'none (default)',
      CUBBY_AI_UPSTREAM_KEY: 'none (default)',
      CUBBY_AI_UPSTREAM_MODEL: 'none (default)',
      CUBBY_AI_MODEL_FILE: 'none (default)',
      CUBBY_AI_MODELS_FILE: 'none (default)',
      CUBBY_AI_DEV_RESPONDER: 'on (default)',
      CUBBY_AI_CLIENT_FORMS: 'off (default)',
      CUBBY_AI_RESPONSES: 'on (default)',
      CUBBY_AI_MESSAGES: 'on (default)',
      CUBBY_AI_EMBEDDINGS_MODEL: 'none (default)',
      CUBBY_AI_EMBEDDINGS_URL: 'none (default)',
      CUBBY_AI_EMBEDDINGS_KEY: 'none (default)',
      CUBBY_AI_STREAMING: 'off (default)',
      CUBBY_AI_STREAM_KEEPALIVE_SECONDS: '10 (default)',
      CUBBY_AI_MAX_CONCURRENT: 'none (default)',
      CUBBY_AI_DAILY_TOKENS: 'none (default)',
      CUBBY_AI_CACHE_SECONDS: '0 (default)',
      CUBBY_AI_CACHE_BYTES: '67108864 (default)',
      CUBBY_AI_TRACE_CONTENT: 'off (default)',
      CUBBY_AI_LOG_DAYS: '0 (default)',
      CUBBY_AI_QUEUE_MS: '0 for chat completions, 10000 for the other forms (default)',
      CUBBY_SEARCH_URL: 'none (default)',
      CUBBY_LOG: 'info (default)',
      CUBBY_BACKUP_TARGET: 'none (default)',
      CUBBY_BACKUP_ACCESS_KEY_ID: 'none (default)',
      CUBBY_BACKUP_SECRET_ACCESS_KEY: 'none (default)',
      CUBBY_EVENTS_DAYS: '30 (default)',
      CUBBY_FEATURES: 'all (default)',
      CUBBY_WEBHOOK_ALLOW_PRIVATE: 'off (default)',
      CUBBY_SCRUB_DAYS: '30 (default)',
      CUBBY_IMAGE_VARIANTS: 'off (default)',
      CUBBY_DEPLOY_COALESCE: 'off (default)',
      CUBBY_IMAGE_CACHE_BYTES: '1073741824 (default)',
      CUBBY_IMAGE_PRESETS: 'none (default)',
    });
  });

  it('shows only the origin of a purge hook', () => {
    const { settings } = checkConfig({
      CUBBY_CDN_PURGE_URL: 'https://user:pass@relay.example.com:8443/hooks/abc?d=e',
      CUBBY_PUBLIC_URL: 'https://cdn.example.com',
    });
    expect(settings.find(({ name }) => name === 'CUBBY_CDN_PURGE_URL')!.value).toBe(
      'https://relay.example.com:8443, the rest not shown',
    );
  });

  it('shows null for a rejected value, and returns no configuration', () => {
    const { config, settings } = checkConfig({ CUBBY_LOG: 'loud' });
    expect(config).toBeUndefined();
    expect(settings.find(({ name }) => name === 'CUBBY_LOG')).toEqual({
      name: 'CUBBY_LOG',
      value: null,
      source: 'environment',
    });
  });

  it('never shows a secret, wherever it was put', async () => {
    const secret = 's3cretS3cretS3cretS3cretS3cretS3cret';
    const places: Array<Record<string, string>> = [
      { CUBBY_MASTER_KEY: secret },
      { CUBBY_MASTER_KEY: secret.slice(0, 20) },
      { CUBBY_MASTER_KEY_FILE: secret },
      { CUBBY_MASTER_KEY_FILE: await fileWith(secret) },
      { CUBBY_BASE_URL: `https://user:${secret}@files.example.com` },
      { CUBBY_BASE_URL: `https://${secret}@files.example.com` },
      { CUBBY_BASE_URL: `user:${secret}@files example` },
      { CUBBY_CDN_PURGE_URL: `https://${secret}@relay.example.com/`, CUBBY_PUBLIC_URL: 'https://cdn.example.com' },
      { CUBBY_CDN_PURGE_URL: `https://user:${secret}@relay.example.com/`, CUBBY_PUBLIC_URL: 'https://cdn.example.com' },
      {
        CUBBY_CDN_PURGE_URL: `https://relay.example.com/${secret}?token=${secret}`,
        CUBBY_PUBLIC_URL: 'https://cdn.example.com',
      },
      { CUBBY_CDN_PURGE_URL: `https://relay.example.com/?token=${secret}` },
      { CUBBY_CDN_PURGE_URL: `relay ${secret}` },
      { CUBBY_DATABASE_URL: `postgres://cubby:${secret}@db/cubby` },
      { CUBBY_DATABASE_URL: `postgres://cubby:${secret}@localhost/cubby` },
      { CUBBY_DATABASE_URL: 'postgres://cubby@localhost/cubby', CUBBY_DATABASE_PASSWORD_FILE: secret },
      { CUBBY_AI_UPSTREAM_KEY: secret },
      { CUBBY_AI_UPSTREAM_KEY: secret, CUBBY_AI_UPSTREAM_URL: 'https://api.example.com/v1' },
      { CUBBY_AI_UPSTREAM_KEY: `${secret} ${secret}`, CUBBY_AI_UPSTREAM_URL: 'https://api.example.com/v1' },
      { CUBBY_AI_UPSTREAM_URL: `https://user:${secret}@api.example.com/v1` },
      { CUBBY_AI_UPSTREAM_URL: `user:${secret}@api example` },
      { CUBBY_AI_UPSTREAM_URL: secret },
      { CUBBY_AI_UPSTREAM_URL: `https://api.example.com/v1?api-key=${secret}` },
      { CUBBY_AI_UPSTREAM_URL: `https://a.example.com/v1,https://api.example.com/v1#${secret}` },
      { CUBBY_SEARCH_URL: `https://user:${secret}@searx.example.com` },
      { CUBBY_SEARCH_URL: `https://searx.example.com/?token=${secret}` },
      { CUBBY_SEARCH_URL: secret },
      { CUBBY_MASTERKEY: secret },
      { CUBBY_KEY: secret },
    ];
    for (const env of places) {
      const { settings, problems } = checkConfig(env);
      expect(JSON.stringify({ settings, problems }), Object.keys(env)[0]).not.toContain(secret.slice(0, 20));
    }
  });
});
