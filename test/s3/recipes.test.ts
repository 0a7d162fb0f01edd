import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sha256, someBytes, startGateway, type Gateway } from './gateway.ts';
import { needProgram, noFuse, noProgram, workplace, type Workplace } from './recipe.ts';

const mebibyte = 1_048_576;
const report = someBytes(11 * mebibyte + 77);
const photos = new Map([
  ['one.jpg', someBytes(3000)],
  ['a b+c/ünï (2).jpg', someBytes(20_000)],
  ['a b+c/empty.txt', Buffer.alloc(0)],
  ['deep/er/three.jpg', someBytes(700_000)],
]);

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

/** A place with what the recipes upload. Each has an account of its own. */
async function prepared(): Promise<{ readonly place: Workplace; readonly own: Gateway }> {
  const own = await gateway.other();
  const place = await workplace(own);
  await place.write('report.pdf', report);
  for (const [name, bytes] of photos) await place.write(`photos/${name}`, bytes);
  return { place, own };
}

async function expectPhotos(place: Workplace, folder: string): Promise<void> {
  for (const [name, bytes] of photos) expect(sha256(await place.read(`${folder}/${name}`)), name).toBe(sha256(bytes));
}

async function expectReport(own: Gateway, key = 'reports/report.pdf'): Promise<void> {
  expect(await own.info('private', key)).toMatchObject({ size: report.length });
  await expect.poll(async () => (await own.info('private', key)).sha256, { timeout: 10_000 }).toBe(sha256(report));
}

/** A suite that a missing program skips, with the reason in its title; as root on Debian it fails instead. */
function describeWith(program: string, debianPackage: string, reason: string | undefined, suite: () => void): void {
  const missing = noProgram(program, debianPackage) ?? reason;
  describe.skipIf(missing !== undefined)(`docs/s3.md: ${program}${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
    beforeAll(() => needProgram(program, debianPackage));
    suite();
  });
}

describeWith('aws', 'awscli', undefined, () => {
  it('copies, syncs both ways, lists, presigns and removes', { timeout: 90_000 }, async () => {
    const { place, own } = await prepared();
    const printed = await place.follow('awscli');
    for (const name of photos.keys()) expect(printed).toContain(`photos/${name}`);
    await expectReport(own);
    await expectPhotos(place, 'photos-again');
    expect(await own.info('public', 'photos/one.jpg')).toBeUndefined();
    const address = /^http\S+X-Amz-Signature=\S+$|^http\S+Signature=\S+$/m.exec(printed)![0];
    expect(sha256(new Uint8Array(await (await fetch(address)).arrayBuffer()))).toBe(sha256(report));
  });
});

describeWith('s3cmd', 's3cmd', undefined, () => {
  it('puts, syncs, lists, gets and removes; sends large files in parts, and again only what has changed', { timeout: 90_000 }, async () => {
    const { place, own } = await prepared();
    const printed = await place.follow('s3cmd');
    for (const name of photos.keys()) expect(printed).toContain(`s3://public/photos/${name}`);
    expect(sha256(await place.read('again.pdf'))).toBe(sha256(report));
    await expectReport(own);
    expect(await own.info('public', 'photos/one.jpg')).toBeUndefined();
    expect(await place.run('s3cmd ls s3://public/')).toBe('');

    await place.run('s3cmd put --multipart-chunk-size-mb=5 report.pdf s3://private/parts.pdf && s3cmd sync photos/ s3://private/photos/');
    await expectReport(own, 'parts.pdf');
    await place.write('photos/one.jpg', 'changed');
    const again = await place.run('s3cmd sync photos/ s3://private/photos/');
    expect(again).toContain('one.jpg');
    expect(again).not.toContain('three.jpg');
  });
});

describeWith('rclone', 'rclone', undefined, () => {
  it('syncs both ways by checksum, and finds nothing to do the second time', { timeout: 90_000 }, async () => {
    const { place, own } = await prepared();
    await place.follow('rclone');
    await expectPhotos(place, 'photos-again');
    expect(await own.info('private', 'photos/one.jpg')).toMatchObject({ size: 3000, sha256: sha256(photos.get('one.jpg')!) });
    const remote = 'export RCLONE_CONFIG_CUBBY_TYPE=s3 RCLONE_CONFIG_CUBBY_PROVIDER=Other RCLONE_CONFIG_CUBBY_REGION=auto RCLONE_CONFIG_CUBBY_ENDPOINT="$S3_URL" RCLONE_CONFIG_CUBBY_ENV_AUTH=true; ';
    const again = await place.run(`${remote} rclone sync --checksum --verbose photos cubby:private/photos 2>&1`);
    expect(again).toMatch(/nothing to transfer/);
    await place.run(`${remote} rm 'photos/one.jpg'; rclone sync --checksum photos cubby:private/photos; rclone copy --s3-upload-cutoff 5Mi --s3-chunk-size 5Mi report.pdf cubby:private/parts; rclone move cubby:private/parts/report.pdf cubby:private/moved`);
    expect(await own.info('private', 'photos/one.jpg')).toBeUndefined();
    await expectReport(own, 'moved/report.pdf');
    expect(await place.run(`${remote} rclone lsf --recursive cubby:private`)).toContain('moved/report.pdf');
  });
});

describeWith('restic', 'restic', undefined, () => {
  it('backs up, checks every byte, and restores', { timeout: 90_000 }, async () => {
    const { place } = await prepared();
    const printed = await place.follow('restic');
    expect(printed).toContain('no errors were found');
    await expectPhotos(place, 'restored/photos');
  });
});

describeWith('s3fs', 's3fs', noFuse, () => {
  it('mounts a bucket as a folder', { timeout: 90_000 }, async () => {
    const { place, own } = await prepared();
    try {
      expect(await place.follow('s3fs')).toContain('april.pdf');
    } finally {
      await place.run('mountpoint --quiet mounted && umount --lazy mounted || true');
    }
    expect(sha256(await place.read('again.pdf'))).toBe(sha256(report));
    await expectReport(own, 'notes/april.pdf');
    expect(await own.info('private', 'notes/report.pdf')).toBeUndefined();
  });
});

describe('docs/s3.md: JavaScript', () => {
  it('the AWS SDK', async () => {
    const { place, own } = await prepared();
    const [hello, address] = (await place.follow('JavaScript, with the AWS SDK')).trim().split('\n');
    expect(hello).toBe('Hello');
    expect(await (await fetch(address!)).text()).toBe('Hello');
    await expectReport(own);
  });

  it('minio', async () => {
    const { place, own } = await prepared();
    const [line, address] = (await place.follow('JavaScript, with minio')).trim().split('\n');
    expect(line).toBe(`reports/report.pdf ${report.length}`);
    expect(sha256(await place.read('again.pdf'))).toBe(sha256(report));
    expect((await fetch(address!)).status).toBe(200);
    await expectReport(own);
  });
});
