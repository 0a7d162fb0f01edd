import type { RetriedCode } from '#generated/errors.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { RenderedPage } from '#server/pages/layout.ts';
import type { Call } from './call.ts';

/**
 * A refusal with its own page for people, such as the form again. Other clients get it like any other refusal.
 */
export class RefusedPage extends Refusal {
  /** The whole HTML. */
  readonly page: string;
  /** Response headers, with the page and without. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(refusal: Refusal, page: string, headers: Readonly<Record<string, string>> = {}) {
    const { code, ownMessage, retryAfterSeconds, cause } = refusal;
    // Seconds are there only with a code that has them.
    super(code as RetriedCode, {
      ...(ownMessage !== undefined && { message: ownMessage }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      ...(cause !== undefined && { cause }),
    });
    this.page = page;
    this.headers = headers;
  }
}

/**
 * Runs `work` and turns its refusals into pages for people. A refusal that has its page already stays as it is.
 *
 * @param pageOf returns undefined for a refusal without a page
 */
export async function refusingAsPage<T>(
  { browser }: Call,
  pageOf: (refusal: Refusal, acceptLanguage: string | undefined) => RenderedPage | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error instanceof RefusedPage || !browser.asksForHtml) throw error;
    const shown = pageOf(error, browser.acceptLanguage);
    throw shown ? new RefusedPage(error, shown.page, shown.headers) : error;
  }
}
