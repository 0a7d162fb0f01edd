import { describe, expect, it } from 'vitest';

import { UploadTurns } from '#server/features/uploads/upload-turns.ts';

const busy = expect.objectContaining({ code: 'UPLOAD_BUSY' });

describe('UploadTurns', () => {
  it('gives a turn at once when nobody has it, for each upload', async () => {
    const turns = new UploadTurns();
    await turns.take('a');
    const other = await turns.take('b');
    expect(other.stop.aborted).toBe(false);
  });

  it('stops the older request, and waits until it has ended', async () => {
    const turns = new UploadTurns();
    const older = await turns.take('a');
    let isTaken = false;
    const newer = turns.take('a').then((turn) => {
      isTaken = true;
      return turn;
    });
    expect(older.stop.reason).toEqual(busy);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(isTaken).toBe(false);
    older.end();
    expect((await newer).stop.aborted).toBe(false);
  });

  it('refuses a request that a newer one overtakes while it waits', async () => {
    const turns = new UploadTurns();
    const first = await turns.take('a');
    const second = turns.take('a');
    const third = turns.take('a');
    first.end();
    await expect(second).rejects.toEqual(busy);
    expect((await third).stop.aborted).toBe(false);
  });

  it('refuses a request when the older one does not end in time, and still waits for it later', async () => {
    const turns = new UploadTurns(20);
    const first = await turns.take('a');
    await expect(turns.take('a')).rejects.toEqual(busy);
    await expect(turns.take('a')).rejects.toEqual(busy);
    first.end();
    await turns.take('a');
  });
});
