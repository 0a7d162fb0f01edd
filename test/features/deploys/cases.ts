import type { Cases, Switch } from '#test/flows/cases.ts';
import { deliveryOf } from '#test/support/git-deliveries.ts';
import { gitHooks } from '#test/support/git-hooks.ts';

/** Pushes twice within 15 seconds. */
const pushTwice: Switch['ask'] = async ({ server, account }) => {
  const hooks = gitHooks(server, account);
  const hooked = await hooks.newHook();
  await hooks.deliver(hooked, deliveryOf('github', 'push', { commit: 'a'.repeat(40) }));
  return hooks.deliver(hooked, deliveryOf('github', 'push', { commit: 'b'.repeat(40) }));
};

const report =
  (origin: string): Switch['ask'] =>
  async ({ server, account }) => {
    const { appId } = await gitHooks(server, account).newHook();
    const body = JSON.stringify({ access_token: 'token', origin });
    return server.send(`/v2/apps/${appId}/deploy/status`, { method: 'PUT', credential: account.credential, body });
  };

const allowPrivate = { CUBBY_WEBHOOK_ALLOW_PRIVATE: 'on' };

export const switches: Cases['switches'] = {
  'reports to a private address': {
    code: 'INVALID_STATUS_ORIGIN',
    named: 'CUBBY_WEBHOOK_ALLOW_PRIVATE',
    lifting: allowPrivate,
    ask: report('https://10.0.0.1'),
  },
  'reports over http': {
    code: 'INVALID_STATUS_ORIGIN',
    named: 'CUBBY_WEBHOOK_ALLOW_PRIVATE',
    lifting: allowPrivate,
    ask: report('http://git.example'),
  },
  'a second push within 15 seconds': {
    code: 'KEEP_CALM',
    named: 'CUBBY_DEPLOY_COALESCE=on',
    lifting: { CUBBY_DEPLOY_COALESCE: 'on' },
    ask: pushTwice,
  },
};

const hookSecret = 'a secret of the host';

export const kept: Cases['kept'] = async ({ server, account }) => {
  const hooks = gitHooks(server, account);
  const hooked = await hooks.newHook({ secret: hookSecret });
  return {
    'the address and the secret of a git webhook': {
      use: async () => {
        server.clock.advance(15_000);
        return (await hooks.deliver(hooked, deliveryOf('github', 'push', { secret: hookSecret }))).status;
      },
      afterwards: 200,
    },
    'the address of a git webhook in the application': {
      use: async () => ((await hooks.currentOf(hooked)).webhook?.endsWith(hooked.hook) ? 200 : 404),
      afterwards: 200,
    },
  };
};
