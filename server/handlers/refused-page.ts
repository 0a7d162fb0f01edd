import { Refusal } from '#server/domain/refusal.ts';

/**
 * A refusal with a page of its own for people, such as the form once more; other clients get the refusal as any other.
 */
export class RefusedPage extends Refusal {
  /** HTML, whole. */
  readonly page: string;
  /** Of the answer, in either form. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(refusal: Refusal, page: string, headers: Readonly<Record<string, string>> = {}) {
    const { code, words, retryAfterSeconds } = refusal;
    super(code, {
      ...(words !== undefined && { message: words }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
    this.page = page;
    this.headers = headers;
  }
}
