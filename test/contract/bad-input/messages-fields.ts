import { all, badNames, noBoolean, noNumber, noObject, noText, notTexts, type ChatFieldCases } from './ai-values.ts';

const user = { role: 'user', content: 'What is an ETag?' };
const use = { type: 'tool_use', id: 'call_1', name: 'find', input: {} };
const result = { type: 'tool_result', tool_use_id: 'call_1', content: '1' };
const tool = { name: 'find', input_schema: { type: 'object' } };
const used = (block: unknown, answer: unknown = result) => [
  user,
  { role: 'assistant', content: [block] },
  { role: 'user', content: [answer] },
];

function ofBody(field: string, bad: ChatFieldCases['bad'], good: readonly unknown[]): ChatFieldCases {
  return { field, bad, good, bodyWith: (value) => ({ messages: [user], [field]: value }) };
}

const refused = (field: string, bad: readonly unknown[], good: readonly unknown[]) =>
  ofBody(field, all('invalid_body', bad), good);

/** A field of a block in a message. Texts are tried in both places of blocks. */
function ofBlock(
  field: string,
  bad: ChatFieldCases['bad'],
  good: readonly unknown[],
  messagesWith: (value: unknown) => readonly unknown[],
): ChatFieldCases {
  return {
    field: `messages/*/content/*/${field}`,
    bad,
    good,
    bodyWith: (value) => ({ messages: messagesWith(value) }),
  };
}

const ofUse = (field: string, bad: readonly unknown[], good: readonly unknown[]) =>
  ofBlock(field, all('invalid_body', bad), good, (value) => used({ ...use, [field]: value }));
const ofResult = (field: string, bad: readonly unknown[], good: readonly unknown[]) =>
  ofBlock(field, all('invalid_body', bad), good, (value) => used(use, { ...result, [field]: value }));
const inText = (field: string) => (value: unknown) => [
  { role: 'user', content: [{ type: 'text', text: 'a', [field]: value }] },
];
const inResult = (field: string) => (value: unknown) =>
  used(use, { ...result, content: [{ type: 'text', text: 'a', [field]: value }] });

const badTypes: ChatFieldCases['bad'] = [
  ...all('invalid_body', [...noText, null, undefined, 'tool_use']),
  ...all('multimodal_not_supported', ['image', 'document', 'search_result']),
];
/** Blocks that the gateway cannot run. They are left out. */
const otherTypes = [
  '',
  'Text',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'web_search_tool_result',
  'tool_reference',
];
const badTexts: ChatFieldCases['bad'] = all('invalid_body', [...noText, null, undefined]);

function ofTool(field: string, bad: readonly unknown[], good: readonly unknown[]): ChatFieldCases {
  return {
    field: `tools/*/${field}`,
    bad: all('invalid_tools', bad),
    good,
    bodyWith: (value) => ({ messages: [user], tools: [{ ...tool, [field]: value }] }),
  };
}

function ofChoice(field: string, bad: readonly unknown[], good: readonly unknown[]): ChatFieldCases {
  const choice = { type: 'tool', name: 'find' };
  return {
    field: `tool_choice/${field}`,
    bad: all('invalid_tool_choice', bad),
    good,
    bodyWith: (value) => ({ messages: [user], tools: [tool], tool_choice: { ...choice, [field]: value } }),
  };
}

const noSource = [7, true, ['a']];

/** Fields of a block of `system` that only other blocks use: their types are checked all the same. */
const unusedInSystem = [
  ['id', [...noText, '']],
  ['name', [...noText, 'a b']],
  ['input', noObject],
  ['tool_use_id', [...noText, '']],
  ['content', [7, true]],
  ['is_error', noBoolean],
  ['source', noSource],
  ['title', noText],
  ['context', noText],
  ['tool_name', noText],
  ['thinking', noText],
  ['signature', noText],
] as const;

function ofSystem(field: string, bad: ChatFieldCases['bad'], good: readonly unknown[] = []): ChatFieldCases {
  return {
    field: `system/*/${field}`,
    bad,
    good,
    bodyWith: (value) => ({ messages: [user], system: [{ type: 'text', text: 'a', [field]: value }] }),
  };
}

