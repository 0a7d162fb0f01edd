import { createHmac } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { deliveryOf, hostNames, signatureOf, type Delivery } from '#test/support/git-deliveries.ts';
import { hookedServer, textOf } from '#test/support/git-hooks.ts';

const secret = 'a secret of the host';
const other = 'b'.repeat(40);

const hooks = hookedServer();
const { newHook, deliver, deploysOf, later } = hooks;

describe.each(hostNames)('receiveGitPush() of %s, with a secret', (host) => {
  it('accepts a push that is signed with its secret, as JSON and as a form, and returns 401 for others', async () => {
    const hooked = await newHook({ secret });
    const { headers, body } = deliveryOf(host, 'push', { secret });
    const wrong = [
      deliveryOf(host),
      deliveryOf(host, 'push', { secret: 'another' }),
      deliveryOf(host, 'ping', { secret: 'another' }),
      ...(host === 'gitlab' ? [] : [{ headers, body: `${body} ` }]),
      {
        headers: {
          ...headers,
          ...Object.fromEntries(Object.keys(signatureOf(host, secret, body)).map((name) => [name, ''])),
        },
        body,
      },
    ];
    for (const delivery of wrong) {
      const answer = await deliver(hooked, delivery);
      expect([answer.status, textOf(answer)]).toEqual([
        401,
        expect.stringMatching(/^INVALID_SIGNATURE: .* Nothing was deployed\.$/),
      ]);
    }
    expect(await deploysOf(hooked)).toEqual([]);
    expect((await deliver(hooked, { headers, body })).status).toBe(200);
    later();
    expect((await deliver(hooked, deliveryOf(host, 'push', { secret, asForm: true, commit: other }))).status).toBe(200);
  });
});

describe('receiveGitPush(), with a secret', () => {
  it.each(hostNames)(
    'accepts a secret with spaces at its ends from %s, and no empty value in place of a blank secret',
    async (host) => {
      const hooked = await newHook({ secret: ' a secret ' });
      expect((await deliver(hooked, deliveryOf(host, 'push', { secret: ' a secret ' }))).status).toBe(200);
      const blank = await newHook({ secret: ' ' });
      const { headers, body } = deliveryOf(host);
      for (const value of ['', ' ', 'sha256=']) {
        const unsigned = Object.fromEntries(Object.keys(signatureOf(host, 'x', body)).map((name) => [name, value]));
        expect((await deliver(blank, { headers: { ...headers, ...unsigned }, body })).status).toBe(401);
      }
    },
  );

  it('accepts signatures of a GitLab signing token, also beside others, and the token as a secret token', async () => {
    const key = Buffer.alloc(32, 7);
    const token = `whsec_${key.toString('base64')}`;
    const hooked = await newHook({ secret: token });
    const sign = (body: string, change: Readonly<Record<string, string>> = {}): Delivery => {
      const { headers } = deliveryOf('gitlab');
      const [id, timestamp] = ['a-delivery', '1776763800'];
      const signature = createHmac('sha256', change.key ?? key)
        .update(`${id}.${timestamp}.${body}`)
        .digest('base64');
      return {
        headers: {
          ...headers,
          'webhook-id': change.id ?? id,
          'webhook-timestamp': change.timestamp ?? timestamp,
          'webhook-signature': `${change.others ?? ''}v1,${signature}`,
        },
        body,
      };
    };
    const { body } = deliveryOf('gitlab');
    const wrong = [
      sign(body, { key: token }),
      sign(body, { id: 'another' }),
      sign(body, { timestamp: '1776763801' }),
      { ...sign(body), body: `${body} ` },
      { headers: { ...sign(body).headers, 'webhook-signature': '' }, body },
    ];
    for (const delivery of [...wrong, deliveryOf('gitlab')]) expect((await deliver(hooked, delivery)).status).toBe(401);
    expect((await deliver(hooked, sign(body, { others: 'v1,b3RoZXI= v2,x ' }))).status).toBe(200);
    later();
    expect((await deliver(hooked, deliveryOf('gitlab', 'push', { secret: token, commit: other }))).status).toBe(200);
    // A hook may send both, while the webhook knows only the secret token.
    const plain = await newHook({ secret });
    const both = deliveryOf('gitlab', 'push', { secret });
    expect(
      (
        await deliver(plain, {
          ...both,
          headers: { ...both.headers, ...sign(both.body).headers, 'X-Gitlab-Token': secret },
        })
      ).status,
    ).toBe(200);
  });

  it('accepts only a signed time within five minutes of its clock, to prevent replays', async () => {
    const key = Buffer.alloc(32, 7);
    const hooked = await newHook({ secret: `whsec_${key.toString('base64')}` });
    const signedAt = (timestamp: string, commit: string) => {
      const { headers, body } = deliveryOf('gitlab', 'push', { commit: commit.repeat(40) });
      const signature = createHmac('sha256', key).update(`id-${commit}.${timestamp}.${body}`).digest('base64');
      return deliver(hooked, {
        headers: {
          ...headers,
          'webhook-id': `id-${commit}`,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${signature}`,
        },
        body,
      });
    };
    const now = () => Math.floor(hooks.server.clock.now() / 1000);
    for (const timestamp of [`${now() - 301}`, `${now() + 301}`, 'soon', '', `${now()}.5`]) {
      const answer = await signedAt(timestamp, 'c');
      expect([answer.status, textOf(answer)], timestamp).toEqual([
        401,
        expect.stringMatching(
          /^INVALID_SIGNATURE: webhook-timestamp must be within 5 minutes .* Nothing was deployed\.$/,
        ),
      ]);
    }
    expect((await signedAt(`${now() - 299}`, 'd')).status).toBe(200);
    later();
    expect((await signedAt(`${now() + 299}`, 'e')).status).toBe(200);
    expect(await deploysOf(hooked)).toHaveLength(2);
  });
});
