import { refusalMessage } from '#server/domain/refusal-message.ts';
import type { ErrorForm } from '#server/handlers/error-form.ts';

/** The errors of OAuth. @see RFC 6749, section 5.2 */
export const oauthErrors: ErrorForm = {
  shape: 'oauth',
  bodyOf: (refusal, { message }) => ({ error: refusal.code, error_description: refusalMessage(refusal, message) }),
};
