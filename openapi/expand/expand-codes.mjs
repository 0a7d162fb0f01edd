import { basename } from 'node:path';

import { meaningOf } from './code-meanings.mjs';

/** The files of the vocabularies, and the shape whose examples have their words. */
const vocabularies = { 'ErrorCode.yaml': 'envelope', 'ChatErrorCode.yaml': 'ai', 'OAuthErrorCode.yaml': 'oauth' };

/**
 * Gives each vocabulary `x-enum-descriptions`, which generators and readers know: what each code means and what to do
 * about it, from the example of the code.
 */
export function expandCodes() {
  return {
    Schema: {
      enter(schema, { location }) {
        const shape = location.pointer === '#/' && vocabularies[basename(location.source.absoluteRef)];
        if (shape) schema['x-enum-descriptions'] = schema.enum.map((code) => meaningOf(shape, code));
      },
    },
  };
}
