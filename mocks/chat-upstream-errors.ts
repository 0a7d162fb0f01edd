/** Another response with a status. A body that is not a string is sent as JSON. */
export interface UpstreamStatus {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
}

/** Rejections of one field, in the words of common servers. */
export const fieldRejections = {
  response_format: [
    failure(400, {
      message: "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
      type: 'invalid_request_error',
      param: null,
      code: null,
    }),
    failure(400, { message: 'This response_format type is unavailable now', type: 'invalid_request_error' }),
    failure(400, { message: 'This model does not support response format `json_schema`.', code: null }),
    failure(400, { message: "property 'response_format' is unsupported", type: 'invalid_request_error' }),
    { status: 422, body: { detail: [{ loc: ['body', 'response_format'], msg: 'Extra inputs are not permitted' }] } },
  ],
  reasoning_effort: [
    failure(400, {
      message: "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
      type: 'invalid_request_error',
      param: 'reasoning_effort',
      code: 'unsupported_parameter',
    }),
    failure(400, { message: '"tiny:latest" does not support thinking', type: 'api_error' }),
    {
      status: 422,
      body: { detail: [{ loc: ['body', 'reasoning_effort'], msg: "Input should be 'low', 'medium' or 'high'" }] },
    },
  ],
  encoding_format: [
    {
      status: 400,
      body: {
        detail: "Value 'float' supplied for argument 'encoding_format' is not valid. Accepted: 'base64' or null.",
      },
    },
    failure(400, { message: 'Unknown parameter: encoding_format', type: 'invalid_request_error' }),
    { status: 422, body: { detail: [{ loc: ['body', 'encoding_format'], msg: 'Extra inputs are not permitted' }] } },
  ],
  reasoning_content: [
    failure(400, { message: "messages.1: unknown field 'reasoning_content'", type: 'invalid_request_error' }),
    {
      status: 422,
      body: {
        detail: [{ loc: ['body', 'messages', 1, 'reasoning_content'], msg: 'Extra inputs are not permitted' }],
      },
    },
  ],
  reasoning_details: [
    failure(400, { message: 'Unrecognized request argument supplied: messages[0].reasoning_details', param: null }),
  ],
  extra_content: [
    {
      status: 422,
      body: {
        detail: [
          { loc: ['body', 'messages', 0, 'tool_calls', 0, 'extra_content'], msg: 'Extra inputs are not permitted' },
        ],
      },
    },
  ],
} as const satisfies Readonly<Record<string, readonly UpstreamStatus[]>>;

/** Errors in the formats of common servers. */
export const upstreamErrors = {
  openai: {
    contextTooLong: failure(400, {
      message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    }),
    badRequest: failure(400, {
      message:
        "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
      type: 'invalid_request_error',
      param: 'messages.[1].role',
      code: null,
    }),
    wrongKey: failure(401, {
      message: 'Incorrect API key provided: sk-upst*****.',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_api_key',
    }),
    noSuchModel: failure(404, {
      message: 'The model `nowhere` does not exist or you do not have access to it.',
      type: 'invalid_request_error',
      param: null,
      code: 'model_not_found',
    }),
    rateLimited: failure(
      429,
      { message: 'Rate limit reached for requests.', type: 'requests', param: null, code: 'rate_limit_exceeded' },
      { 'Retry-After': '1' },
    ),
  },
  llamaCpp: {
    contextTooLong: failure(400, {
      code: 400,
      message: 'request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 4390,
      n_ctx: 4096,
    }),
    contextRanOut: failure(500, { code: 500, message: 'Context size has been exceeded.', type: 'server_error' }),
    badRequest: failure(400, {
      code: 400,
      message: "Failed to parse messages: Missing 'content'",
      type: 'invalid_request_error',
    }),
    loading: failure(503, { code: 503, message: 'Loading model', type: 'unavailable_error' }),
  },
  vllm: {
    contextTooLong: failure(400, {
      message:
        "You passed 1015 input tokens and requested 10 output tokens. However, the model's context length is " +
        'only 1024 tokens, resulting in a maximum input length of 1014 tokens.',
      type: 'BadRequestError',
      param: 'input_tokens',
      code: 400,
    }),
    /** The format of versions before 0.10, without the `error` object. */
    contextTooLongFlat: {
      status: 400,
      body: {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
    },
    badRequest: failure(400, {
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      type: 'BadRequestError',
      param: null,
      code: 400,
    }),
    unprocessable: {
      status: 422,
      body: { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required' }] },
    },
  },
  ollama: {
    contextTooLong: failure(400, {
      message: 'the input length exceeds the context length',
      type: 'invalid_request_error',
      param: null,
      code: null,
    }),
    badRequest: failure(400, {
      message: 'registry.example/library/tiny:latest does not support tools',
      type: 'api_error',
      param: null,
      code: null,
    }),
    noSuchModel: failure(404, {
      message: 'model "nowhere" not found, try pulling it first',
      type: 'not_found_error',
      param: null,
      code: null,
    }),
    busy: { status: 503, body: { error: 'server busy, please try again.  maximum pending requests exceeded' } },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, UpstreamStatus>>>>;

function failure(
  status: number,
  error: Readonly<Record<string, unknown>>,
  headers?: Readonly<Record<string, string>>,
): UpstreamStatus {
  return { status, body: { error }, ...(headers && { headers }) };
}
