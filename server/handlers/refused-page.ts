import type { RetriedCode } from '#generated/errors.ts';
import { Refusal } from '#server/domain/refusal.ts';

/**
 * A refusal with its own page for people, such as the form again. Other clients get it like any other refusal.
 */
export class RefusedPage extends Refusal {
  /** The whole HTML. */
  readonly page: string;
  /** Response headers, with the page and without. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(refusal: Refusal, page: string, headers: Readonly<Record<string, string>> = {}) {
    const { code, ownMessage, retryAfterSeconds } = refusal;
    // Seconds are there only with a code that has them.
    super(code as RetriedCode, {
      ...(ownMessage !== undefined && { message: ownMessage }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
    this.page = page;
    this.headers = headers;
  }
}
