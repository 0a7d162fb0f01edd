import { all, badNames, noBoolean, noNumber, noObject, noText, notTexts, type ChatFieldCases } from './ai-values.ts';

const user = { role: 'user', content: 'What is an ETag?' };
const call = { type: 'function_call', call_id: 'call_1', name: 'find', arguments: '{}' };
const result = { type: 'function_call_output', call_id: 'call_1', output: '1' };
const tool = { type: 'function', name: 'find', parameters: { type: 'object' } };

/** What null in a field means. */
const notNull = badNames.filter((value) => value !== null);

function ofBody(field: string, bad: ChatFieldCases['bad'], good: readonly unknown[]): ChatFieldCases {
  return { field, bad, good, bodyWith: (value) => ({ input: [user], [field]: value }) };
}

const refused = (field: string, bad: readonly unknown[], good: readonly unknown[]) =>
  ofBody(field, all('invalid_body', bad), good);

/** Items that the gateway cannot run. They are left out. */
const otherItems = ['', 'Message', 'reasoning', 'web_search_call', 'custom_tool_call', 'mcp_call'];

/** Parts of an item that belongs to another server. Its schema is not known here. */
const oddParts = [['a'], [null], [7], [true], [[]], [[null]], [{}], [{ text: null }], [{ text: 7 }], [{ type: 7 }]];

/** A field of an item, which stands among others that need none. */
function ofItem(field: string, item: object, bad: readonly unknown[], good: readonly unknown[]): ChatFieldCases {
  const around = item === user ? [] : item === call ? [result] : [];
  const before = item === result ? [call] : [];
  return {
    field: `input/*/${field}`,
    bad: all('invalid_input', bad),
    good,
    bodyWith: (value) => ({ input: [user, ...before, { ...item, [field]: value }, ...around] }),
  };
}

function ofPart(field: string, name: 'content' | 'output', bad: ChatFieldCases['bad']): ChatFieldCases {
  const item = name === 'content' ? user : result;
  const before = name === 'content' ? [] : [call];
  return {
    field: `input/*/${name}/*/${field}`,
    bad,
    good: [],
    bodyWith: (value) => ({
      input: [user, ...before, { ...item, [name]: [{ type: 'input_text', text: 'a', [field]: value }] }],
    }),
  };
}

function parts(name: 'content' | 'output'): readonly ChatFieldCases[] {
  const item = name === 'content' ? user : result;
  return [
    ofItem(
      name,
      item,
      [7, true, {}, null, undefined, ['a'], [7], [null], [{}], Array(257).fill({ type: 'text', text: 'a' })],
      [
        '',
        'a',
        [],
        [
          { type: 'input_text', text: 'a' },
          { type: 'output_text', text: 'b', annotations: [] },
        ],
        [{ type: 'refusal', refusal: 'a' }],
      ],
    ),
    {
      ...ofItem(name, item, [7, 'a', []], []),
      field: `input/*/${name}/*`,
      bodyWith: (value) => ({ input: [{ ...item, [name]: [value] }] }),
    },
    ofPart('type', name, [
      ...all('invalid_input', [...noText, null, undefined]),
      ...all('multimodal_not_supported', ['input_image', 'input_file', 'input_audio', '']),
    ]),
    ofPart('text', name, all('invalid_input', [...noText, null, undefined])),
    { ...ofPart('file_id', name, all('invalid_input', noText)), good: ['a', '', null] },
    { ...ofPart('refusal', name, all('invalid_input', noText)), good: ['a'] },
  ];
}

function ofTool(field: string, bad: readonly unknown[], good: readonly unknown[]): ChatFieldCases {
  return {
    field: `tools/*/${field}`,
    bad: all('invalid_tools', bad),
    good,
    bodyWith: (value) => ({ input: 'a', tools: [{ ...tool, [field]: value }] }),
  };
}

/** A field of a function in a namespace. A function that has no name of its own is left out. */
function ofNamespaceTool(field: string, bad: readonly unknown[], good: readonly unknown[]): ChatFieldCases {
  return {
    field: `tools/*/tools/*/${field}`,
    bad: all('invalid_tools', bad),
    good,
    bodyWith: (value) => ({
      input: 'a',
      tools: [{ type: 'namespace', name: 'mcp__a', tools: [{ ...tool, [field]: value }] }],
    }),
  };
}

