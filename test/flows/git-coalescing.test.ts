import { describe, expect, it } from 'vitest';

import { deliveryOf } from '#test/support/git-deliveries.ts';
import { hookedServer, textOf } from '#test/support/git-hooks.ts';

const hooks = hookedServer({ CUBBY_DEPLOY_COALESCE: 'on' });

describe('receiveGitPush() with CUBBY_DEPLOY_COALESCE=on', () => {
  it('answers 200 to pushes that follow each other, and announces what is left of the window', async () => {
    const hooked = await hooks.newHook();
    const push = (branch: string, commit: string) =>
      hooks.deliver(hooked, deliveryOf('github', 'push', { branch, commit: commit.repeat(40) }));
    const answers = [await push('main', 'a'), await push('main', 'b'), await push('next', 'c')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[2]!.headers.get('ratelimit')).toMatch(/"git-push";r=17;t=15/);
    expect(answers[2]!.headers.get('ratelimit-policy')).toMatch(/"git-push";q=20;w=15/);
    expect(textOf(answers[2]!)).toMatch(/of next at ccccccc is queued\.$/);
    const deploys = await hooks.deploysOf(hooked);
    expect(deploys.map(({ state, branch, commit }) => [state, branch, commit[0]])).toEqual([
      ['pending', 'next', 'c'],
      ['pending', 'main', 'b'],
      ['superseded', 'main', 'a'],
    ]);
  });

  it('answers 429 to the 21st push of a window', async () => {
    const hooked = await hooks.newHook();
    const statuses: number[] = [];
    for (let index = 0; index < 21; index++)
      statuses.push((await hooks.deliver(hooked, deliveryOf('github', 'push', { branch: `b${index}` }))).status);
    expect(statuses).toEqual([...Array<number>(20).fill(200), 429]);
  });
});
