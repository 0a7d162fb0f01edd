import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { startChatUpstream, type ChatUpstream } from '#mocks/chat-upstream.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts';

/** A file of models, as an object. */
export type ModelsText = Readonly<Record<string, unknown>>;

/** A file of models on the disk. It is removed when the test ends. */
export interface TestModelsFile {
  readonly folder: string;
  readonly path: string;
  /** Replaces the file, as editors do. A text is written as it is. */
  write(models: ModelsText | string): void;
}

/** Writes a file of models into a new folder. An object becomes JSON. */
export function writeModelsFile(models: ModelsText | string, name?: string): TestModelsFile {
  const folder = mkdtempSync(join(tmpdir(), 'cubby-models-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name ?? (typeof models === 'string' ? 'models.toml' : 'models.json'));
  const write = (next: ModelsText | string) => {
    writeFileSync(`${path}.new`, typeof next === 'string' ? next : JSON.stringify(next));
    renameSync(`${path}.new`, path);
  };
  write(models);
  return { folder, path, write };
}

/** Starts upstreams whose answers are their numbers, from 0. */
export async function numberedUpstreams(count: number): Promise<ChatUpstream[]> {
  const upstreams = await Promise.all(Array.from({ length: count }, () => startChatUpstream()));
  onTestFinished(async () => void (await Promise.all(upstreams.map((one) => one.close()))));
  for (const [at, one] of upstreams.entries()) one.answer({ text: String(at) });
  return upstreams;
}

/** Starts a server whose models are in a file. All formats are on. The file is looked at often. */
export async function startModelsServer(
  models: ModelsText | string,
  { env, ...options }: TestServerOptions = {},
): Promise<{ readonly server: TestServer; readonly file: TestModelsFile; readonly credential: string }> {
  const file = writeModelsFile(models);
  const server = await startTestServer({
    pollModelsMs: 20,
    ...options,
    env: {
      CUBBY_AI_MODELS_FILE: file.path,
      CUBBY_AI_STREAMING: 'on',
      ...env,
    },
  });
  return { server, file, credential: (await server.account()).credential };
}
