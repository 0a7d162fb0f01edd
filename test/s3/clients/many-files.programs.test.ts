import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { s3RequestsPerWindow, s3WindowMs, type Plan } from '#server/domain/plan.ts';
import { noPackage } from '#test/support/packages.ts';
import { noProgram, type ProgramName } from '#test/support/programs.ts';
import { gatewayOf, someBytes, startGateway, type Gateway } from '../gateway.ts';
import { workplace, type Workplace } from './workplace.ts';

/*
 * Sends many small files with the default settings of each client, and the limits on. `CUBBY_TEST_LONG=1` sends 2,000
 * files on each plan, and prints how long each client took: `CUBBY_TEST_LONG=1 npx vitest run
 * test/s3/clients/many-files.programs.test.ts`.
 */

const isLong = process.env.CUBBY_TEST_LONG === '1';
const files = isLong ? 2000 : 130;
const fileBytes = 1024;
const plans: readonly Plan[] = isLong ? ['hobby', 'standard', 'pro', 'enterprise'] : ['hobby'];

/** Four windows of the slowest plan beyond what the limit itself needs for two requests for each file. */
const patienceMs = (plan: Plan) => 150_000 + Math.ceil((5 * files * s3WindowMs) / s3RequestsPerWindow[plan]);

interface Sender {
  readonly program?: ProgramName;
  readonly packages?: readonly string[];
  send(place: Workplace, patienceMs: number): Promise<unknown>;
}

const python = `import os, boto3
from concurrent.futures import ThreadPoolExecutor
s3 = boto3.client('s3', endpoint_url=os.environ['S3_URL'], region_name='auto')
with ThreadPoolExecutor(10) as pool:
    list(pool.map(lambda name: s3.upload_file('many/' + name, 'private', 'many/' + name), sorted(os.listdir('many'))))
`;

const javascript = `import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { readdir, readFile } from 'node:fs/promises';
const s3 = new S3Client({ endpoint: process.env.S3_URL, region: 'auto', forcePathStyle: true });
const names = await readdir('many');
await Promise.all(names.map(async (name) => {
  const Body = await readFile('many/' + name);
  await s3.send(new PutObjectCommand({ Bucket: 'private', Key: 'many/' + name, Body }));
}));
`;

const senders: Readonly<Record<string, Sender>> = {
  'aws s3 sync': {
    program: 'aws',
    send: (place, ms) =>
      place.run(
        'aws configure set default.region auto; ' +
          'aws --endpoint-url "$S3_URL" s3 sync --only-show-errors many s3://private/many',
        ms,
      ),
  },
  boto3: {
    program: 'boto3',
    async send(place, ms) {
      await place.write('send.py', python);
      await place.run('python3 send.py', ms);
    },
  },
  'AWS SDK for JavaScript': {
    packages: ['@aws-sdk/client-s3'],
    async send(place, ms) {
      // Within the package, so that its dependencies are found.
      const folder = join(import.meta.dirname, '../../../dist');
      const script = join(folder, `many-files-${process.pid}-${place.folder.slice(-6)}.mjs`);
      await mkdir(folder, { recursive: true });
      await writeFile(script, javascript);
      await place.run(`'${process.execPath}' '${script}'`, ms).finally(() => rm(script, { force: true }));
    },
  },
  rclone: {
    program: 'rclone',
    send: (place, ms) =>
      place.run(
        `export RCLONE_CONFIG_CUBBY_TYPE=s3 RCLONE_CONFIG_CUBBY_PROVIDER=Other RCLONE_CONFIG_CUBBY_REGION=auto
export RCLONE_CONFIG_CUBBY_ENDPOINT="$S3_URL" RCLONE_CONFIG_CUBBY_ENV_AUTH=true
export RCLONE_CONFIG_CUBBY_ACL=bucket-owner-full-control
rclone copy many cubby:private/many`,
        ms,
      ),
  },
};

interface Sent {
  readonly storedFiles: number;
  readonly requests: readonly LoggedRequest[];
  /** The end of what the client printed when it failed. */
  readonly failure: string | undefined;
  readonly seconds: number;
}

