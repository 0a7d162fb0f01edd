import { describe, expect, it } from 'vitest';

import { openInSteps, type OpenedSteps } from '#server/stores/open-in-steps.ts';

const steps = ['first', 'second', 'third'];

/** Opens three things. `failing` are those that cannot be closed. */
function opening(closed: string[], failing: readonly string[] = []) {
  return async (opened: OpenedSteps) => {
    for (const step of steps)
      opened.defer(() => {
        closed.push(step);
        if (failing.includes(step)) throw new Error(`${step} stays open`);
      });
    return { name: 'opened' };
  };
}

describe('openInSteps()', () => {
  it('closes the last thing first, and once however often it is called', async () => {
    const closed: string[] = [];
    const opened = await openInSteps((error) => expect.unreachable(String(error)), opening(closed));
    expect(opened.name).toBe('opened');
    await Promise.all([opened.close(), opened.close()]);
    await opened.close();
    expect(closed).toEqual(['third', 'second', 'first']);
  });

  it('closes the others when some cannot be closed, throws the first error and reports each other one', async () => {
    const closed: string[] = [];
    const faults: string[] = [];
    const opened = await openInSteps((error) => void faults.push((error as Error).message), opening(closed, steps));
    await expect(opened.close()).rejects.toThrow('third stays open');
    expect(closed).toEqual(['third', 'second', 'first']);
    expect(faults).toEqual(['second stays open', 'first stays open']);
  });

  it('throws what a step throws, and reports what then cannot be closed', async () => {
    const closed: string[] = [];
    const faults: string[] = [];
    const failed = openInSteps(
      (error) => void faults.push((error as Error).message),
      async (opened) => {
        await opening(closed, ['first', 'third'])(opened);
        throw new Error('the cause');
      },
    );
    await expect(failed).rejects.toThrow('the cause');
    expect(closed).toEqual(['third', 'second', 'first']);
    expect(faults.toSorted()).toEqual(['first stays open', 'third stays open']);
  });
});
