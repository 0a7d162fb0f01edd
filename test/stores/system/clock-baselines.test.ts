import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { fileClockBaselines } from '#server/stores/system/clock-baselines.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cubby-clock-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

it('a baseline is found by every process of the data folder, and replaces the last one', async () => {
  const path = await folder();
  expect(await fileClockBaselines(path).find()).toBeUndefined();
  for (const baseline of [
    { origin: 'a', offsetMs: 1 },
    { origin: 'b', offsetMs: -2 },
  ]) {
    await fileClockBaselines(path).save(baseline);
    expect(await fileClockBaselines(path).find()).toEqual(baseline);
  }
  expect(await readdir(path)).toEqual(['clock.json']);
});

it("baselines that are saved at the same time do not take each other's drafts", async () => {
  const path = await folder();
  const baselines = fileClockBaselines(path);
  await Promise.all(Array.from({ length: 50 }, (_, at) => baselines.save({ origin: 'a', offsetMs: at })));
  expect(await baselines.find()).toMatchObject({ origin: 'a' });
  expect(await readdir(path)).toEqual(['clock.json']);
});

it.each([
  '',
  'null',
  '7',
  '{',
  '{"origin":"a"}',
  '{"origin":1,"offsetMs":2}',
  '{"origin":"a","offsetMs":"2"}',
  '{"origin":"a","offsetMs":2.5}',
])('a file that contains %j is ignored', async (text) => {
  const path = await folder();
  await writeFile(join(path, 'clock.json'), text);
  expect(await fileClockBaselines(path).find()).toBeUndefined();
});
