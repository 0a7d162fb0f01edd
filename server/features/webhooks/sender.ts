/** A signed event, as it is sent. */
export interface WebhookMessage {
  readonly url: string;
  readonly id: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly signature: string;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface WebhookResponse {
  /** Null if there was none. */
  readonly status: number | null;
  /** Why it is no confirmation, for the owner of the endpoint; null if it is one. */
  readonly error: string | null;
  /** The pause that the endpoint asks for. */
  readonly retryAfterMs: number;
}

/** Sends events to endpoints. */
export interface WebhookSender {
  /** Makes one attempt. It takes at most 15 seconds, and never rejects. */
  send(message: WebhookMessage): Promise<WebhookResponse>;
}
