import type { ErrorCode } from '#generated/errors.ts';
import {
  all,
  badNames,
  noBoolean,
  noNumber,
  noObject,
  noText,
  notBooleans,
  notNumbers,
  notObjects,
  notTexts,
  type ChatFieldCases,
} from './ai-values.ts';

const user = { role: 'user', content: 'What is an ETag?' };
const call = { id: 'call_1', type: 'function', function: { name: 'find', arguments: '{}' } };
const result = { role: 'tool', tool_call_id: 'call_1', content: '1' };
const tool = { type: 'function', function: { name: 'find', parameters: { type: 'object' } } };

const badName: readonly unknown[] = [...noText, null, '', 'a b', 'x'.repeat(65)];

function topLevel(field: string, bad: ChatFieldCases['bad'], good: readonly unknown[]): ChatFieldCases {
  return { field, bad, good, bodyWith: (value) => ({ messages: [user], [field]: value }) };
}

/** The file of a part. This part is a text, in a list without a file. */
function ofFile(field: '' | '/file_id', bad: ChatFieldCases['bad']): ChatFieldCases {
  const part = (value: unknown) => ({ type: 'text', text: 'a', file: field === '' ? value : { file_id: value } });
  return {
    field: `messages/*/content/*/file${field}`,
    bad,
    good: [],
    bodyWith: (value) => ({ messages: [{ role: 'user', content: [part(value)] }] }),
  };
}

function ofMessage(field: string, bad: readonly unknown[], good: readonly unknown[]): ChatFieldCases {
  return {
    field: `messages/*/${field}`,
    bad: all('invalid_messages', bad),
    good,
    bodyWith: (value) => ({ messages: [user, { ...user, [field]: value }] }),
  };
}

/** A field of a call, at a path below the call. */
function ofCall(path: readonly string[], bad: readonly unknown[], good: readonly unknown[]): ChatFieldCases {
  const bodyWith = (value: unknown) => {
    const changed = set(call, path, value) as { readonly id: unknown };
    return {
      messages: [
        user,
        { role: 'assistant', content: null, tool_calls: [changed] },
        { ...result, ...(typeof changed.id === 'string' && { tool_call_id: changed.id }) },
      ],
    };
  };
  return { field: `messages/*/tool_calls/*/${path.join('/')}`, bad: all('invalid_messages', bad), good, bodyWith };
}

function ofTool(path: readonly string[], bad: readonly unknown[], good: readonly unknown[]): ChatFieldCases {
  return {
    field: `tools/*/${path.join('/')}`,
    bad: all('invalid_tools', bad),
    good,
    bodyWith: (value) => ({ messages: [user], tools: [set(tool, path, value)] }),
  };
}

function ofSchemaFormat(field: string, bad: readonly unknown[], good: readonly unknown[]): ChatFieldCases {
  const bodyWith = (value: unknown) => ({
    messages: [user],
    response_format: { type: 'json_schema', json_schema: { name: 'answer', [field]: value } },
  });
  return { field: `response_format/json_schema/${field}`, bad: all('invalid_body', bad), good, bodyWith };
}

function set(target: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  return step === undefined
    ? value
    : { ...(target as object), [step]: set((target as Record<string, unknown>)[step], rest, value) };
}

const goodNames: readonly unknown[] = ['f', 'find_invoice', 'Find-2', '_', 'x'.repeat(64), 'constructor', '__proto__'];

