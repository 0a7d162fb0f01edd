import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startChatUpstream, type ChatUpstream } from '#mocks/chat-upstream.ts';
import { startSandbox, type Sandbox } from '#mocks/sandbox.ts';
import { operationsOf, type Json } from '#openapi/codegen/document.ts';
import { samplesOf } from '#openapi/build/samples/samples.ts';
import { eventually } from '#test/support/eventually.ts';
import { needPrograms } from '#test/support/need-programs.ts';
import { programPath } from '#test/support/programs.ts';
import { goProgram } from './go-program.ts';
import { SampleState } from './sample-state.ts';

const root = join(import.meta.dirname, '../..');
const isLong = process.env.CUBBY_TEST_LONG === '1';
const document: Json = JSON.parse(await readFile(join(root, 'generated/openapi.json'), 'utf8'));
const operations = operationsOf(document);

/** Samples that need a person, a browser's form or a second program: what they get in place of a success. */
const refusals: Readonly<Record<string, string>> = {
  pollDeviceToken: 'authorization_pending',
  submitActivation: 'INVALID_FORM_TOKEN',
  showSentFiles: 'NOTHING_SENT',
  getSentReceipt: 'NOTHING_SENT',
  getSentUpload: 'UPLOAD_NOT_FOUND',
  putSentBytes: 'UPLOAD_NOT_FOUND',
  deleteSentUpload: 'UPLOAD_NOT_FOUND',
  // The samples send a key, which has no session.
  deleteSession: 'SESSION_NOT_FOUND',
  deleteOperatorSession: 'SESSION_NOT_FOUND',
};

let sandbox: Sandbox;
let upstream: ChatUpstream;
let state: SampleState;
let folder: string;
let backups: string;
beforeAll(async () => {
  const ports = Object.fromEntries(
    ['API', 'FILES', 'PUBLIC', 'S3', 'OPERATOR'].map((door) => [`CUBBY_${door}_PORT`, '0']),
  );
  backups = await mkdtemp(join(tmpdir(), 'cubby-samples-'));
  upstream = await startChatUpstream();
  const env = {
    ...ports,
    CUBBY_BACKUP_TARGET: join(backups, 'target'),
    CUBBY_AI_EMBEDDINGS_MODEL: 'tiny',
    CUBBY_AI_EMBEDDINGS_URL: upstream.url,
  };
  sandbox = await startSandbox({ env });
  await backUp();
  state = new SampleState(sandbox);
  await mkdir(join(root, 'dist'), { recursive: true });
  // Within the package, so that programs find `cubby-server/client`.
  folder = await mkdtemp(join(root, 'dist/samples-'));
  await writeFile(join(folder, 'picture.png'), Buffer.alloc(2048, 'a picture '));
  await writeFile(join(folder, 'part.bin'), Buffer.alloc(2048, 'a part '));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await sandbox.stop();
  await upstream.close();
  await rm(backups, { recursive: true, force: true });
  expect(sandbox.wrongAnswers).toEqual([]);
});

/** Takes the first backup, so that there is one to list. */
async function backUp(): Promise<void> {
  const ask = (path: string, method = 'GET') =>
    fetch(`${sandbox.urls.operator}/v2/operator${path}`, { method, headers: { Authorization: sandbox.operatorKey } });
  await ask('/backups', 'POST');
  const state = async () => ((await (await ask('/upkeep')).json()) as Json).response.backups[0].state;
  await eventually(async () => expect(await state()).toBe('done'));
}

/** Whether a program ended well, and what it printed. */
interface Outcome {
  readonly isGood: boolean;
  readonly text: string;
}

function start(program: string, args: readonly string[], timeout = 60_000): Promise<Outcome> {
  const env = { PATH: programPath, HOME: process.env.HOME, GO111MODULE: 'off' };
  return new Promise((resolve) => {
    execFile(program, args, { cwd: folder, env, timeout, maxBuffer: 16_777_216 }, (error, stdout, stderr) =>
      resolve({ isGood: !error, text: stdout + stderr }),
    );
  });
}

