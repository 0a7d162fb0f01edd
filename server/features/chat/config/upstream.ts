/** An OpenAI-compatible server behind the gateway. */
export interface ConfiguredUpstream {
  /** Up to and including `/v1`, without a trailing slash. */
  readonly url: string;
  /** Sent as Bearer authorization, if there is one. */
  readonly key: string | undefined;
  /** The model's name on that server. */
  readonly model: string;
  /** Whether it gets no `response_format`, and gives JSON as the arguments of a function. */
  readonly asksByFunction?: boolean;
}

/** Servers with a single model accept any name. */
export const anyModel = 'default';
