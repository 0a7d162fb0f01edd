import type { Representation } from '#server/http/send-representation.ts';
import { requestedVariant, asksForVariant } from '../requested-variant.ts';
import type { ImageVariants } from '../image-variants.ts';
import type { ImageFormat } from '../variant.ts';
import type { Content } from '#server/domain/contents/table.ts';
import type { Serving } from '#server/features/files/serving.ts';
import { namedImageFormats } from '#server/http/accept.ts';
import { cleanDisposition } from '#server/http/content-disposition.ts';

/** The ports that serving variants needs. */
export interface ImageDeps extends Pick<Parameters<typeof requestedVariant>[0], 'secrets' | 'presetsOf'> {
  readonly variants: Pick<ImageVariants, 'of'>;
}

interface RequestedImage extends Omit<Parameters<typeof requestedVariant>[1], 'path'> {
  /** The address for clients, without a query. */
  readonly address: string;
  readonly accept: string | undefined;
  readonly content: Content;
  /** The file as it would be served without parameters. */
  readonly file: Representation;
  readonly serving: Serving;
}

const contentTypes: Readonly<Record<ImageFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
};

const extensions: Readonly<Record<ImageFormat, string>> = { jpeg: 'jpg', png: 'png', webp: 'webp', avif: 'avif' };

/**
 * Returns the variant of a file that a request asks for. Undefined if it asks for the file, or the operator has not
 * turned variants on.
 *
 * @throws the errors of requestedVariant() and of ImageVariants
 */
export async function variantRepresentation(
  deps: ImageDeps | undefined,
  requested: RequestedImage,
): Promise<Representation | undefined> {
  if (!deps || !asksForVariant(requested.parameters)) return undefined;
  const { address, accept, content, file, serving } = requested;
  const variant = await requestedVariant(deps, { ...requested, path: new URL(address).pathname });
  const isAuto = variant.format === 'auto';
  const made = await deps.variants.of(content, variant, isAuto ? namedImageFormats(accept) : []);
  const name = serving.filename.replace(/(?<=.)\.[^.]*$/, '') + `.${extensions[made.format]}`;
  return {
    sizeBytes: made.sizeBytes,
    etag: made.etag,
    lastModifiedMs: file.lastModifiedMs,
    headers: {
      ...file.headers,
      'Content-Type': contentTypes[made.format],
      ...(isAuto && { Vary: 'Accept' }),
      ...(serving.disposition && { 'Content-Disposition': cleanDisposition(serving.disposition, name) }),
    },
    open: (range) => made.open(range),
  };
}
