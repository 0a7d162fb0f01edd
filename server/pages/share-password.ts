import { badge } from './badge.ts';
import { html } from './html.ts';
import { languageOf } from './language.ts';
import { localHeaders, problemId, renderPage } from './layout.ts';
import type { SharePage, SharePasswordView } from './share-view.ts';
import { wordsIn } from './words/words-in.ts';

/** The page that asks for a link's password, and tells nothing of its file. */
export function passwordPage({ acceptLanguage, problem, publicOrigin }: SharePasswordView): SharePage {
  const language = languageOf(acceptLanguage);
  const { password } = wordsIn(language);
  const field = problem === undefined ? html`aria-describedby="password_hint"` : html`aria-describedby="${problemId} password_hint" aria-invalid="true"`;
  const page = renderPage({
    language,
    up: '../',
    title: password.title,
    above: badge('lock'),
    problem: problem && password.wrong,
    // Without `action` the form goes to the address of the page, which is the link's.
    body: html`<p>${password.text}</p>
      <form method="post">
        <label for="password">${password.label}</label>
        <input type="password" name="password" id="password" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="1024" required autofocus ${field}>
        <p class="hint" id="password_hint">${password.hint}</p>
        <p class="buttons"><button class="first">${password.open}</button></p>
      </form>`,
  });
  return { page, headers: localHeaders(language, { formLeadsTo: publicOrigin }) };
}
