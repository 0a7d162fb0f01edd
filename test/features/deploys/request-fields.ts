import { addDeploy } from '#server/features/deploys/add-deploy.ts';
import { long, odd, takes } from '#test/contract/bad-input/odd.ts';
import type { RequestFields } from '#test/contract/bad-input/request-fields.ts';

const token = takes('a', long(255));
const globs = takes([], ['main'], Array(20).fill('main'));
const glob = odd(['/a', 'a//b', 'a**', 'a\nb'], ['**', 'release/*', long(200)]);
const filters = ['include_branches', 'exclude_branches', 'include_paths', 'exclude_paths'];

export const sent: RequestFields['sent'] = {
  setGitWebhook: { beside: () => ({ access_token: 'token' }), fields: { access_token: token, secret: token } },
  createDeployHook: {
    beside: () => ({ repository: 'https://git.invalid/a.git' }),
    fields: {
      repository: odd(['shop', 'https://u:p@git.invalid/'], ['https://git.invalid/shop.git', 'file:///srv/shop.git']),
      branch: odd(['-x', 'a b', 'refs/tags/v1'], ['main', 'refs/heads/a/b', long(1024)]),
    },
  },
  replaceCommitStatus: {
    beside: () => ({ access_token: 'token', origin: 'https://git.invalid' }),
    fields: {
      access_token: token,
      origin: odd(
        ['git.invalid', 'https://git.invalid/', 'https://u@git.invalid', 'http://git.invalid'],
        ['https://git.invalid', 'https://git.invalid:3000'],
      ),
      context: takes('a b', long(100)),
      target_url: odd(
        ['shop', 'javascript:alert(1)', 'https://a.invalid/a b'],
        ['https://shop.invalid/{deploy_id}', 'http://a.invalid'],
      ),
    },
  },
  replaceDeployFilters: {
    fields: Object.fromEntries(
      filters.flatMap((field) => [
        [field, globs],
        [`${field}/*`, glob],
      ]),
    ),
  },
};

export const elsewhere: RequestFields['elsewhere'] = ['receiveGitPush', 'startHookDeploy'];

export const whole: RequestFields['whole'] = {
  createDeployHook: { repository: 'https://git.invalid/acme/shop.git', branch: 'main' },
  replaceDeployFilters: { include_branches: ['main'] },
  setGitWebhook: { access_token: 'example-access-token', secret: 'example-secret' },
};

export const secret: RequestFields['secret'] = [
  'replaceCommitStatus body/access_token',
  'setGitWebhook body/access_token',
  'setGitWebhook body/secret',
];

export const ids: RequestFields['ids'] = {
  // A deploy in the queue of the application.
  '/deployments/': ({ server, appId }) => {
    const { stores } = server.running.app;
    const deploy = { appId, branch: 'main', commit: 'a'.repeat(40), message: null, repository: null } as const;
    return stores.metadata.atomically((tx) => addDeploy(tx, { ...stores, apartMs: 0 }, { ...deploy, host: 'github' }));
  },
};
