import { describe, expect, it } from 'vitest';

import { after, deliveryOf, hostNames, sealed } from '#test/support/git-deliveries.ts';
import { hookedServer, textOf } from '#test/support/git-hooks.ts';

const other = 'b'.repeat(40);

const { newHook, deliver, deploysOf, later } = hookedServer();

describe.each(hostNames)('receiveGitPush() of a delivery of %s that comes again', (host) => {
  it('answers 200 again to the same delivery, within the 15 seconds and after them, and deploys nothing more', async () => {
    const hooked = await newHook();
    const delivery = deliveryOf(host, 'push', { id: 'the-same' });
    const first = await deliver(hooked, delivery);
    const second = await deliver(hooked, delivery);
    later();
    const third = await deliver(hooked, delivery);
    expect([first, second, third].map((answer) => [answer.status, textOf(answer)])).toEqual(Array(3).fill([200, textOf(first)]));
    expect(await deploysOf(hooked)).toHaveLength(1);
  });
});

describe('receiveGitPush() of a delivery that comes again', () => {
  it('answers all of 32 copies of a delivery at once 200, and deploys once', async () => {
    const hooked = await newHook();
    const delivery = deliveryOf('github');
    const answers = await Promise.all(Array.from({ length: 32 }, () => deliver(hooked, delivery)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(textOf)).size).toBe(1);
    expect(await deploysOf(hooked)).toHaveLength(1);
  });

  it('knows the same bytes again under another id, also once the branch has moved on', async () => {
    const hooked = await newHook();
    const first = deliveryOf('gitea');
    const answered = textOf(await deliver(hooked, first));
    later();
    await deliver(hooked, deliveryOf('gitea', 'push', { commit: other }));
    later();
    const again = await deliver(hooked, deliveryOf('gitea'));
    expect([again.status, textOf(again)]).toEqual([200, answered]);
    expect((await deploysOf(hooked)).map(({ commit }) => commit)).toEqual([other, after]);
  });

  it('deploys the same bytes again once the branch has moved on, when they do not say from where', async () => {
    const hooked = await newHook();
    const push = (commit: string) => deliver(hooked, sealed('github', 'push', { ref: 'refs/heads/main', after: commit }));
    await push(after);
    expect((await push(after)).status).toBe(200);
    expect(await deploysOf(hooked)).toHaveLength(1);
    later();
    await push(other);
    later();
    expect((await push(after)).status).toBe(200);
    expect((await deploysOf(hooked)).map(({ commit }) => commit)).toEqual([after, other, after]);
  });

  it('does not take another push for a redelivery because it comes under the same id', async () => {
    const hooked = await newHook();
    await deliver(hooked, deliveryOf('github', 'push', { id: 'the-same' }));
    later();
    expect((await deliver(hooked, deliveryOf('github', 'push', { id: 'the-same', commit: other }))).status).toBe(200);
    expect((await deploysOf(hooked)).map(({ commit }) => commit)).toEqual([other, after]);
  });

  it('knows a delivery by its id, also once the branch has moved on', async () => {
    const hooked = await newHook();
    const first = deliveryOf('github', 'push', { id: 'first' });
    const answered = textOf(await deliver(hooked, first));
    later();
    await deliver(hooked, deliveryOf('github', 'push', { commit: other }));
    later();
    const again = await deliver(hooked, first);
    expect([again.status, textOf(again)]).toEqual([200, answered]);
    expect((await deploysOf(hooked)).map(({ commit, state }) => [commit, state])).toEqual([[other, 'pending'], [after, 'superseded']]);
  });
});
