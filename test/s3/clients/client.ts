import { afterAll, beforeAll, describe, expect } from 'vitest';

import { because, noProgram, type ProgramName } from '#test/support/programs.ts';
import { sha256, someBytes, startGateway, type Gateway } from '../gateway.ts';
import type { Forks } from './forks.ts';
import { forksOf, workplace, type Workplace } from './workplace.ts';

const mebibyte = 1_048_576;

/** A file that most programs send in parts. */
export const report = someBytes(11 * mebibyte + 77);

/** A folder with difficult names and sizes. */
export const photos: ReadonlyMap<string, Buffer> = new Map([
  ['one.jpg', someBytes(3000)],
  ['a b+c/ünï (2).jpg', someBytes(20_000)],
  ['a b+c/empty.txt', Buffer.alloc(0)],
  ['deep/er/three.jpg', someBytes(700_000)],
]);

/** A folder with `report.pdf` and `photos/`, and the account that they are uploaded to. */
export interface Client {
  readonly place: Workplace;
  readonly own: Gateway;
  /** Checks that a file of the bucket `private` is the report. */
  expectReport(key?: string): Promise<void>;
  /** Checks that a local folder holds the photos. */
  expectPhotos(folder: string): Promise<void>;
}

/** Runs tests of a program against a gateway that is started for them. Each `Client` gets its own account. */
export function describeClient(
  title: string,
  program: ProgramName | undefined,
  tests: (prepare: () => Promise<Client>) => void,
  reason?: string,
): void {
  const missing = noProgram('bash', ...(program ? [program] : [])) ?? reason;
  describe.skipIf(missing)(`${title}${because(missing)}`, () => {
    let gateway: Gateway;
    let forks: Forks | undefined;
    beforeAll(async () => {
      forks = program && (await forksOf(program));
      gateway = await startGateway();
    });
    afterAll(async () => {
      await gateway?.stop();
      await forks?.stop();
    });
    tests(() => prepared(gateway, forks?.folder));
  });
}

async function prepared(gateway: Gateway, commands: string | undefined): Promise<Client> {
  const own = await gateway.other();
  const place = await workplace(own, commands);
  await place.write('report.pdf', report);
  for (const [name, bytes] of photos) await place.write(`photos/${name}`, bytes);
  return {
    place,
    own,
    async expectReport(key = 'reports/report.pdf') {
      expect(await own.info('private', key), key).toMatchObject({ size: report.length });
      await expect.poll(async () => (await own.info('private', key)).sha256).toBe(sha256(report));
    },
    async expectPhotos(folder) {
      for (const [name, bytes] of photos)
        expect(sha256(await place.read(`${folder}/${name}`)), name).toBe(sha256(bytes));
    },
  };
}

/** Returns the output of one step. The shell prints `== step` before each step. */
export function outputOf(printed: string, step: string): string {
  return (
    printed
      .split(/^== /m)
      .find((part) => part.startsWith(`${step}\n`))
      ?.slice(step.length + 1)
      .trim() ?? `There is no step ${step}.`
  );
}
