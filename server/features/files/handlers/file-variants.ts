import type { Representation } from '#server/http/send-representation.ts';
import type { Content } from '#server/domain/contents/table.ts';
import type { Serving } from '../serving.ts';

/** The parameters of a request, each with all its values. */
export type VariantParameters = ReadonlyMap<string, readonly string[]>;

/** Returns parameters as they were sent. The contract has checked that each is there once. */
export function parametersOf(query: Readonly<Record<string, unknown>> = {}): VariantParameters {
  return new Map(Object.entries(query).map(([name, value]) => [name, [String(value)]]));
}

/** A request for a file that may ask for a variant of it. */
interface RequestedFile {
  readonly accountId: string;
  /** The address for clients, without a query. */
  readonly address: string;
  readonly parameters: VariantParameters;
  readonly accept: string | undefined;
  /** Whether its link counts downloads. Each small picture would spend one. Default `false`. */
  readonly isCapped?: boolean;
  readonly content: Content;
  /** The file as it would be served without parameters. */
  readonly file: Representation;
  readonly serving: Serving;
}

/** Other forms of stored files, such as smaller images. */
export interface FileVariants {
  /** Whether a request asks for a variant. Other parameters ask for the file. */
  areRequested(parameters: VariantParameters): boolean;
  /**
   * Returns the variant that a request asks for.
   *
   * @throws INVALID_IMAGE_VARIANT, IMAGE_SIGNATURE_REQUIRED, and the errors of making it
   */
  of(requested: RequestedFile): Promise<Representation>;
}

/** Returns the variant that a request asks for. Undefined if it asks for the file, or the server makes no variants. */
export async function variantOf(
  variants: FileVariants | undefined,
  requested: RequestedFile,
): Promise<Representation | undefined> {
  return variants?.areRequested(requested.parameters) ? variants.of(requested) : undefined;
}
