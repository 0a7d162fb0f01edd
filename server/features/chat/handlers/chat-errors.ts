import { refusalMessage } from '#server/domain/refusal-message.ts';
import { chatError, messagesError } from './ai-error.ts';
import type { ErrorForm } from '#server/handlers/error-form.ts';

/** The errors of the AI gateway. */
export const chatErrors: ErrorForm = {
  shape: 'ai',
  path: '/v2/ai',
  bodyOf: (refusal, { status, message }) => ({
    error: chatError({ status, message: refusalMessage(refusal, message), code: refusal.code }),
  }),
};

/** The errors of the Messages API. */
export const messagesErrors: ErrorForm = {
  shape: 'messages',
  bodyOf: (refusal, { status, message }) =>
    messagesError({ status, message: refusalMessage(refusal, message), code: refusal.code }),
};
