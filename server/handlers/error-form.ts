import type { ErrorShape } from '#generated/errors.ts';
import type { Refusal } from '#server/domain/refusal.ts';

/** The formats that belong to no feature. */
type CommonShape = Extract<ErrorShape, 'envelope' | 'page' | 'text'>;

/** How the errors of one protocol look, whose operations are a feature's. */
export interface ErrorForm {
  readonly shape: Exclude<ErrorShape, CommonShape>;
  /** Errors of all paths below this one have the format too, even without a route. The first form of a path counts. */
  readonly path?: string;
  /**
   * Returns the body of an error: a text, or what is sent as JSON.
   *
   * @param meaning what the contract says of the code, in this format
   * @param headers of the request. There are none if it was not readable
   */
  bodyOf(
    refusal: Refusal,
    meaning: { readonly status: number; readonly message: string },
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  ): string | object;
}