function ofSystemContent(field: string): ChatFieldCases {
  return {
    ...ofSystem('content', []),
    field: `system/*/content/*${field}`,
    bad: all('invalid_body', [7, 'a', {}]),
    bodyWith: (value) => ({ messages: [user], system: [{ type: 'text', text: 'a', content: [value] }] }),
  };
}

const format = { type: 'json_schema', schema: { type: 'object' } };

/** A format, by either of its names. */
function formats(name: string, bodyWith: (value: unknown) => object): readonly ChatFieldCases[] {
  const ofFormat = (field: string, bad: readonly unknown[], change?: (value: unknown) => unknown): ChatFieldCases => ({
    field: `${name}${field}`,
    bad: all('invalid_body', bad),
    good: change ? [] : [format, null],
    bodyWith: (value) => ({ messages: [user], ...bodyWith(change ? change(value) : value) }),
  });
  return [
    ofFormat('', [7, 'a', [], {}]),
    ofFormat('/type', [...noText, null, undefined, 'json_object'], (type) => ({ ...format, type })),
    ofFormat('/schema', [7, 'a', [], null, undefined], (schema) => ({ ...format, schema })),
  ];
}

/** The fields of `createMessage`. */
export const messagesFields: readonly ChatFieldCases[] = [
  refused('model', notTexts, ['cubic', '', null]),
  refused(
    'messages',
    [undefined, null, 'a', 7, {}, [], [null], ['a'], [7], [[]], [{}], Array(2001).fill(user)],
    [[user], Array(2000).fill(user), [user, { role: 'system', content: 'Be brief.' }]],
  ),
  { ...refused('messages', [[7], [null]], []), field: 'messages/*' },
  {
    ...refused(
      'messages',
      [...noText, null, undefined, '', 'User', 'developer', 'tool'],
      ['user', 'assistant', 'system'],
    ),
    field: 'messages/*/role',
    bodyWith: (role) => ({ messages: [user, { ...user, role }] }),
  },
  {
    ...refused(
      'messages',
      [
        7,
        true,
        {},
        null,
        undefined,
        ['a'],
        [7],
        [null],
        [{}],
        [{ type: 'thinking' }],
        Array(257).fill({ type: 'text', text: 'a' }),
      ],
      ['', 'a', [], [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }]],
    ),
    field: 'messages/*/content',
    bodyWith: (content) => ({ messages: [{ ...user, content }] }),
  },
  { ...ofBlock('', [], [], inText('')), field: 'messages/*/content/*' },
  ofBlock('type', badTypes, ['text', ...otherTypes], (value) => [user, ...inText('type')(value)]),
  { ...ofBlock('type', [['invalid_body', 'thinking']], [], inText('type')) },
  ofBlock('text', badTexts, ['', 'a'], inText('text')),
  ofBlock('source', all('invalid_body', noSource), ['a', {}, null], inText('source')),
  ofBlock('title', all('invalid_body', noText), ['a', '', null], inText('title')),
  ofBlock('context', all('invalid_body', noText), ['a', '', null], inText('context')),
  ofBlock('tool_name', all('invalid_body', noText), ['a', '', null], inText('tool_name')),
  ofBlock('thinking', all('invalid_body', noText), ['a', '', null], inText('thinking')),
  ofBlock('signature', all('invalid_body', noText), ['a', '', null], inText('signature')),
  ofUse('id', [...noText, '', 'x'.repeat(257), null, undefined], ['call_1']),
  ofUse('name', [...badNames, undefined], ['find']),
  ofUse('input', noObject, [{}, { a: 1 }, null, undefined]),
  ofResult('tool_use_id', [...noText, '', 'x'.repeat(257), null, undefined], ['call_1']),
  ofResult('content', [7, true, {}, ['a'], [{}]], ['', 'a', [], [{ type: 'text', text: 'a' }], null, undefined]),
  ofResult('is_error', noBoolean, [true, false, null]),
  { ...ofResult('content', [[7], ['a']], []), field: 'messages/*/content/*/content/*' },
  ofBlock('content/*/type', badTypes, ['text', ...otherTypes], inResult('type')),
  ofBlock('content/*/text', badTexts, ['', 'a'], inResult('text')),
  refused(
    'system',
    [7, true, {}, ['a'], [7], [{}], Array(257).fill({ type: 'text', text: 'a' })],
    ['', 'Be brief.', [], [{ type: 'text', text: 'Be brief.' }], null],
  ),
  { ...refused('system', [[7], ['a']], []), field: 'system/*' },
  ofSystem('type', badTypes, ['text', ...otherTypes]),
  ofSystem('text', badTexts, ['', 'a']),
  ...unusedInSystem.map(([field, bad]) => ofSystem(field, all('invalid_body', bad))),
  ...['', '/type', '/text'].map(ofSystemContent),
  ofBody('max_tokens', all('invalid_max_tokens', [...noNumber, 0, -1, 1.5]), [1, 1e9, null]),
  refused(
    'stop_sequences',
    ['a', 7, {}, [''], [7], [null], Array(17).fill('a')],
    [[], ['a'], Array(16).fill('a'), null],
  ),
  { ...refused('stop_sequences', [[7], ['']], []), field: 'stop_sequences/*' },
  refused('thinking', noObject, [{}, { type: 'disabled' }, { type: 'enabled', budget_tokens: 1024 }, null]),
  {
    ...refused('thinking', noText, ['adaptive', '', null]),
    field: 'thinking/type',
    bodyWith: (type) => ({ messages: [user], thinking: { type } }),
  },
  {
    ...refused('thinking', noText, ['omitted', 'summarized', '', null]),
    field: 'thinking/display',
    bodyWith: (display) => ({ messages: [user], thinking: { type: 'adaptive', display } }),
  },
  {
    ...refused('thinking', [...noNumber, -1, 0.5], [0, 1024, 100_000, null]),
    field: 'thinking/budget_tokens',
    bodyWith: (budget) => ({ messages: [user], thinking: { type: 'enabled', budget_tokens: budget } }),
  },
  {
    ...refused('output_config', [7, '', 'High', 'a'.repeat(33)], ['low', 'max', null]),
    field: 'output_config/effort',
    bodyWith: (effort) => ({ messages: [user], output_config: { effort } }),
  },
  refused('output_config', [7, 'a', []], [{}, null, { effort: 'high' }]),
  ...formats('output_config/format', (value) => ({ output_config: { format: value } })),
  ...formats('output_format', (value) => ({ output_format: value })),
  ofBody('temperature', all('invalid_temperature', [...noNumber, -0.001, 2.001]), [0, 2, null]),
  refused('top_p', [...noNumber, -0.001, 1.001], [0, 1, null]),
  ofBody(
    'tools',
    all('invalid_tools', [
      7,
      'find',
      {},
      [null],
      ['find'],
      [{}],
      [tool, tool],
      Array.from({ length: 129 }, (_, at) => ({ name: `f${at}` })),
    ]),
    [
      [],
      [tool],
      [{ type: 'mcp_toolset', mcp_server_name: 'a.b' }],
      Array.from({ length: 128 }, (_, at) => ({ name: `f${at}` })),
      null,
    ],
  ),
  { ...ofTool('', [], []), field: 'tools/*' },
  ofTool('type', noText, ['custom', null, '', 'web_search_20250305', 'computer_20250124', 'bash_20250124']),
  ofTool('name', [...badNames, undefined], ['x'.repeat(64)]),
  ofTool('description', noText, ['', 'Finds it.', null]),
  ofTool('input_schema', noObject, [{}, { type: 'object' }, null]),
  ofTool('strict', noBoolean, [true, false, null]),
  {
    field: 'tool_choice',
    bad: all('invalid_tool_choice', ['auto', 7, true, [], {}, { type: 'tool' }, { type: 'required' }]),
    good: [{ type: 'auto' }, { type: 'any' }, { type: 'none' }, { type: 'tool', name: 'find' }, null],
    bodyWith: (tool_choice) => ({ messages: [user], tools: [tool], tool_choice }),
  },
  ofBody('tool_choice', all('invalid_tool_choice', [{ type: 'any' }, { type: 'tool', name: 'find' }]), [
    { type: 'auto' },
    { type: 'none' },
  ]),
  ofChoice('type', [...noText, null, undefined, '', 'function', 'required'], ['tool', 'auto', 'any', 'none']),
  ofChoice('name', [...noText, null, undefined, '', 'other'], ['find']),
  ofChoice('disable_parallel_tool_use', noBoolean, [true, false, null]),
  refused('stream', noBoolean, [true, false, null]),
];
