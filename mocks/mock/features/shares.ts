import { previewHeaders } from '#server/features/shares/pages/share-preview.ts';
import type { MockPart } from '../parts.ts';

/** A share link shows browsers a page, unless `download=1` asks for the file, in the address or in the form. */
export const part: MockPart = {
  links: {
    openShare({ query = {} }, { browser }) {
      if (query.preview === '1') return { disposition: 'inline', headers: previewHeaders('image') };
      return browser.asksForHtml && query.download !== '1' ? undefined : { disposition: 'attachment' };
    },
    submitSharePassword: ({ body }) => (isOpening(body) ? { disposition: 'attachment' } : undefined),
  },
};

function isOpening(form: unknown): boolean {
  return typeof form === 'object' && form !== null && ('download' in form || 'file' in form);
}
