import { html, type Html } from '#server/pages/html.ts';
import { problemId, renderPage } from '#server/pages/layout.ts';

/** The fields of every step of the activation page. */
interface Step {
  /** A token that the form sends back. */
  readonly formToken: string;
  /** The problem of the previous step, if any. */
  readonly problem?: string | undefined;
}

/** Relative, so that it works below any path of the host. */
const action = 'activate';

function form(formToken: string, content: Html): Html {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="form_token" value="${formToken}" />
    ${content}
  </form>`;
}

/** Attributes of the focused field. Screen readers read the problem together with it. */
function fieldState(problem: string | undefined, hintId: string): Html {
  return problem === undefined
    ? html`aria-describedby="${hintId}" autofocus`
    : html`aria-describedby="${problemId} ${hintId}" aria-invalid="true" autofocus`;
}

/** Renders step 1: the API key. */
export function signInPage({ formToken, problem }: Step): string {
  return renderPage({
    title: 'Sign in',
    problem,
    body: form(
      formToken,
      html`<p>A command line or extension asks for its own key. Sign in to approve it.</p>
        <label for="api_key">API key</label>
        <p class="hint" id="api_key_hint">
          A key with full access (scope <code>*</code>). It begins with <code>cbk_</code> and is used only for this
          sign-in.
        </p>
        <input
          type="password"
          name="api_key"
          id="api_key"
          autocomplete="off"
          spellcheck="false"
          maxlength="256"
          required
          ${fieldState(problem, 'api_key_hint')}
        />
        <button class="first" name="action" value="sign_in">Sign in</button>`,
    ),
  });
}

/** Renders step 2: the code. */
export function enterCodePage({ formToken, problem }: Step): string {
  return renderPage({
    title: 'Enter the code that your device shows',
    problem,
    body: form(
      formToken,
      html`<label for="user_code">Code</label>
        <p class="hint" id="user_code_hint">
          Eight letters, such as WDJB-MJHT. Case, spaces and the dash do not matter.
        </p>
        <input
          class="code"
          name="user_code"
          id="user_code"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          maxlength="32"
          required
          ${fieldState(problem, 'user_code_hint')}
        />
        <button class="first" name="action" value="look_up">Continue</button>
        <button name="action" value="sign_out" formnovalidate>Sign out</button>`,
    ),
  });
}

/** The device's request, as step 3 shows it. */
interface Review {
  readonly userCode: string;
  readonly clientName: string;
  readonly address: string;
  /** Text for people. */
  readonly requestedAt: string;
  readonly keyEndsAt: string;
  readonly scopes: ReadonlyArray<{ readonly name: string; readonly text: string }>;
}

/** Renders step 3: the decision. */
export function reviewPage({
  formToken,
  problem,
  userCode,
  clientName,
  address,
  requestedAt,
  keyEndsAt,
  scopes,
}: Step & Review): string {
  return renderPage({
    title: 'Approve this device?',
    problem,
    body: html`<p>
        Approve it only if you started it yourself just now and it shows the code <strong>${userCode}</strong>. If
        somebody sent you the code, refuse.
      </p>
      <dl>
        <dt>Name that the device states</dt>
        <dd>${clientName}</dd>
        <dt>Its network address</dt>
        <dd>${address}</dd>
        <dt>Requested at</dt>
        <dd>${requestedAt}</dd>
        <dt>What its key may do until ${keyEndsAt}</dt>
        <dd>
          <ul>
            ${scopes.map(({ name, text }) => html`<li>${text} (<code>${name}</code>)</li>`)}
          </ul>
        </dd>
      </dl>
      ${form(
        formToken,
        html`<input type="hidden" name="user_code" value="${userCode}" />
          <button class="first" name="action" value="approve">Approve</button>
          <button name="action" value="refuse">Refuse</button>`,
      )}
      <p><a href="${action}">Enter another code</a></p>`,
  });
}

/** Renders step 4: the result. */
export function resultPage({ title, text }: { readonly title: string; readonly text: string }): string {
  return renderPage({
    title,
    body: html`<p role="status">${text}</p>
      <p><a href="${action}">Enter another code</a></p>`,
  });
}
