import { badge } from '#server/pages/badge.ts';
import { aheadText, filled } from '#server/pages/formats.ts';
import { html } from '#server/pages/html.ts';
import { localPage, problemId, type RenderedPage } from '#server/pages/layout.ts';
import type { SharePasswordView } from './share-view.ts';
import type { Messages } from '#server/pages/messages/messages.ts';

/** Renders the page that asks for a link's password. It reveals nothing about the file. */
export function passwordPage({
  acceptLanguage,
  problem,
  publicOrigin,
  action,
  up = '../',
}: SharePasswordView): RenderedPage {
  const description = problem === undefined ? 'password_hint' : `${problemId} password_hint`;
  const field = html`aria-describedby="${description}"${problem === 'wrong' ? html` aria-invalid="true"` : undefined}`;
  return localPage(acceptLanguage, (messages) => {
    const { password } = messages;
    return {
      up,
      title: password.title,
      above: badge('lock'),
      problem: problem && problemIn(messages, problem),
      ...(publicOrigin !== undefined && { formLeadsTo: publicOrigin }),
      // Without `action` the form posts to the page's own address, which is the link's.
      body: html`<p>${password.text}</p>
      <form method="post"${action === undefined ? undefined : html` action="${action}"`}>
        <label for="password">${password.label}</label>
        <input
          type="password"
          name="password"
          id="password"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          maxlength="1024"
          required
          autofocus
          ${field}
        />
        <p class="hint" id="password_hint">${password.hint}</p>
        <p class="buttons"><button class="first">${password.open}</button></p>
      </form>`,
    };
  });
}

function problemIn(
  { failure, locale, password }: Messages,
  problem: NonNullable<SharePasswordView['problem']>,
): string {
  if (problem === 'wrong') return password.wrong;
  return `${password.tooMany} ${filled(failure.tryAgain, { when: aheadText(problem.waitSeconds * 1000, locale) })}`;
}
