/** What the gateway does with a field of a request. */
export type Fate = 'to the model' | 'used' | 'repeated' | 'ignored' | 'rejected';

/** A field of a protocol, with a value that shows what becomes of it. */
export interface RequestField {
  readonly name: string;
  readonly value: unknown;
  readonly fate: Fate;
  /** In the documentation, if only some values have this fate. */
  readonly which?: string;
  /** Of a field that goes to the model: what its server gets, by the name there. Default: the same. */
  readonly upstream?: Readonly<Record<string, unknown>>;
  /** Other fields of the request. */
  readonly beside?: object;
}

/** A protocol of the gateway, with the fields that its own clients know. */
export interface Protocol {
  readonly path: string;
  readonly schema: string;
  /** A request with the fewest fields. */
  readonly least: Readonly<Record<string, unknown>>;
  readonly fields: readonly RequestField[];
}

const hello = [{ role: 'user', content: 'Hello' }];
const parameters = { type: 'object', properties: { name: { type: 'string' } } };
const schema = { ...parameters, required: ['name'], additionalProperties: false };
const called = { type: 'function', function: { name: 'find', parameters } };
const chatTools = { tools: [called] };
const responsesTools = { tools: [{ type: 'function', name: 'find', parameters }] };
const messagesTools = { tools: [{ name: 'find', input_schema: parameters }] };

/** Fields of which nothing happens. */
function ignored(values: Readonly<Record<string, unknown>>): RequestField[] {
  return Object.entries(values).map(([name, value]) => ({ name, value, fate: 'ignored' }));
}

/** Fields that the model's server gets as they are. */
function passedOn(values: Readonly<Record<string, unknown>>): RequestField[] {
  return Object.entries(values).map(([name, value]) => ({ name, value, fate: 'to the model' }));
}

const stream: RequestField = { name: 'stream', value: true, fate: 'used' };
const model: RequestField = { name: 'model', value: 'cubic', fate: 'used' };
const serviceTier: RequestField = {
  name: 'service_tier',
  value: 'flex',
  fate: 'rejected',
  which: 'other than `auto` and `default`',
};
const store: RequestField = { name: 'store', value: true, fate: 'rejected', which: '`true`' };
const topLogprobs: RequestField = { name: 'top_logprobs', value: 3, fate: 'rejected', which: 'above 0' };

const chat: Protocol = {
  path: 'chat/completions',
  schema: 'ChatRequest',
  least: { messages: hello },
  fields: [
    model,
    stream,
    serviceTier,
    store,
    topLogprobs,
    ...passedOn({
      messages: [{ role: 'system', content: 'Be brief.' }, ...hello],
      frequency_penalty: 0.5,
      logit_bias: { 50256: -100 },
      max_tokens: 50,
      presence_penalty: 0.5,
      reasoning_effort: 'low',
      response_format: { type: 'json_object' },
      seed: 7,
      stop: ['END'],
      temperature: 0.5,
      top_p: 0.5,
      verbosity: 'low',
      tools: [called],
    }),
    { name: 'max_completion_tokens', value: 50, fate: 'to the model', upstream: { max_tokens: 50 } },
    { name: 'parallel_tool_calls', value: false, fate: 'to the model', beside: chatTools },
    { name: 'tool_choice', value: 'required', fate: 'to the model', beside: chatTools },
    { name: 'stream_options', value: { include_usage: true }, fate: 'used', beside: { stream: true } },
    { name: 'audio', value: { format: 'wav', voice: 'alloy' }, fate: 'rejected' },
    { name: 'modalities', value: ['text', 'audio'], fate: 'rejected', which: 'other than `text`' },
    { name: 'functions', value: [{ name: 'find' }], fate: 'rejected', which: 'not empty' },
    { name: 'logprobs', value: true, fate: 'rejected', which: '`true`' },
    { name: 'n', value: 2, fate: 'rejected', which: 'above 1' },
    ...ignored({
      function_call: 'auto',
      metadata: { order: '7' },
      moderation: { model: 'omni-moderation-latest' },
      prediction: { type: 'content', content: 'Hello' },
      prompt_cache_key: 'a',
      prompt_cache_options: {},
      prompt_cache_retention: '24h',
      safety_identifier: 'a',
      user: 'a',
      web_search_options: {},
    }),
  ],
};