export const chatFields: readonly ChatFieldCases[] = [
  topLevel('model', all('invalid_body', notTexts), ['cubic', 'gpt-anything', '', '📁', null, 'x'.repeat(5000)]),
  topLevel(
    'messages',
    all('invalid_messages', [
      null,
      {},
      { 0: user, length: 1 },
      'hello',
      '',
      0,
      7,
      true,
      false,
      [],
      [null],
      ['hello'],
      [7],
      [[]],
      [[user]],
      [user, null],
      Array(101).fill(user),
    ]),
    [[user], Array(100).fill(user), [{ role: 'system', content: '' }]],
  ),
  ofMessage(
    'role',
    [...noText, null, '', ' ', 'User', 'USER', 'user ', 'function', 'developer', 'bot', 'tool ', 'üser', 'user\u0000'],
    ['user', 'system', 'assistant'],
  ),
  {
    field: 'messages/*/content',
    bad: [
      ...all('multimodal_not_supported', notTexts),
      ['multimodal_not_supported', [{ type: 'text', text: 'hello' }]],
      ['multimodal_not_supported', [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }]],
      ['invalid_messages', null],
      ['invalid_messages', undefined],
    ],
    good: ['', ' ', 'hello', '漢字', '📁', 'a\u0000b', '\ud800', 'x'.repeat(5000)],
    bodyWith: (content) => ({ messages: [user, { role: 'user', content }] }),
  },
  ...['reasoning_content', 'reasoning'].map((field) => ofMessage(field, noText, ['a', '', null])),
  ofMessage('name', [...noText, 'x'.repeat(65)], ['ana', '', 'Ana Lima', null, 'x'.repeat(64)]),
  {
    field: 'messages/*/tool_calls',
    bad: all('invalid_messages', [
      {},
      { 0: call },
      '',
      'call_1',
      0,
      7,
      true,
      false,
      [],
      [null],
      ['call_1'],
      [7],
      [[call]],
      [{}],
      [{ ...call, id: undefined }],
      [{ ...call, type: undefined }],
      [{ ...call, function: undefined }],
    ]),
    good: [[call]],
    bodyWith: (tool_calls) => ({ messages: [user, { role: 'assistant', content: null, tool_calls }, result] }),
  },
  {
    ...ofMessage('tool_calls of a user', [[call]], [null]),
    bodyWith: (tool_calls) => ({ messages: [{ ...user, tool_calls }] }),
  },
  ofCall(['id'], [...noText, null, '', 'x'.repeat(257)], ['call_1', ' ', '漢', 'x'.repeat(256), '__proto__']),
  ofCall(['type'], [...noText, null, '', 'Function', 'custom', 'function '], ['function']),
  ofCall(
    ['function'],
    [...noObject, null, {}, { name: 'find' }, { arguments: '{}' }],
    [{ name: 'find', arguments: '' }],
  ),
  ofCall(['function', 'name'], badNames, goodNames),
  ofCall(['function', 'arguments'], [...noText, null], ['', '{}', 'no JSON', '漢', 'x'.repeat(5000)]),
  {
    field: 'messages/*/tool_call_id',
    bad: [
      ...all('invalid_messages', [...noText, null, undefined, '', 'x'.repeat(257)]),
      ['invalid_request', 'call_2'],
      ['invalid_request', 'Call_1'],
      ['invalid_request', 'call_1 '],
    ],
    good: ['call_1'],
    bodyWith: (tool_call_id) => ({
      messages: [user, { role: 'assistant', content: null, tool_calls: [call] }, { ...result, tool_call_id }],
    }),
  },
  {
    ...ofMessage('tool_call_id of a user', ['call_1'], [null]),
    bodyWith: (tool_call_id) => ({ messages: [{ ...user, tool_call_id }] }),
  },
  ...['max_tokens', 'max_completion_tokens'].map((field) =>
    topLevel(field, all('invalid_max_tokens', [...noNumber, 0, -1, -100, 0.5, 1.5, 1e-9, -1e300]), [
      1,
      1.0,
      4096,
      1e9,
      1e300,
      null,
    ]),
  ),
  topLevel('temperature', all('invalid_temperature', [...notNumbers, -1, -0.001, 2.001, 3, 100, 1e300, -1e300]), [
    0,
    -0,
    0.5,
    1,
    2,
    null,
  ]),
  topLevel('top_p', all('invalid_body', [...noNumber, -1, -0.001, 1.001, 2, 1e300]), [0, 0.5, 1, null]),
  topLevel(
    'stop',
    all('invalid_body', [
      '',
      {},
      0,
      7,
      true,
      false,
      [''],
      [null],
      [7],
      [['a']],
      [{}],
      ['a', 'b', 'c', 'd', 'e'],
      ['a', ''],
    ]),
    ['END', '\n', [], ['a'], ['a', 'b', 'c', 'd'], null],
  ),
  topLevel('seed', all('invalid_body', [...noNumber, 0.5, 1.5, -0.1]), [0, 1, -1, 2 ** 53 - 1, null]),
  ...['presence_penalty', 'frequency_penalty'].map((field) =>
    topLevel(field, all('invalid_body', [...noNumber, -2.001, 2.001, 3, -3, 1e300]), [-2, -0.5, 0, 2, null]),
  ),
  topLevel(
    'tools',
    all('invalid_tools', [
      {},
      { 0: tool },
      'find',
      '',
      0,
      7,
      true,
      false,
      [null],
      ['find'],
      [7],
      [[tool]],
      [{}],
      [tool, tool],
      [tool, null],
      Array.from({ length: 33 }, (_, at) => ({ type: 'function', function: { name: `f${at}` } })),
    ]),
    [[], [tool], null, Array.from({ length: 32 }, (_, at) => ({ type: 'function', function: { name: `f${at}` } }))],
  ),
  ofTool(['type'], [...noText, null, undefined, '', 'Function', 'retrieval', 'web_search'], ['function']),
  ofTool(['function'], [...noObject, null, undefined, {}], [{ name: 'find' }, { name: 'find', more: 1 }]),
  ofTool(['function', 'name'], [...badName, undefined], ['x'.repeat(64)]),
  ofTool(['function', 'description'], noText, ['', 'Finds it.', '漢', null]),
  ofTool(['function', 'parameters'], notObjects, [
    {},
    { type: 'object', properties: { a: { type: 'string' } } },
    { $ref: 'https://example.com/schema' },
    null,
  ]),
  ofTool(['function', 'strict'], noBoolean, [true, false, null]),
  {
    field: 'tool_choice',
    bad: all('invalid_tool_choice', [
      '',
      'any',
      'AUTO',
      'find',
      ' auto',
      0,
      7,
      true,
      false,
      [],
      ['auto'],
      {},
      { type: 'function' },
      { type: 'function', function: {} },
      { type: 'function', function: 'find' },
      { type: 'auto', function: { name: 'find' } },
      { type: 'function', function: { name: 'a b' } },
      { type: 'function', function: { name: 'other' } },
      { function: { name: 'find' } },
    ]),
    good: ['auto', 'none', 'required', { type: 'function', function: { name: 'find' } }, null],
    bodyWith: (tool_choice) => ({ messages: [user], tools: [tool], tool_choice }),
  },
  {
    ...topLevel(
      'tool_choice',
      all('invalid_tool_choice', [
        'required',
        { type: 'function', function: { name: 'find' } },
        { type: 'function', function: { name: 'web_search' } },
      ]),
      ['auto', 'none', null],
    ),
    field: 'tool_choice without tools',
  },
  topLevel('parallel_tool_calls', all('invalid_body', notBooleans), [true, false, null]),
  topLevel(
    'response_format',
    all('invalid_body', [
      '',
      'json',
      'json_object',
      0,
      7,
      true,
      false,
      [],
      [{}],
      {},
      { type: '' },
      { type: 'json' },
      { type: 'JSON_OBJECT' },
      { type: null },
      { type: ['text'] },
      { type: 'json_schema' },
      { type: 'json_schema', json_schema: null },
      { type: 'json_schema', json_schema: [] },
      { type: 'json_schema', json_schema: 'a' },
    ]),
    [{ type: 'text' }, { type: 'json_object' }, { type: 'json_schema', json_schema: { name: 'answer' } }, null],
  ),
  ofSchemaFormat('name', [...badName, undefined], ['answer', 'x'.repeat(64)]),
  ofSchemaFormat('description', noText, ['', 'The answer.', null]),
  ofSchemaFormat('schema', noObject, [{}, { type: 'object' }, null]),
  ofSchemaFormat('strict', noBoolean, [true, false, null]),
  topLevel('stream', [['stream_not_supported', true], ...all('invalid_body', noBoolean)], [false, null]),
  topLevel('stream_options', all('invalid_body', noObject), [{}, { include_usage: true, other: 1 }, null]),
  {
    field: 'stream_options/include_usage',
    bad: all('invalid_body', notBooleans),
    good: [true, false, null],
    bodyWith: (value) => ({ messages: [user], stream_options: { include_usage: value } }),
  },
  topLevel('n', all('invalid_body', [...noNumber, 0, -1, 1.5, 129]), [1, 128, null]),
  topLevel('logprobs', all('invalid_body', noBoolean), [true, false, null]),
  topLevel('top_logprobs', all('invalid_body', [...noNumber, -1, 0.5, 21]), [0, 20, null]),
  topLevel(
    'logit_bias',
    all('invalid_body', [
      ...noObject,
      { 42: '1' },
      { 42: 101 },
      { 42: -101 },
      { 42: null },
      Object.fromEntries(Array.from({ length: 1025 }, (_, at) => [at, 1])),
    ]),
    [{}, { 42: -100, 43: 100 }, null],
  ),
  ...['reasoning_effort', 'verbosity'].map((field) =>
    topLevel(field, all('invalid_body', [...noText, '', 'Low', 'a b', 'a'.repeat(33)]), ['low', 'a'.repeat(32), null]),
  ),
  topLevel('service_tier', all('invalid_body', [...noText, 'a'.repeat(65)]), ['', 'auto', 'a'.repeat(64), null]),
  topLevel('store', all('invalid_body', noBoolean), [true, false, null]),
  topLevel('functions', all('invalid_body', ['a', 7, {}, Array(129).fill({})]), [[], Array(128).fill({}), null]),
  ...['type', 'text', 'refusal'].map((field): ChatFieldCases => ({
    field: `messages/*/content/*/${field}`,
    bad: [
      ...all('multimodal_not_supported', field === 'type' ? [...noText, undefined, 'image_url'] : ['a']),
      ...all('invalid_messages', field === 'type' ? [] : noText),
    ],
    good: [],
    bodyWith: (value) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'a', [field]: value }] }] }),
  })),
  ofFile('', [...all('multimodal_not_supported', [{}, { file_id: null }, null]), ...all('invalid_messages', noObject)]),
  ofFile('/file_id', [...all('multimodal_not_supported', ['a', '', null]), ...all('invalid_messages', noText)]),
  topLevel(
    'audio',
    all('multimodal_not_supported', [{}, { voice: 'alloy', format: 'mp3' }, [], '', 'mp3', 0, 7, true, false, [null]]),
    [null],
  ),
  topLevel(
    'modalities',
    all('multimodal_not_supported', [
      [],
      {},
      '',
      'text',
      0,
      7,
      true,
      false,
      ['audio'],
      ['text', 'audio'],
      ['text', 'text'],
      ['TEXT'],
      [null],
      [['text']],
    ]),
    [['text'], null],
  ),
];

