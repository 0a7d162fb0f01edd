import { refusalMessage } from '#server/domain/refusal-message.ts';
import { chatError, messagesError } from './ai-error.ts';
import type { ErrorForm } from '#server/handlers/error-form.ts';

/** The errors of chats and of Open Responses. */
export const chatErrors: ErrorForm = {
  shape: 'ai',
  bodyOf: (refusal, { status, message }) => ({
    error: chatError({ status, message: refusalMessage(refusal, message), code: refusal.code }),
  }),
};

/** The errors of the Messages API. */
export const messagesErrors: ErrorForm = {
  shape: 'messages',
  path: '/v2/ai/messages',
  bodyOf: (refusal, { status, message }) =>
    messagesError({ status, message: refusalMessage(refusal, message), code: refusal.code }),
};

/** The errors where clients of all forms come: of the models, and without a route. */
export const errorsByClient: ErrorForm = {
  shape: 'ai-by-client',
  path: '/v2/ai',
  bodyOf: (refusal, meaning, headers) =>
    (headers['anthropic-version'] === undefined ? chatErrors : messagesErrors).bodyOf(refusal, meaning, headers),
};
