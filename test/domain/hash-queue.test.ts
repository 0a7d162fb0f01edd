import { describe, expect, it } from 'vitest';

import { hashQueue, type HashLane, type HashQueue } from '#server/domain/hash-queue.ts';

describe('hashQueue()', () => {
  /** Returns work that ends when the test says so. */
  function work() {
    const begun: string[] = [];
    const ends: Array<() => void> = [];
    let most = 0;
    let running = 0;
    const of = (name: string) => () => {
      begun.push(name);
      most = Math.max(most, ++running);
      return new Promise<void>((resolve) => void ends.push(() => (running--, resolve())));
    };
    const endOne = async () => {
      ends.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { begun, of, endOne, most: () => most };
  }

  /** Returns the outcomes of this many runs: their code, or `undefined` while they wait. */
  const outcomes = (queue: HashQueue, lane: HashLane, count: number, of = work().of) =>
    Array.from({ length: count }, () => {
      const outcome: { code?: string } = {};
      queue.run(lane, of(lane.of)).catch(({ code }) => (outcome.code = code));
      return outcome;
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const refused = (all: ReadonlyArray<{ code?: string }>) =>
    all.filter(({ code }) => code === 'SERVER_OVERLOADED').length;

  it('runs two at once, one of a lane, and alternates between the lanes of an account', async () => {
    const queue = hashQueue();
    const { begun, of, endOne, most } = work();
    for (let guess = 0; guess < 5; guess++) void queue.run({ account: 'a', of: 'guessed' }, of('guess'));
    void queue.run({ account: 'a', of: 'honest' }, of('honest'));
    void queue.run({ account: 'a', of: 'other' }, of('other'));
    expect(begun).toEqual(['guess', 'honest']);
    await endOne();
    expect(begun).toEqual(['guess', 'honest', 'other']);
    await endOne();
    expect(begun).toEqual(['guess', 'honest', 'other', 'guess']);
    for (let rest = 0; rest < 5; rest++) await endOne();
    expect(begun.filter((name) => name === 'guess')).toHaveLength(5);
    expect(most()).toBe(2);
  });

  it('alternates between accounts, however many links of one are tried', async () => {
    const queue = hashQueue();
    const { begun, of, endOne } = work();
    for (let link = 0; link < 9; link++) void queue.run({ account: 'many', of: `link ${link}` }, of('many'));
    for (let visit = 0; visit < 2; visit++) void queue.run({ account: 'few', of: 'link' }, of('few'));
    for (let round = 0; round < 3; round++) await endOne();
    expect(begun).toEqual(['many', 'many', 'few', 'many', 'few']);
  });

  it('throws SERVER_OVERLOADED when eight of a lane wait', async () => {
    const all = outcomes(hashQueue(), { account: 'a', of: 'one' }, 12);
    await settled();
    expect(refused(all)).toBe(3);
  });

  it('admits a lane with few waiting when the queue is full, in place of the last of the longest lane', async () => {
    const queue = hashQueue();
    const { of } = work();
    const flood = Array.from({ length: 10 }, (_, link) =>
      outcomes(queue, { account: 'many', of: `link ${link}` }, 9, of),
    ).flat();
    await settled();
    // Two of them run.
    expect(refused(flood)).toBe(flood.length - 2 - 64);
    const [own, other] = [
      outcomes(queue, { account: 'many', of: 'another' }, 1, of),
      outcomes(queue, { account: 'few', of: 'link' }, 8, of),
    ];
    await settled();
    expect([refused(own), refused(other), refused(flood)]).toEqual([0, 0, flood.length - 2 - 64 + 9]);
  });

  it('throws SERVER_OVERLOADED when the maximum number of accounts wait', async () => {
    const queue = hashQueue();
    const { of } = work();
    const all = Array.from({ length: 70 }, (_, at) =>
      outcomes(queue, { account: `account ${at}`, of: 'link' }, 1, of),
    ).flat();
    await settled();
    expect(refused(all)).toBe(70 - 2 - 64);
  });

  const from = (address: string, of = 'link'): HashLane => ({ account: 'a', of, address });

  it('lets four hashes of an address wait, at all links together', async () => {
    const queue = hashQueue();
    const { of } = work();
    for (const busy of ['one', 'two']) outcomes(queue, { account: busy, of: 'link' }, 1, of);
    const all = Array.from({ length: 3 }, (_, link) => outcomes(queue, from('10.0.0.1', `link ${link}`), 3, of)).flat();
    await settled();
    expect([refused(all), queue.waiting]).toEqual([9 - 4, 4]);
    const other = outcomes(queue, from('10.0.0.2', 'link 0'), 4, of);
    await settled();
    expect([refused(other), queue.waiting]).toEqual([0, 8]);
  });

  it.each([
    [[4, 4], 1],
    [[4, 3, 1], 1],
    [[2, 2, 2, 2], 1],
    [[1, 1, 1, 1, 1, 1, 1, 1], 0],
  ])('gives an address a place in a full lane where others have more: %j', async (shares, places) => {
    const queue = hashQueue();
    const { of, begun, endOne } = work();
    outcomes(queue, from('10.0.0.9'), 1, of);
    const crowd = shares.flatMap((count, at) => outcomes(queue, from(`10.0.1.${at}`), count, of));
    await settled();
    expect([refused(crowd), queue.waiting]).toEqual([0, 8]);
    const honest = outcomes(queue, from('10.0.0.1'), 1, () => of('honest'));
    await settled();
    expect([honest.length - refused(honest), refused(crowd), queue.waiting]).toEqual([places, places, 8]);
    for (let round = 0; round < 9; round++) await endOne();
    expect(begun.filter((name) => name === 'honest')).toHaveLength(places);
  });

  it('counts no hash as waiting that has its turn, or was rejected', async () => {
    const queue = hashQueue();
    const { of, endOne } = work();
    for (let round = 0; round < 5; round++) {
      const all = outcomes(queue, from('10.0.0.1'), 6, of);
      await settled();
      expect([refused(all), queue.waiting]).toEqual([1, 4]);
      for (let hash = 0; hash < 5; hash++) await endOne();
      expect(queue.waiting).toBe(0);
    }
  });

  it('continues after work that fails', async () => {
    const queue = hashQueue();
    await expect(queue.run({ account: 'a', of: 'link' }, () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
    expect(await queue.run({ account: 'a', of: 'link' }, async () => 7)).toBe(7);
  });
});
