import type { Refusal } from '#server/domain/refusal.ts';
import { refusalMessage } from '#server/domain/refusal-message.ts';
import type { ErrorForm } from '#server/handlers/error-form.ts';

const replyEnd = ' Nothing was deployed.';

/** Formats a reply to a git host. In the contract, these begin with their code and end with the same sentence. */
function reply(refusal: Refusal, standard: string): string {
  if (refusal.ownMessage !== undefined) return `${refusal.code}: ${refusal.ownMessage}${replyEnd}`;
  return refusalMessage(refusal, standard.slice(0, -replyEnd.length)) + replyEnd;
}

/** The errors that git hosts get. People read them there, so they are texts. */
export const gitErrors: ErrorForm = {
  shape: 'git',
  path: '/v2/git',
  bodyOf: (refusal, { status, message }) =>
    status === 429
      ? { status: 'error', code: refusal.code, message: refusalMessage(refusal, message) }
      : reply(refusal, message),
};
