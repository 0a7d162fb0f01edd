import { localPage, type RenderedPage } from '#server/pages/layout.ts';
import type { Messages } from '#server/pages/messages/messages.ts';
import { requestMessagesIn, type RequestMessages } from './messages/messages.ts';

/** The texts of all pages, and those of file requests. */
export type RequestTexts = Messages & RequestMessages;

/** Renders a page of file requests in the sender's language, as `localPage()` does. */
export function requestPage(
  acceptLanguage: string | undefined,
  fill: (texts: RequestTexts) => ReturnType<Parameters<typeof localPage>[1]>,
): RenderedPage {
  return localPage(acceptLanguage, (messages, language) => fill({ ...messages, ...requestMessagesIn(language) }));
}
