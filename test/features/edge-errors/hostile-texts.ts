import { createApp } from '#server/features/apps/create-app.ts';
import { Tally } from '#server/features/edge-errors/tally.ts';
import { hostile, short, type HostileTexts } from '#test/browser/hostile-texts.ts';

export const store: HostileTexts['store'] = async ({ server, account }) => {
  const { stores } = server.running.app;
  const appId = (await createApp(stores, { accountId: account.id, name: short }))!.id;
  const tally = new Tally();
  tally.add({ at: Date.now() - 600_000, status: 502, method: 'GET', path: `/${hostile}` });
  await stores.metadata.atomically((tx) => tx.edgeErrors.add(appId, tally.counts()));
  return [{ path: `/deploys/${appId}/errors` }];
};