const cases = Object.entries(senders).flatMap(([name, sender]) =>
  plans.map((plan) => ({
    name,
    plan,
    missing: noProgram('bash', ...(sender.program ? [sender.program] : [])) ?? noPackage(...(sender.packages ?? [])),
    sender,
  })),
);

describe(`${files} small files with the limits on`, () => {
  let gateway: Gateway;
  const sent = new Map<string, Promise<Sent>>();
  const atEnd: Array<() => unknown> = [];

  // All at once, because most of the time they wait for the limit.
  beforeAll(async () => {
    gateway = await startGateway({ rateLimits: true });
    for (const { name, plan, missing, sender } of cases)
      if (missing === undefined) sent.set(`${name} ${plan}`, sendTo(gateway, plan, sender));
  });
  afterAll(async () => {
    await Promise.allSettled(sent.values());
    await gateway?.stop();
    for (const each of atEnd) await each();
  });

  it.each(cases.filter(({ missing }) => missing === undefined))(
    '$name on $plan: all are stored, and the limit is never passed',
    { timeout: Math.max(...plans.map(patienceMs)) + 60_000 },
    async ({ name, plan }) => {
      const { storedFiles, requests, failure, seconds } = await sent.get(`${name} ${plan}`)!;
      const waits = requests.flatMap(({ waited }) => waited ?? []);
      if (isLong)
        console.log(
          `${name} on ${plan}: ${storedFiles} stored in ${seconds.toFixed(1)} s, ` +
            `${requests.length} requests, ${waits.length} waited, ` +
            `${Math.max(0, ...waits)} ms at most, ${requests.filter(({ isRefused }) => isRefused).length} refused`,
        );
      expect(tooEarly(requests, s3RequestsPerWindow[plan])).toEqual([]);
      expect(storedFiles).toBe(files);
      expect(failure).toBeUndefined();
    },
  );

  it.skip.each(cases.filter(({ missing }) => missing !== undefined))('$name on $plan (skipped: $missing)', () => {});

  async function sendTo({ server }: Gateway, plan: Plan, { send }: Sender): Promise<Sent> {
    const own = await gatewayOf(server, await server.account(plan));
    const place = await workplace(own, undefined, (end) => void atEnd.push(end));
    for (let file = 0; file < files; file++)
      await place.write(`many/${String(file).padStart(4, '0')}.bin`, someBytes(fileBytes));
    const since = performance.now();
    const failure = await send(place, patienceMs(plan)).then(
      () => undefined,
      (error: Error) => error.message.slice(-500),
    );
    const seconds = (performance.now() - since) / 1000;
    const account = await server.running.app.stores.metadata.read.accounts.find(own.account.id);
    return { storedFiles: account!.usedBytes / fileBytes, requests: requestsOf(own), failure, seconds };
  }
});

interface LoggedRequest {
  readonly endedAt: number;
  readonly startedAt: number;
  readonly waited: number | undefined;
  readonly isRefused: boolean;
}

function requestsOf({ server, account: { id } }: Gateway): readonly LoggedRequest[] {
  return server.log
    .filter(({ account, door }) => account === id && door === 's3')
    .map(({ at, ms, waited_ms: waited, code }) => {
      const endedAt = Date.parse(at as string);
      return {
        endedAt,
        startedAt: endedAt - (ms as number),
        waited: waited as number | undefined,
        isRefused: code === 'SlowDown',
      };
    });
}

/** The log measures with another clock than the limit. Over a window they differ by some milliseconds. */
const clocksDifferMs = 20;

/**
 * Returns the requests that ended sooner than the limit allows: windows of 10 seconds follow each other, so from the
 * first request until the end of each no more can have begun than fit into them, and one window.
 */
function tooEarly(requests: readonly LoggedRequest[], limit: number): readonly string[] {
  const firstAt = Math.min(...requests.map(({ startedAt }) => startedAt)) - clocksDifferMs;
  const ends = requests.filter(({ isRefused }) => !isRefused).map(({ endedAt }) => endedAt);
  return ends
    .toSorted((a, b) => a - b)
    .flatMap((at, index) => {
      const windows = Math.floor((at - firstAt) / s3WindowMs) + 1;
      return index < limit * windows ? [] : [`request ${index + 1} ended after ${(at - firstAt).toFixed(1)} ms`];
    });
}
