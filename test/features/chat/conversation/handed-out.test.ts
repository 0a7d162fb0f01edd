import { describe, expect, it } from 'vitest';

import { handedOut, ReaderLeft, type Emit } from '#server/features/chat/conversation/handed-out.ts';

async function allOf(pieces: AsyncIterable<number>): Promise<number[]> {
  const found: number[] = [];
  for await (const piece of pieces) found.push(piece);
  return found;
}

describe('handedOut()', () => {
  it('returns the pieces in their order, and ends', async () => {
    const pieces = handedOut<number>(async (emit) => {
      await emit(1);
      await Promise.resolve();
      await emit(2);
    });
    expect(await allOf(pieces)).toEqual([1, 2]);
    expect(await pieces.next()).toEqual({ done: true, value: undefined });
  });

  it('runs the work only while a piece is asked for', async () => {
    const steps: string[] = [];
    const pieces = handedOut<number>(async (emit) => {
      steps.push('begun');
      await emit(1);
      steps.push('after 1');
      await emit(2);
      steps.push('after 2');
    });
    await Promise.resolve();
    expect(steps).toEqual([]);
    expect(await pieces.next()).toEqual({ done: false, value: 1 });
    await new Promise(setImmediate);
    expect(steps).toEqual(['begun']);
    await pieces.next();
    await new Promise(setImmediate);
    expect(steps).toEqual(['begun', 'after 1']);
    await pieces.next();
    expect(steps).toEqual(['begun', 'after 1', 'after 2']);
  });

  it('throws what the work throws, before the first piece and between two', async () => {
    const failing = (count: number) =>
      handedOut<number>(async (emit) => {
        for (let n = 0; n < count; n++) await emit(n);
        throw new Error('broken');
      });
    await expect(allOf(failing(0))).rejects.toThrow('broken');
    await expect(allOf(failing(2))).rejects.toThrow('broken');
  });

  it('stops the work of a reader that leaves, and waits for its end', async () => {
    const steps: unknown[] = [];
    const pieces = handedOut<number>(async (emit) => {
      try {
        await emit(1);
      } catch (error) {
        steps.push(error instanceof ReaderLeft);
        await new Promise(setImmediate);
        steps.push('charged');
        throw error;
      }
    });
    await pieces.next();
    await pieces.return();
    expect(steps).toEqual([true, 'charged']);
    expect(await pieces.next()).toEqual({ done: true, value: undefined });
  });

  it('takes no further piece from work that was waiting when its reader left', async () => {
    const model = Promise.withResolvers<void>();
    let late: unknown;
    const pieces = handedOut<number>(async (emit: Emit<number>) => {
      await model.promise;
      await emit(1).catch((error) => (late = error));
    });
    const asked = pieces.next();
    const left = pieces.return();
    model.resolve();
    await left;
    expect(late).toBeInstanceOf(ReaderLeft);
    expect(await asked).toEqual({ done: true, value: undefined });
  });

  it('passes on what fails after the reader has left, and never begins unread work', async () => {
    const pieces = handedOut<number>(async (emit) => {
      await emit(1).catch(() => {});
      throw new Error('no charge');
    });
    await pieces.next();
    await expect(pieces.return()).rejects.toThrow('no charge');
    let hasBegun = false;
    await handedOut<number>(async () => void (hasBegun = true)).return();
    expect(hasBegun).toBe(false);
  });
});