/** Returns the sample of each operation in a language, with things that exist. */
async function sources(label: string): Promise<Map<string, string>> {
  await state.revokeKeys();
  const found = new Map<string, string>();
  for (const operation of operations) {
    const { source } = samplesOf(document, operation).find((one) => one.label === label)!;
    found.set(operation.id, await state.real(operation, source));
  }
  return found;
}

/** Checks that every sample ended well, or with the refusal that is expected of it. */
function check(outcomes: ReadonlyMap<string, Outcome>): void {
  const wrong = [...outcomes].filter(([id, { isGood, text }]) =>
    refusals[id] ? isGood || !text.includes(refusals[id]) : !isGood,
  );
  expect(Object.fromEntries(wrong.map(([id, { text }]) => [id, text]))).toEqual({});
  expect(outcomes.size).toBe(operations.length);
}

/** Runs all programs of a language in one process, which prints the errors by operation as JSON. */
async function inOneProcess(ending: string, label: string, program: string, runner: string): Promise<void> {
  const texts = await sources(label);
  const place = join(folder, label);
  await mkdir(place);
  for (const [id, text] of texts) await writeFile(join(place, `${id}.${ending}`), text);
  const file = join(place, `run.${ending}`);
  await writeFile(file, runner.replace('NAMES', JSON.stringify([...texts.keys()])));
  const { text, isGood } = await start(program, [file, place]);
  expect(isGood, text).toBe(true);
  const errors: Record<string, string> = JSON.parse(text.slice(text.lastIndexOf('\nERRORS ') + '\nERRORS '.length));
  check(new Map([...texts.keys()].map((id) => [id, { isGood: !(id in errors), text: errors[id] ?? '' }])));
}

const nodeRunner = `
const errors = {};
for (const name of NAMES) {
  try { await import('./' + name + '.mjs'); } catch (error) { errors[name] = String(error); }
}
console.log('\\nERRORS ' + JSON.stringify(errors));
`;

const pythonRunner = `
import json, sys
errors = {}
for name in NAMES:
    try:
        with open(f"{sys.argv[1]}/{name}.py") as file:
            exec(compile(file.read(), name, "exec"), {})
    except (Exception, SystemExit) as error:
        errors[name] = str(error)
print("\\nERRORS " + json.dumps(errors))
`;

describe('the samples of the reference, each run against the sandbox', () => {
  it('in curl', async () => {
    needPrograms('bash', 'curl');
    const outcomes = new Map<string, Outcome>();
    for (const [id, text] of await sources('curl')) {
      const script = `curl() { command curl --silent --show-error --fail-with-body "$@"; }\n${text}`;
      outcomes.set(id, await start('bash', ['--norc', '-euo', 'pipefail', '-c', script]));
    }
    check(outcomes);
  });

  it('with the typed client', () => inOneProcess('mjs', 'client', process.execPath, nodeRunner));

  it('with fetch', () => inOneProcess('mjs', 'fetch', process.execPath, nodeRunner));

  it('in Python', async () => {
    needPrograms('requests');
    await inOneProcess('py', 'Python', 'python3', pythonRunner);
  });

  it('are formatted as Go programs are', async () => {
    needPrograms('gofmt');
    for (const operation of operations) {
      const { source } = samplesOf(document, operation).find(({ label }) => label === 'Go')!;
      await writeFile(join(folder, `${operation.id}.go`), `${source}\n`);
    }
    expect(await start('gofmt', ['-l', ...operations.map(({ id }) => `${id}.go`)])).toEqual({ isGood: true, text: '' });
  });

  // Compiling takes half a minute where Go's cache is empty.
  it.skipIf(!isLong)('in Go (test:long)', async () => {
    needPrograms('go');
    const texts = await sources('Go');
    await writeFile(join(folder, 'samples.go'), goProgram(texts));
    const built = await start('go', ['build', '-o', 'samples', 'samples.go'], 300_000);
    expect(built.isGood, built.text).toBe(true);
    const outcomes = new Map<string, Outcome>();
    for (const id of texts.keys()) outcomes.set(id, await start(join(folder, 'samples'), [id]));
    check(outcomes);
  });
});
