import { deliveryOf, hostNames } from '#test/support/git-deliveries.ts';
import { draftOf } from '../contract-draft.ts';
import type { Recipe, World } from '../world.ts';
import { serverClock } from '../server-clock.ts';

const kinds = ['push', 'push', 'push', 'tag', 'deletion', 'ping', 'other', 'without-commits'] as const;

const app = (world: World) => ({ app_id: world.member.app ?? 'app_4x7k2m9q3v8n6tbw' });

const receiveGitPush: Recipe = (world) => {
  const path = world.some('hookPath');
  if (path === undefined) return apps.setGitWebhook!(world);
  const { headers, body } = deliveryOf(world.random.pick(hostNames), world.random.pick(kinds), {
    commit: world.random.text('0123456789abcdef', 40),
  });
  const draft = draftOf(world, 'receiveGitPush', {
    headers,
    body: { kind: 'bytes', bytes: Buffer.from(body), type: 'application/json' },
  });
  return { ...draft, path, pathValues: {} };
};

const chat: Recipe = (world) => {
  const { random } = world;
  const message = () => ({
    role: random.pick(['user', 'user', 'system', 'assistant']),
    content: `Say ${random.text('abc é', 20)}`,
  });
  const messages = [...Array.from({ length: random.below(3) }, message), { role: 'user', content: 'What is an ETag?' }];
  const plain = {
    tools: undefined,
    tool_choice: undefined,
    response_format: undefined,
    parallel_tool_calls: undefined,
  };
  return draftOf(world, 'createChatCompletion', {
    fields: {
      messages,
      model: undefined,
      stream: random.pick([undefined, undefined, true]),
      max_completion_tokens: undefined,
      max_tokens: random.pick([undefined, 1, 100]),
      ...(random.chance(0.7) && plain),
    },
  });
};

const responses: Recipe = (world) => {
  const { random } = world;
  const text = () => `Say ${random.text('abc é', 20)}`;
  const call = { type: 'function_call', call_id: 'c1', name: 'find', arguments: '{}' };
  const input = random.pick<unknown>([
    text(),
    [{ role: 'user', content: text() }],
    [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: text() }] }],
    [{ role: 'user', content: text() }, call, { type: 'function_call_output', call_id: 'c1', output: text() }],
  ]);
  const plain = Object.fromEntries(
    ['tools', 'tool_choice', 'text', 'reasoning', 'parallel_tool_calls', 'metadata'].map((name) => [name, undefined]),
  );
  const refusable = ['store', 'background', 'truncation', 'include', 'top_logprobs', 'service_tier', 'model'];
  return draftOf(world, 'createResponse', {
    fields: {
      input,
      stream: random.pick([undefined, undefined, true]),
      max_output_tokens: random.pick([undefined, 1, 100]),
      ...Object.fromEntries(refusable.map((name) => [name, undefined])),
      ...plain,
    },
  });
};

const messages: Recipe = (world) => {
  const { random } = world;
  const text = () => `Say ${random.text('abc é', 20)}`;
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'find', input: {} }] };
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: text() }] };
  const asked = random.pick<readonly unknown[]>([
    [{ role: 'user', content: text() }],
    [{ role: 'user', content: [{ type: 'text', text: text() }] }],
    [{ role: 'user', content: text() }, call, result],
  ]);
  return draftOf(world, 'createMessage', {
    fields: {
      messages: asked,
      model: undefined,
      system: random.pick([undefined, 'Be brief.']),
      stream: random.pick([undefined, undefined, true]),
      max_tokens: random.pick([undefined, 1, 100]),
      tools: undefined,
      tool_choice: undefined,
    },
  });
};

const embeddings: Recipe = (world) => {
  const { random } = world;
  const text = () => random.text('abc é', 20) || 'a';
  const input = random.pick([text(), [text(), text()], [7, 8], [[7], [8, 9]]]);
  return draftOf(world, 'createEmbeddings', {
    fields: { input, encoding_format: random.pick([undefined, 'float', 'base64']), dimensions: undefined },
  });
};

