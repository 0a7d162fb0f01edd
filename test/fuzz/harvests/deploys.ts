import { cursor, targetOf, type Harvest } from './note.ts';

export const deploys: Readonly<Record<string, Harvest>> = {
  setGitWebhook: (world, { json }) => world.pool.add('hookPath', targetOf(json.response.webhook)),
  createDeployHook: (world, { json }) => world.pool.add('deployHook', json.response.url.split('/').at(-1)),
  listDeployments: (world, exchanged) => {
    cursor('deployCursor')(world, exchanged);
    world.pool.add('deploy', exchanged.json.response.deployments.at(-1)?.id);
  },
  runDeployment: (world, { json }) => world.pool.add('deploy', json.response.id),
};
