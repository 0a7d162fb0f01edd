import type { Addresses } from '#test/support/addresses.ts';
import { gitHooks } from '#test/support/git-hooks.ts';
import type { TestAccount, TestServer } from '#test/support/server.ts';

/** Makes an application with the webhook of a git host and a deploy hook. */
async function hooksOf(server: TestServer, account: TestAccount) {
  const hooks = gitHooks(server, account);
  const hooked = await hooks.newHook();
  const { url } = (
    await server.send(`/v2/apps/${hooked.appId}/deploy/hook`, {
      method: 'POST',
      credential: account.credential,
      body: JSON.stringify({ repository: 'https://git.invalid/a.git', branch: 'main' }),
    })
  ).json().response as { readonly url: string };
  return { hooks, hooked, deployHook: url };
}

export const open: Addresses['open'] = async ({ server, account }) => {
  const { hooked, deployHook } = await hooksOf(server, account);
  return {
    '/v2/deploy/hook/{hook}': { addresses: [new URL(deployHook).pathname] },
    '/v2/git/webhook/{webhook}': { addresses: [hooked.hook] },
  };
};

export const takingBodies: Addresses['takingBodies'] = async ({ server, account }) => {
  const { hooked, deployHook } = await hooksOf(server, account);
  return { receiveGitPush: hooked.hook, startHookDeploy: new URL(deployHook).pathname };
};

export const streaming: Addresses['streaming'] = ['receiveGitPush'];

const lastOf = (url: string): string => url.split('/').at(-1)!;

export const secret: Addresses['secret'] = {
  async 'of a git webhook'({ server, account }) {
    const { hooks, hooked } = await hooksOf(server, account);
    return [lastOf(hooked.hook), async () => (await hooks.currentOf(hooked)).webhook!];
  },
  async 'of a deploy hook'({ server, account }) {
    const { deployHook } = await hooksOf(server, account);
    return [lastOf(deployHook), async () => deployHook];
  },
};
