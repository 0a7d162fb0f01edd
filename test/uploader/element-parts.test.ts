import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { UploadError } from 'cubby-server/uploader';
import { CubbyUpload, english, portuguese, spanish } from 'cubby-server/uploader/element'; // does nothing without a DOM
import { describe, expect, it } from 'vitest';

import type { ErrorCode } from '#dist/modules/client/index.js';
import { isAccepted } from '#dist/modules/uploader/element/accepted.js';
import { attributes, propertyOf } from '#dist/modules/uploader/element/attributes.js';
import { canTryAgain, failureKind } from '#dist/modules/uploader/element/failure-kind.js';
import { formatSize } from '#dist/modules/uploader/element/format-size.js';
import { parseSize } from '#dist/modules/uploader/element/parse-size.js';
import { openSpeed } from '#dist/modules/uploader/element/speed.js';

const root = join(import.meta.dirname, '../..');

describe('the attributes', () => {
  const names = Object.keys(attributes);

  it('are those of the documentation', async () => {
    const guide = await readFile(join(root, 'docs/uploader.md'), 'utf8');
    const lists = guide.slice(guide.indexOf('### Where files go'), guide.indexOf('Each attribute is also a property'));
    const documented = [...lists.matchAll(/^- (`.*?`): /gm)].flatMap(([, terms]) =>
      terms!.match(/(?<=`)[a-z-]+(?=`)/g)!,
    );
    expect(documented.sort()).toEqual(names.toSorted());
    expect(CubbyUpload.observedAttributes).toEqual(names);
  });

  it.each(names)('%s has a property that can be set', (name) => {
    // Every element of a page has this one.
    if (name === 'lang') return;
    const prototypes = [CubbyUpload.prototype, Object.getPrototypeOf(CubbyUpload.prototype) as object];
    const accessors = prototypes.map((one) => Object.getOwnPropertyDescriptor(one, propertyOf(name))).find(Boolean);
    expect(accessors).toMatchObject({ get: expect.any(Function), set: expect.any(Function) });
  });
});

describe('formatSize()', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KB'],
    [20_000, '19.5 KB'],
    [1_048_575, '1 MB'],
    [314_572_800, '300 MB'],
    [10_737_418_240, '10 GB'],
  ])('writes %i as %j', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });
});

describe('isAccepted()', () => {
  const photo = { name: 'Photo.PNG', type: 'image/png' };
  it.each(['', '.png', ' .jpg , .PNG', 'image/*', 'IMAGE/PNG', 'text/plain,image/png'])(
    'accepts a PNG with accept=%j',
    (accept) => {
      expect(isAccepted(photo, accept)).toBe(true);
    },
  );
  it.each(['.pn', '.pdf', 'image/jpeg', 'text/*', 'png'])('refuses a PNG with accept=%j', (accept) => {
    expect(isAccepted(photo, accept)).toBe(false);
  });
});

describe('formatSize() in another language', () => {
  it('uses its decimal separator', () => {
    expect([formatSize(20_000, 'pt-BR'), formatSize(20_000, 'es'), formatSize(1023, 'es')]).toEqual([
      '19,5 KB',
      '19,5 KB',
      '1023 B',
    ]);
  });
});

describe('parseSize()', () => {
  it.each([
    ['1048576', 1_048_576],
    ['10MB', 10_485_760],
    ['10 mb', 10_485_760],
    ['1.5 GiB', 1_610_612_736],
    ['500k', 512_000],
    ['700 B', 700],
    ['0', 0],
  ])('reads %j as %i', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });
  it.each(['', 'ten', '10 TB', '-1', '1e3', '10 MB or so', '1,5MB'])('returns nothing for %j', (text) => {
    expect(parseSize(text)).toBe(undefined);
  });
});

