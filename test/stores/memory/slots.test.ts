import { describe, expect, it } from 'vitest';

import { MemorySlots } from '#server/stores/memory/slots.ts';

describe('MemorySlots.acquire()', () => {
  it('gives exactly so many places, however many ask at once, and each back once', async () => {
    const slots = new MemorySlots();
    const taken = (await Promise.all(Array.from({ length: 20 }, () => slots.acquire('uploads:1', 4)))).filter(
      (leave) => leave !== undefined,
    );
    expect(taken).toHaveLength(4);
    taken[0]!();
    taken[0]!();
    taken[0]!();
    expect(await slots.acquire('uploads:1', 4)).toBeTypeOf('function');
    expect(await slots.acquire('uploads:1', 4)).toBeUndefined();
  });

  it('keeps keys apart', async () => {
    const slots = new MemorySlots();
    await slots.acquire('uploads:1', 1);
    expect(await slots.acquire('uploads:1', 1)).toBeUndefined();
    expect(await slots.acquire('uploads:2', 1)).toBeDefined();
  });

  it('begins anew when all places are given back', async () => {
    const slots = new MemorySlots();
    for (let round = 0; round < 3; round++) {
      const leaves = await Promise.all([slots.acquire('a', 2), slots.acquire('a', 2)]);
      expect(await slots.acquire('a', 2)).toBeUndefined();
      for (const leave of leaves) leave!();
    }
  });

  it('gives none where none is allowed', async () => {
    expect(await new MemorySlots().acquire('a', 0)).toBeUndefined();
  });
});
