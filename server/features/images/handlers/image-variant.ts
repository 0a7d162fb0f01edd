import type { FileVariants } from '#server/features/files/handlers/file-variants.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { namedImageFormats } from '#server/http/accept.ts';
import { cleanDisposition } from '#server/http/content-disposition.ts';
import type { ImageVariants } from '../image-variants.ts';
import { asksForVariant, requestedVariant } from '../requested-variant.ts';
import type { ImageFormat } from '../variant.ts';

/** The ports that serving variants needs. */
interface Deps extends Pick<Parameters<typeof requestedVariant>[0], 'secrets' | 'presetsOf'> {
  readonly variants: Pick<ImageVariants, 'of'>;
}

const contentTypes: Readonly<Record<ImageFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
};

const extensions: Readonly<Record<ImageFormat, string>> = { jpeg: 'jpg', png: 'png', webp: 'webp', avif: 'avif' };

const ofCappedLink =
  'This link counts its downloads, so it serves its file only as it is. Leave out the parameters to get it.';

/** Returns the variants of images, as the doors serve them. */
export function servedVariants(deps: Deps): FileVariants {
  return {
    areRequested: asksForVariant,
    async of({ accountId, address, parameters, accept, isCapped, content, file, serving }) {
      if (isCapped) throw new Refusal('INVALID_IMAGE_VARIANT', { message: ofCappedLink });
      const variant = await requestedVariant(deps, { accountId, parameters, path: new URL(address).pathname });
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
    },
  };
}