/**
 * Bodies that are not a chat request, and bodies with several wrong fields. For these the contract's first wrong field
 * is named.
 */
export const badBodies: ReadonlyArray<readonly [what: string, code: ErrorCode, body: unknown]> = [
  ['is a list', 'invalid_body', [{ messages: [user] }]],
  ['is null', 'invalid_body', null],
  ['is a text', 'invalid_body', 'hello'],
  ['is a number', 'invalid_body', 7],
  ['is true', 'invalid_body', true],
  ['is empty', 'invalid_messages', {}],
  ['has its messages under another name', 'invalid_messages', { Messages: [user], message: user, prompt: 'hello' }],
  [
    'has a wrong temperature and a wrong message',
    'invalid_messages',
    { messages: [{ role: 'nobody', content: 'a' }], temperature: 3 },
  ],
  ['has wrong tools and a wrong temperature', 'invalid_temperature', { messages: [user], tools: {}, temperature: 3 }],
  ['has a wrong temperature and streams', 'invalid_temperature', { stream: true, temperature: 3, messages: [user] }],
  ['has no messages and streams', 'invalid_messages', { stream: true }],
  [
    'has an image and a tool message that answers nothing',
    'multimodal_not_supported',
    { messages: [result, { role: 'user', content: [{ type: 'image_url' }] }] },
  ],
  [
    'has a tool message that answers nothing and a message without content',
    'invalid_messages',
    { messages: [result, { role: 'user' }] },
  ],
  [
    'has a tool message that answers nothing and two tools of one name',
    'invalid_tools',
    { messages: [result], tools: [tool, tool] },
  ],
];