function ofChoice(field: string, choice: object, bad: readonly unknown[], good: readonly unknown[]): ChatFieldCases {
  return {
    field: `tool_choice/${field}`,
    bad: all('invalid_tool_choice', bad),
    good,
    bodyWith: (value) => ({ input: 'a', tools: [tool], tool_choice: { ...choice, [field]: value } }),
  };
}

function ofFormat(field: string, bad: readonly unknown[], good: readonly unknown[]): ChatFieldCases {
  return {
    field: `text/format/${field}`,
    bad: all('invalid_body', bad),
    good,
    bodyWith: (value) => ({ input: 'a', text: { format: { type: 'json_schema', name: 'answer', [field]: value } } }),
  };
}

const named = { type: 'function', name: 'find' };
const allowed = { type: 'allowed_tools', mode: 'auto', tools: [named] };
const word = [...noText, '', 'Low', 'a b', 'a'.repeat(33)];

/** The fields of `createResponse`. */
export const responsesFields: readonly ChatFieldCases[] = [
  refused('model', notTexts, ['cubic', '', null]),
  {
    ...ofBody(
      'input',
      all('invalid_input', [
        undefined,
        null,
        '',
        7,
        true,
        {},
        [],
        [null],
        ['a'],
        [7],
        [[]],
        Array(2001).fill(user),
        [{ type: 'reasoning' }],
      ]),
      [
        'a',
        [user],
        Array(2000).fill(user),
        [{ type: 'reasoning', summary: [] }, user],
        [{ type: 'tool_search_call', arguments: {} }, { type: 'computer_call_output', output: {} }, user],
      ],
    ),
  },
  { ...ofItem('', user, [], []), field: 'input/*' },
  ofItem('type', user, [...noText, 'item_reference'], ['message', null, ...otherItems]),
  ofItem(
    'role',
    user,
    [...noText, '', 'User', 'tool', 'function', null, undefined],
    ['user', 'developer', 'system', 'assistant'],
  ),
  ...parts('content'),
  ...parts('output'),
  ofItem('call_id', call, [...noText, '', 'x'.repeat(257), null, undefined], ['call_1']),
  ofItem('name', call, [...badNames, undefined], ['find', 'x'.repeat(64)]),
  ofItem('namespace', call, noText, ['', 'mcp__a', 'a.b', null]),
  ofItem('arguments', call, [...noText, null, undefined], ['', '{}', 'no JSON']),
  ofItem('encrypted_content', { type: 'reasoning' }, noText, ['a', '', 'cubby1.reasoning_content.YQ==', null]),
  ofItem('input', { type: 'custom_tool_call', name: 'a' }, [], ['a', '', 7, true, {}, null, ...oddParts]),
  refused('instructions', noText, ['', 'Be brief.', null]),
  ofBody('max_output_tokens', all('invalid_max_tokens', [...noNumber, 0, -1, 1.5]), [1, 1e9, null]),
  ofBody('temperature', all('invalid_temperature', [...noNumber, -0.001, 2.001]), [0, 2, null]),
  refused('top_p', [...noNumber, -0.001, 1.001], [0, 1, null]),
  ...['presence_penalty', 'frequency_penalty'].map((field) => refused(field, [...noNumber, -2.1, 2.1], [-2, 2, null])),
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
      Array.from({ length: 129 }, (_, at) => ({ type: 'function', name: `f${at}` })),
    ]),
    [
      [],
      [tool],
      [{ type: 'namespace', name: 'a.b', tools: [tool] }],
      Array.from({ length: 128 }, (_, at) => ({ type: 'function', name: `f${at}` })),
      null,
    ],
  ),
  { ...ofTool('', [], []), field: 'tools/*' },
  ofTool(
    'type',
    [...noText, null, undefined],
    ['function', '', 'web_search', 'file_search', 'code_interpreter', 'mcp', 'computer', 'custom', 'image_generation'],
  ),
  ofTool('name', [...notNull, null, undefined], ['x'.repeat(64)]),
  ofTool('description', noText, ['', 'Finds it.', null]),
  ofTool('parameters', noObject, [{}, { type: 'object' }, null]),
  ofTool('strict', noBoolean, [true, false, null]),
  ofTool('tools', [7, 'a', {}, [7], [null], Array(1025).fill(tool)], [[], [tool], null]),
  {
    ...ofTool('tools', [7, 'a', [], null], []),
    field: 'tools/*/tools/*',
    bodyWith: (value) => ({ input: 'a', tools: [{ type: 'namespace', name: 'mcp__a', tools: [value] }] }),
  },
  ofNamespaceTool('type', noText, ['function', '', 'custom', null]),
  ofNamespaceTool('name', noText, ['add', '', 'a.b', 'x'.repeat(65), null]),
  ofNamespaceTool('description', noText, ['', 'Adds.', null]),
  ofNamespaceTool('parameters', noObject, [{}, { type: 'object' }, null]),
  ofNamespaceTool('strict', noBoolean, [true, false, null]),
  {
    field: 'tool_choice',
    bad: all('invalid_tool_choice', [
      '',
      'any',
      'AUTO',
      7,
      true,
      [],
      {},
      { type: 'function' },
      { type: 'web_search' },
      { type: 'function', name: 'other' },
    ]),
    good: ['auto', 'none', 'required', named, allowed, null],
    bodyWith: (tool_choice) => ({ input: 'a', tools: [tool], tool_choice }),
  },
  ofBody('tool_choice', all('invalid_tool_choice', ['required', named, allowed]), ['auto', 'none']),
  ofChoice('type', named, [...noText, null, undefined, '', 'file_search', 'custom'], ['function']),
  ofChoice('name', named, [...noText, null, undefined, '', 'other'], ['find']),
  ofChoice('mode', allowed, [...noText, null, '', 'none', 'any'], ['auto', 'required']),
  ofChoice(
    'tools',
    allowed,
    [
      7,
      'a',
      {},
      null,
      undefined,
      [],
      [7],
      [{}],
      [{ name: 'other' }],
      [{ ...named, type: 'mcp' }],
      Array(1025).fill(named),
    ],
    [[named], [named, { type: 'mcp', server_label: 'a' }], Array(1024).fill(named)],
  ),
  ...['tools/*', 'tools/*/type', 'tools/*/name'].map((field): ChatFieldCases => ({
    ...ofChoice('tools', allowed, [], []),
    field: `tool_choice/${field}`,
  })),
  refused('parallel_tool_calls', noBoolean, [true, false, null]),
  refused('text', noObject, [{}, { format: { type: 'text' } }, { format: { type: 'json_object' } }, null]),
  {
    ...refused('text', [], []),
    field: 'text/format',
    bad: all('invalid_body', ['json', 7, [], {}, { type: 'json_schema' }]),
    bodyWith: (format) => ({ input: 'a', text: { format } }),
  },
  ofFormat('type', [...noText, null, undefined, '', 'json', 'grammar'], ['text', 'json_object', 'json_schema']),
  ofFormat('name', [...badNames, undefined], ['answer']),
  ofFormat('description', noText, ['', null]),
  ofFormat('schema', noObject, [{}, { type: 'object' }, null]),
  ofFormat('strict', noBoolean, [true, false, null]),
  {
    ...refused('text', word, ['low', null]),
    field: 'text/verbosity',
    bodyWith: (verbosity) => ({ input: 'a', text: { verbosity } }),
  },
  refused('reasoning', noObject, [{}, { effort: null, summary: 'auto' }, null]),
  {
    ...refused('reasoning', word, ['low', null]),
    field: 'reasoning/effort',
    bodyWith: (effort) => ({ input: 'a', reasoning: { effort } }),
  },
  refused(
    'metadata',
    [
      ...noObject,
      { a: 7 },
      { a: null },
      { a: 'x'.repeat(513) },
      Object.fromEntries(Array.from({ length: 17 }, (_, at) => [at, 'a'])),
    ],
    [{}, { a: 'x'.repeat(512) }, null],
  ),
  refused('stream', noBoolean, [true, false, null]),
  refused('store', [...noBoolean, true], [false, null]),
  ...['previous_response_id', 'conversation', 'prompt'].map((field) =>
    refused(field, ['resp_1', '', 7, {}, []], [null]),
  ),
  refused('background', [...noBoolean, true], [false, null]),
  refused('truncation', [...noText, '', 'auto', 'a'.repeat(65)], ['disabled', null]),
  refused(
    'include',
    ['a', 7, {}, [7], [null], Array(33).fill('a'), ['message.output_text.logprobs']],
    [[], ['reasoning.encrypted_content'], null],
  ),
  { ...refused('include', [[7]], []), field: 'include/*' },
  refused('top_logprobs', [...noNumber, -1, 1, 21, 0.5], [0, null]),
  refused('service_tier', [...noText, '', 'flex', 'a'.repeat(65)], ['auto', 'default', null]),
];