/** Names a deploy of the account, or asks for their list. */
const ofDeploy =
  (operation: string, query?: (world: World) => Record<string, string | number | undefined>): Recipe =>
  (world) => {
    const id = world.some('deploy');
    if (id === undefined) return world.random.chance(0.5) ? apps.startHookDeploy!(world) : apps.listDeployments!(world);
    return draftOf(world, operation, { path: { ...app(world), id }, ...(query && { query: query(world) }) });
  };

export const apps: Readonly<Record<string, Recipe>> = {
  listApps: (world) => draftOf(world, 'listApps'),
  setGitWebhook: (world) => draftOf(world, 'setGitWebhook', { path: app(world), fields: { secret: undefined } }),
  getCurrentDeployment: (world) => draftOf(world, 'getCurrentDeployment', { path: app(world) }),
  listDeployments: (world) =>
    draftOf(world, 'listDeployments', {
      path: app(world),
      query: { limit: world.pick(undefined, 1, 100), cursor: world.some('deployCursor'), continuationToken: undefined },
    }),
  getDeployHook: (world) =>
    world.some('deployHook') === undefined
      ? apps.createDeployHook!(world)
      : draftOf(world, 'getDeployHook', { path: app(world) }),
  createDeployHook: (world) =>
    draftOf(world, 'createDeployHook', {
      path: app(world),
      fields: {
        repository: 'https://git.invalid/acme/shop.git',
        branch: world.pick(undefined, 'next'),
        host: undefined,
      },
    }),
  revokeDeployHook: (world) => draftOf(world, 'revokeDeployHook', { path: app(world) }),
  startHookDeploy: (world) => {
    const hook = world.some('deployHook');
    if (hook === undefined) return apps.createDeployHook!(world);
    const fields = { ref: world.pick(undefined, 'main'), commit: world.pick(undefined, 'a'.repeat(40)) };
    return draftOf(world, 'startHookDeploy', { path: { hook }, fields });
  },
  getCommitStatus: (world) => draftOf(world, 'getCommitStatus', { path: app(world) }),
  replaceCommitStatus: (world) =>
    draftOf(world, 'replaceCommitStatus', {
      path: app(world),
      fields: { origin: 'https://git.invalid', target_url: undefined, context: undefined },
    }),
  deleteCommitStatus: (world) => draftOf(world, 'deleteCommitStatus', { path: app(world) }),
  getDeployFilters: (world) => draftOf(world, 'getDeployFilters', { path: app(world) }),
  replaceDeployFilters: (world) =>
    draftOf(world, 'replaceDeployFilters', {
      path: app(world),
      fields: {
        include_branches: [],
        exclude_branches: world.pick([], ['docs']),
        include_paths: [],
        exclude_paths: world.pick([], ['**/*.md']),
      },
    }),
  runDeployment: ofDeploy('runDeployment'),
  abortDeployment: ofDeploy('abortDeployment'),
  getDeploymentLogs: ofDeploy('getDeploymentLogs', (world) => ({
    limit: world.pick(undefined, 1, 1000),
    cursor: undefined,
  })),
  getNetworkErrors: (world) => {
    const end = serverClock.now() - world.random.below(1e7);
    const start = end - world.random.between(60_000, 20 * 86_400_000);
    return draftOf(world, 'getNetworkErrors', {
      path: app(world),
      query: { start: new Date(start).toISOString(), end: new Date(end).toISOString() },
    });
  },
  receiveGitPush,
  createChatCompletion: chat,
  createEmbeddings: embeddings,
  createResponse: responses,
  createMessage: messages,
  listAiRequests: (world) =>
    draftOf(world, 'listAiRequests', {
      query: {
        limit: world.pick(undefined, 1, 100),
        // The server of the fuzz test records none, so there is no second page.
        cursor: undefined,
        outcome: world.pick(undefined, 'answered'),
        from: world.pick(undefined, '2026-04-01T00:00:00Z'),
        to: world.pick(undefined, '2026-05-01T00:00:00Z'),
      },
    }),
  getModel: (world) =>
    draftOf(world, 'getModel', { path: { model: world.random.pick(['cubic', 'cubic', 'another']) } }),
};
