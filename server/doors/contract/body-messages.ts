import { maxFormFields, maxJsonDepth, maxJsonValues } from '#server/domain/limits.ts';
import type { BodyError } from '#server/http/body-error.ts';

/** Says what is wrong with a body that cannot be read, and what to send instead. */
export function bodyMessage(error: BodyError): string {
  switch (error.reason) {
    case 'not-a-form':
      return (
        'The body is not a form: send application/x-www-form-urlencoded in UTF-8, with at most ' +
        `${maxFormFields} fields.`
      );
    case 'malformed':
      return `The body is not JSON${error.detail === undefined ? '' : `: ${error.detail}`}.`;
    case 'empty':
      return 'The body is empty. Send a JSON object.';
    case 'encoded':
      return 'The body has a Content-Encoding. Send it without one.';
    case 'too-deep':
      return `The body has more than ${maxJsonDepth} lists and objects within each other. Send a flatter one.`;
    case 'too-many':
      return `The body has more than ${maxJsonValues} values. Send less in one request.`;
    case 'cut-off':
      return 'The body ended before it was whole. Send it again.';
    case 'too-large':
      return 'The body is too large. Send less in one request.';
    case 'no-memory':
      return 'The server has no memory for the body at the moment. Send it again.';
  }
}
