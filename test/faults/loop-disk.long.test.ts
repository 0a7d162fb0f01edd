import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { noLoopDisk, openLoopDisk, syncFile } from './loop-disk.ts';

const missing = await noLoopDisk();

describe.skipIf(missing)(`a disk whose power is cut${missing ? ` (skipped: ${missing})` : ''}`, () => {
  it('loses what was not synced, and nothing else', async () => {
    const disk = await openLoopDisk();
    onTestFinished(() => disk.remove());
    const at = (name: string) => join(disk.folder, name);
    mkdirSync(at('folder'));
    for (const name of ['kept', 'folder/draft']) {
      writeFileSync(at(name), name);
      syncFile(at(name));
    }
    syncFile(at('folder'));
    syncFile(disk.folder);
    writeFileSync(at('lost'), 'lost');
    writeFileSync(at('kept'), 'replaced');
    renameSync(at('folder/draft'), at('folder/named'));
    await disk.cut();
    expect(() => writeFileSync(at('after'), 'after')).toThrow('EIO');
    await disk.restore();
    expect(readdirSync(disk.folder)).not.toContain('lost');
    expect(['kept', '']).toContain(readFileSync(at('kept'), 'utf8'));
    // A name that was not synced is lost although the bytes of its file were.
    expect(readdirSync(at('folder'))).toEqual(['draft']);
    expect(readFileSync(at('folder/draft'), 'utf8')).toBe('folder/draft');
  });
});