const responses: Protocol = {
  path: 'responses',
  schema: 'ResponsesRequest',
  least: { input: 'Hello' },
  fields: [
    model,
    stream,
    serviceTier,
    store,
    topLogprobs,
    ...passedOn({ frequency_penalty: 0.5, presence_penalty: 0.5, temperature: 0.5, top_p: 0.5 }),
    {
      name: 'input',
      value: 'Good evening',
      fate: 'to the model',
      upstream: { messages: [{ role: 'user', content: 'Good evening' }] },
    },
    {
      name: 'instructions',
      value: 'Be brief.',
      fate: 'to the model',
      upstream: { messages: [{ role: 'system', content: 'Be brief.' }, ...hello] },
    },
    { name: 'max_output_tokens', value: 50, fate: 'to the model', upstream: { max_tokens: 50 } },
    {
      name: 'reasoning',
      value: { effort: 'low' },
      fate: 'to the model',
      which: '`.effort`',
      upstream: { reasoning_effort: 'low' },
    },
    {
      name: 'text',
      value: { format: { type: 'json_object' }, verbosity: 'low' },
      fate: 'to the model',
      upstream: { response_format: { type: 'json_object' }, verbosity: 'low' },
    },
    { name: 'tools', value: responsesTools.tools, fate: 'to the model', upstream: chatTools },
    { name: 'tool_choice', value: 'required', fate: 'to the model', beside: responsesTools },
    { name: 'parallel_tool_calls', value: false, fate: 'to the model', beside: responsesTools },
    { name: 'metadata', value: { order: '7' }, fate: 'repeated' },
    { name: 'background', value: true, fate: 'rejected', which: '`true`' },
    { name: 'conversation', value: 'conv_1', fate: 'rejected' },
    { name: 'previous_response_id', value: 'resp_1', fate: 'rejected' },
    { name: 'prompt', value: { id: 'pmpt_1' }, fate: 'rejected' },
    { name: 'truncation', value: 'auto', fate: 'rejected', which: '`auto`' },
    {
      name: 'include',
      value: ['message.output_text.logprobs'],
      fate: 'rejected',
      which: '`message.output_text.logprobs`',
    },
    ...ignored({
      access_programs: [],
      context_management: [],
      image: {},
      max_tool_calls: 3,
      moderation: { model: 'omni-moderation-latest' },
      prompt_cache_key: 'a',
      prompt_cache_options: {},
      prompt_cache_retention: '24h',
      safety_identifier: 'a',
      stream_options: { include_obfuscation: false },
      user: 'a',
    }),
  ],
};

const messages: Protocol = {
  path: 'messages',
  schema: 'MessagesRequest',
  least: { messages: hello },
  fields: [
    model,
    stream,
    ...passedOn({
      messages: [{ role: 'user', content: 'Good evening' }],
      max_tokens: 50,
      temperature: 0.5,
      top_p: 0.5,
    }),
    {
      name: 'system',
      value: 'Be brief.',
      fate: 'to the model',
      upstream: { messages: [{ role: 'system', content: 'Be brief.' }, ...hello] },
    },
    {
      name: 'thinking',
      value: { type: 'enabled', budget_tokens: 10_000 },
      fate: 'to the model',
      which: '`.budget_tokens`, as an effort',
      upstream: { reasoning_effort: 'medium' },
    },
    { name: 'stop_sequences', value: ['END'], fate: 'to the model', upstream: { stop: ['END'] } },
    { name: 'tools', value: messagesTools.tools, fate: 'to the model', upstream: chatTools },
    {
      name: 'tool_choice',
      value: { type: 'any' },
      fate: 'to the model',
      beside: messagesTools,
      upstream: { tool_choice: 'required' },
    },
    ...(['output_config', 'output_format'] as const).map((name): RequestField => {
      const format = { type: 'json_schema', schema };
      return {
        name,
        value: name === 'output_config' ? { format, effort: 'max' } : format,
        fate: 'to the model',
        ...(name === 'output_config' && { which: '`.format`, `.effort`' }),
        upstream: {
          response_format: { type: 'json_schema', json_schema: { name: 'output', schema, strict: true } },
          ...(name === 'output_config' && { reasoning_effort: 'high' }),
        },
      };
    }),
    ...ignored({
      betas: ['a'],
      billing_policy: {},
      cache_control: { type: 'ephemeral' },
      compaction: {},
      container: 'a',
      context_management: { edits: [] },
      diagnostics: {},
      fallback_credit_token: 'a',
      fallbacks: [],
      inference_geo: 'eu',
      mcp_servers: [{ type: 'url', name: 'a', url: 'https://mcp.example.com' }],
      metadata: { user_id: 'a' },
      service_tier: 'standard_only',
      speed: 'fast',
      thread: {},
      top_k: 5,
      user_profile_id: 'a',
      workspace_id: 'a',
    }),
  ],
};

export const protocols: readonly Protocol[] = [chat, responses, messages];
