import { draftOf } from '../contract-draft.ts';
import type { Recipe, World } from '../world.ts';

/** The id of a file, which may be of any bytes. */
const fileId = (world: World) => world.some('object') ?? 'file-abc123';

/** A block that names a file. */
const documentOf = (world: World) => ({ type: 'document', source: { type: 'file', file_id: fileId(world) } });

const completions: Recipe = (world) => {
  const { random } = world;
  const message = () => ({
    role: random.pick(['user', 'user', 'system', 'assistant']),
    content: `Say ${random.text('abc é', 20)}`,
  });
  const question = random.chance(0.15) ? [{ type: 'file', file: { file_id: fileId(world) } }] : 'What is an ETag?';
  const messages = [...Array.from({ length: random.below(3) }, message), { role: 'user', content: question }];
  const tools = ['tools', 'tool_choice', 'response_format', 'parallel_tool_calls', 'functions', 'function_call'];
  const refusable = ['n', 'logprobs', 'top_logprobs', 'store', 'service_tier', 'modalities'];
  const plain = Object.fromEntries([...tools, ...refusable].map((name) => [name, undefined]));
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
    [{ role: 'user', content: [{ type: 'input_file', file_id: fileId(world) }] }],
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

const tokens: Recipe = (world) =>
  draftOf(world, 'countMessageTokens', {
    fields: {
      messages: [
        {
          role: 'user',
          content: world.random.chance(0.3) ? [documentOf(world)] : `Say ${world.random.text('abc é', 20)}`,
        },
      ],
      model: undefined,
      output_config: undefined,
      output_format: undefined,
      tools: undefined,
      tool_choice: undefined,
    },
  });

const messages: Recipe = (world) => {
  const { random } = world;
  const text = () => `Say ${random.text('abc é', 20)}`;
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'find', input: {} }] };
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: text() }] };
  const asked = random.pick<readonly unknown[]>([
    [{ role: 'user', content: text() }],
    [{ role: 'user', content: [{ type: 'text', text: text() }] }],
    [{ role: 'user', content: [{ type: 'text', text: text() }, documentOf(world)] }],
    [{ role: 'user', content: text() }, call, result],
  ]);
  return draftOf(world, 'createMessage', {
    fields: {
      messages: asked,
      model: undefined,
      system: random.pick([undefined, 'Be brief.']),
      stream: random.pick([undefined, undefined, true]),
      max_tokens: random.pick([undefined, 1, 100]),
      output_config: undefined,
      output_format: undefined,
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

export const chat: Readonly<Record<string, Recipe>> = {
  createChatCompletion: completions,
  createEmbeddings: embeddings,
  createResponse: responses,
  createMessage: messages,
  countMessageTokens: tokens,
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
