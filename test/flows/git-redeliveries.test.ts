import { describe, expect, it } from 'vitest';

import { after, deliveryOf, hostNames, sealed } from '#test/support/git-deliveries.ts';
import { hookedServer, textOf } from '#test/support/git-hooks.ts';

const other = 'b'.repeat(40);

const { newHook, deliver, deploysOf, later } = hookedServer();

describe.each(hostNames)('receiveGitPush() of a redelivery of %s', (host) => {
  it('returns 200 again for the same delivery, within 15 seconds and after, and deploys nothing more', async () => {
    const hooked = await newHook();
    const delivery = deliveryOf(host, 'push', { id: 'the-same' });
    const first = await deliver(hooked, delivery);
    const second = await deliver(hooked, delivery);
    later();
    const third = await deliver(hooked, delivery);
    expect([first, second, third].map((answer) => [answer.status, textOf(answer)])).toEqual(
      Array(3).fill([200, textOf(first)]),
    );
    expect(await deploysOf(hooked)).toHaveLength(1);
  });
});

describe('receiveGitPush() of a redelivery', () => {
  it('returns 200 for 32 parallel copies of a delivery, and deploys once', async () => {
    const hooked = await newHook();
    const delivery = deliveryOf('github');
    const answers = await Promise.all(Array.from({ length: 32 }, () => deliver(hooked, delivery)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(textOf)).size).toBe(1);
    expect(await deploysOf(hooked)).toHaveLength(1);
  });

  it.each(['github', 'gitlab', 'bitbucket-cloud'] as const)(
    'deploys each push of %s that moves a branch back and forth, although the third body equals the first',
    async (host) => {
      const hooked = await newHook();
      for (const commit of [after, other, after, other, after]) {
        expect((await deliver(hooked, deliveryOf(host, 'push', { commit }))).status).toBe(200);
        later();
      }
      expect((await deploysOf(hooked)).map(({ commit }) => commit)).toEqual([after, other, after, other, after]);
    },
  );

  it.each(['github', 'gitlab', 'bitbucket-cloud'] as const)(
    'recognises a retry of %s by its id, even with a changed body or after the branch has moved on',
    async (host) => {
      const hooked = await newHook();
      const { headers, body } = deliveryOf(host, 'push', { id: 'first' });
      const answered = textOf(await deliver(hooked, { headers, body }));
      later();
      await deliver(hooked, deliveryOf(host, 'push', { commit: other }));
      later();
      const again = await deliver(hooked, { headers, body: ` ${body}` });
      expect([again.status, textOf(again)]).toEqual([200, answered]);
      expect(await deploysOf(hooked)).toHaveLength(2);
    },
  );

  it('recognises a delivery of GitLab by its webhook-id, or else by its Idempotency-Key', async () => {
    const hooked = await newHook();
    const { headers, body } = deliveryOf('gitlab', 'push', { id: 'key' });
    const first = textOf(await deliver(hooked, { headers: { ...headers, 'webhook-id': 'message' }, body }));
    later();
    expect(
      textOf(
        await deliver(hooked, { headers: { ...headers, 'Idempotency-Key': 'another', 'webhook-id': 'message' }, body }),
      ),
    ).toBe(first);
    expect((await deliver(hooked, { headers: { ...headers, 'webhook-id': 'another' }, body })).status).toBe(200);
    expect(await deploysOf(hooked)).toHaveLength(2);
  });

  it('recognises a further attempt of Bitbucket by its body if it has another id', async () => {
    const hooked = await newHook();
    const { headers, body } = deliveryOf('bitbucket-cloud');
    const first = textOf(await deliver(hooked, { headers, body }));
    later();
    const retry = { ...headers, 'X-Request-UUID': 'another', 'X-Attempt-Number': '2' };
    expect(textOf(await deliver(hooked, { headers: retry, body }))).toBe(first);
    expect(await deploysOf(hooked)).toHaveLength(1);
  });

  it('deploys a second attempt of Bitbucket after a rejected one, even if an older push had its body', async () => {
    const hooked = await newHook();
    await deliver(hooked, deliveryOf('bitbucket-cloud', 'push', { id: 'there' }));
    later();
    await deliver(hooked, deliveryOf('bitbucket-cloud', 'push', { id: 'back', commit: other }));
    const { headers, body } = deliveryOf('bitbucket-cloud', 'push', { id: 'there again' });
    expect((await deliver(hooked, { headers, body })).json().code).toBe('KEEP_CALM');
    later();
    expect((await deliver(hooked, { headers: { ...headers, 'X-Attempt-Number': '2' }, body })).status).toBe(200);
    expect((await deploysOf(hooked)).map(({ commit }) => commit)).toEqual([after, other, after]);
  });

  it.each(['gitea', 'forgejo', 'bitbucket-data-center'] as const)(
    'recognises the same body of %s under another id, which hosts give a replay, also after the branch moved on',
    async (host) => {
      const hooked = await newHook();
      const first = deliveryOf(host);
      const answered = textOf(await deliver(hooked, first));
      later();
      await deliver(hooked, deliveryOf(host, 'push', { commit: other }));
      later();
      const again = await deliver(hooked, deliveryOf(host));
      expect([again.status, textOf(again)]).toEqual([200, answered]);
      expect((await deploysOf(hooked)).map(({ commit }) => commit)).toEqual([other, after]);
    },
  );

  it('deploys the same body again after the branch has moved on, if it does not name the commit before', async () => {
    const hooked = await newHook();
    const push = (commit: string) =>
      deliver(hooked, {
        ...sealed('github', 'push', { ref: 'refs/heads/main', after: commit }),
        headers: { 'Content-Type': 'application/json', 'X-GitHub-Event': 'push' },
      });
    await push(after);
    expect((await push(after)).status).toBe(200);
    expect(await deploysOf(hooked)).toHaveLength(1);
    later();
    await push(other);
    later();
    expect((await push(after)).status).toBe(200);
    expect((await deploysOf(hooked)).map(({ commit }) => commit)).toEqual([after, other, after]);
  });

  it('does not treat a push of other commits under the same id as a redelivery', async () => {
    const hooked = await newHook();
    await deliver(hooked, deliveryOf('github', 'push', { id: 'the-same' }));
    later();
    expect((await deliver(hooked, deliveryOf('github', 'push', { id: 'the-same', commit: other }))).status).toBe(200);
    expect((await deploysOf(hooked)).map(({ commit }) => commit)).toEqual([other, after]);
  });

  it('recognises a delivery by its id, also after the branch has moved on', async () => {
    const hooked = await newHook();
    const first = deliveryOf('github', 'push', { id: 'first' });
    const answered = textOf(await deliver(hooked, first));
    later();
    await deliver(hooked, deliveryOf('github', 'push', { commit: other }));
    later();
    const again = await deliver(hooked, first);
    expect([again.status, textOf(again)]).toEqual([200, answered]);
    expect((await deploysOf(hooked)).map(({ commit, state }) => [commit, state])).toEqual([
      [other, 'pending'],
      [after, 'superseded'],
    ]);
  });
});