describe('openSpeed()', () => {
  it('estimates the time left from the last fifteen seconds, and nothing in the first two', () => {
    let at = 0;
    const speed = openSpeed(() => at);
    const go = (seconds: number, bytesPerSecond: number, from: number) => {
      for (let second = 1; second <= seconds; second++) speed.sample(from + ((at += 1_000), second * bytesPerSecond));
      return from + seconds * bytesPerSecond;
    };
    speed.sample(0);
    let moved = go(1, 100, 0);
    expect(speed.secondsFor(1_000)).toBe(undefined);
    moved = go(20, 100, moved);
    expect(speed.secondsFor(1_000)).toBeCloseTo(10, 0);
    // A connection that becomes ten times as fast changes the estimate.
    go(20, 1_000, moved);
    expect(speed.secondsFor(1_000)).toBeCloseTo(1, 0);
    speed.reset();
    expect(speed.secondsFor(1_000)).toBe(undefined);
  });
});

describe('failureKind() and canTryAgain()', () => {
  const of = (code: string, status?: number, retryable = false) => ({ code: code as ErrorCode, status, retryable });
  it.each([
    [of('STORAGE_QUOTA_EXCEEDED', 403), 'full', false],
    [of('INSUFFICIENT_STORAGE', 507), 'disk', true],
    [of('UPLOAD_TOKEN_USED', 401), 'used', false],
    [of('ACCESS_DENIED', 401), 'denied', true],
    [of('BLOCKED_FILE_TYPE', 400), 'type', false],
    [of('UNEXPECTED_ANSWER', 413), 'large', false],
    [of('RATE_LIMITED', 429, true), 'busy', true],
    [of('PERMISSION_DENIED', 401), 'setup', false],
    [of('PREFIX_NOT_ALLOWED', 403), 'setup', false],
    [of('UNEXPECTED_ANSWER'), 'unknown', true],
  ])('%j is %j', (error, kind, again) => {
    expect([failureKind(error), canTryAgain(error, true)]).toEqual([kind, again]);
  });
  it('a refused fixed credential cannot be retried', () => {
    expect(canTryAgain(of('ACCESS_DENIED', 401), false)).toBe(false);
  });
});

describe.each([
  ['en', english],
  ['pt', portuguese],
  ['es', spanish],
] as const)('the texts in %s', (_, texts) => {
  const limits = { accept: '', minBytes: 1024, maxBytes: 10_485_760, maxTotalBytes: 104_857_600, maxFiles: 3 };
  const said = [
    ...[
      'FILE_TYPE_NOT_ALLOWED',
      'STORAGE_QUOTA_EXCEEDED',
      'INSUFFICIENT_STORAGE',
      'UPLOAD_TOKEN_USED',
      'NETWORK_ERROR',
      'ANSWER_LOST',
      'PERMISSION_DENIED',
    ].map((code) =>
      texts.failed(new UploadError({ code: code as ErrorCode, message: 'x', status: 400, retryable: false })),
    ),
    ...(['type', 'small', 'large', 'total', 'count', 'folder', 'empty', 'hidden', 'unreadable', 'page'] as const).map(
      (reason) => texts.refused(reason, limits),
    ),
    texts.limits(limits),
    ...[30, 100, 3_000, 9_000].map(texts.timeLeft),
  ];
  it('are complete, without codes and jargon', () => {
    for (const words of said) expect(words).toMatch(/.{4}/);
    expect(said.join(' ')).not.toMatch(/undefined|NaN|[A-Z]+_[A-Z]+|\b(token|quota|HTTP|API|status|server error)\b/i);
    expect(new Set(said).size).toBe(said.length);
  });
});

describe('the size of the element', () => {
  it('is below the value in docs/uploader.md', async () => {
    const seen = new Set<string>();
    const read = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      for (const [, from] of (await readFile(path, 'utf8')).matchAll(/(?:from|import) '(\.[^']+)'/g))
        await read(join(dirname(path), from!));
    };
    await read(join(root, 'dist/modules/uploader/element/element.js'));
    const modules = await Promise.all([...seen].map((path) => readFile(path)));
    const [, stated] = /about (\d+) KB compressed/.exec(await readFile(join(root, 'docs/uploader.md'), 'utf8'))!;
    const bytes = modules.reduce((sum, module) => sum + gzipSync(module).length, 0);
    expect(bytes / 1024).toBeLessThan(Number(stated));
    expect(bytes / 1024).toBeGreaterThan(Number(stated) - 4);
  });
});
