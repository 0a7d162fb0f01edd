import type { DevicesHandlers } from '#generated/router.ts';
import type { SubmitActivationData } from '#generated/types.ts';
import { authenticateSession } from '#server/domain/access/authenticate-session.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import { formTokenFor, isFormTokenOf, type FormOwner } from '#server/domain/access/form-token.ts';
import { signIn, signOut } from '#server/domain/access/sign-in.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { decideDevice } from '../decide-device.ts';
import { lookUpDevice } from '../look-up-device.ts';
import { deviceKeyLifetimeMs } from '../limits.ts';
import { plainRefusalMessage } from '#server/domain/refusal-message.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { addressBucket } from '#server/http/client-address.ts';
import { enterCodePage, resultPage, reviewPage, signInPage } from '../pages/activation.ts';
import { pageHeaders } from '#server/pages/layout.ts';
import { openDecision, sealDecision, type Decision } from './activation-decision.ts';
import type { Call } from '#server/handlers/call.ts';
import { requireOwnPage } from '#server/handlers/own-page.ts';
import { activationCookies } from './activation-cookies.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import { RefusedPage } from '#server/handlers/refused-page.ts';
import { scopeTexts } from './scope-texts.ts';

export interface ActivationDeps extends CorePorts {
  /** Address of the page, as clients see it. */
  readonly activationUrl: string;
  /** Counts failed sign-ins with the wrong credentials of all other requests. An address names its bucket. */
  readonly failures: { refuseBlocked(address: string): Promise<void>; countFailure(address: string): Promise<void> };
  /** Must not throw. */
  noteUse(caller: Caller): void;
}

interface Kit extends ActivationDeps {
  readonly cookies: ReturnType<typeof activationCookies>;
}

type Form = SubmitActivationData['body'];

/** A page, and perhaps a cookie. */
interface Shown {
  readonly page: string;
  readonly cookie?: string;
}

/** A redirect to a page, so that a reload does not send the form again, and a cookie. */
interface Elsewhere {
  readonly location: string;
  readonly cookie: string;
}

type Action = (kit: Kit, form: Form, call: Call) => Promise<Shown | Elsewhere>;

const formCookieLength = 32;

/** The action of each form. */
const actions: Readonly<Record<Form['action'], Action>> = {
  sign_in: signInHere,
  look_up: review,
  approve: decide,
  refuse: decide,
  sign_out: signOutHere,
};

/** Returns the handlers of the page at which a person approves the key of a client, step by step. */
export function activationHandlers(deps: ActivationDeps) {
  const kit = { ...deps, cookies: activationCookies(deps.activationUrl) };
  return {
    async showActivationPage({ query }, call) {
      return replyOf(decisionPage(kit, query.done, call) ?? (await openingPage(kit, call)));
    },

    async submitActivation({ body }, call) {
      try {
        await refuseForeignForm(kit, body, call);
        const shown = await actions[body.action](kit, body, call);
        if ('location' in shown)
          return {
            status: 303,
            headers: { Location: shown.location, 'Set-Cookie': shown.cookie, 'Cache-Control': 'no-store' },
          };
        return replyOf(shown);
      } catch (error) {
        if (!(error instanceof Refusal) || error.code === 'RATE_LIMITED') throw error;
        const shown = await pageAgain(kit, body, call, error);
        throw new RefusedPage(error, shown.page, cookieHeader(shown));
      }
    },
  } satisfies Partial<DevicesHandlers<Call>>;
}

function replyOf(shown: Shown) {
  return { status: 200 as const, body: shown.page, headers: { ...pageHeaders, ...cookieHeader(shown) } };
}

function cookieHeader({ cookie }: Shown): Record<string, string> {
  return cookie === undefined ? {} : { 'Set-Cookie': cookie };
}

/** Returns the owner of a form. A form that approves or refuses belongs to the page that showed the same request. */
function ownerOf({ cookies }: Kit, { action, user_code: userCode }: Form, call: Call): FormOwner {
  if (action === 'sign_in') return signInForm(cookies.form.of(call) ?? '');
  const session = cookies.session.of(call) ?? '';
  return action === 'approve' || action === 'refuse' ? reviewForm(session, userCode ?? '') : codeForm(session);
}

const signInForm = (cookie: string): FormOwner => ({ cookie, form: 'sign in' });
const codeForm = (session: string): FormOwner => ({ cookie: session, form: 'code' });
const reviewForm = (session: string, userCode: string): FormOwner => ({ cookie: session, form: `review ${userCode}` });

/**
 * @throws ACCESS_DENIED if the form needs a session and has none
 * @throws INVALID_FORM_TOKEN if another site sent it
 */
async function refuseForeignForm(kit: Kit, form: Form, call: Call): Promise<void> {
  requireOwnPage(kit.activationUrl, call);
  if (form.action !== 'sign_in') await authenticateSession(kit, kit.cookies.session.of(call));
  const owner = ownerOf(kit, form, call);
  if (owner.cookie === '' || !isFormTokenOf(kit.secrets, owner, form.form_token))
    throw new Refusal('INVALID_FORM_TOKEN');
}

/** Returns the form for the code for a person who is signed in, otherwise the form for the API key. */
async function openingPage(kit: Kit, call: Call, problem?: string): Promise<Shown> {
  const session = kit.cookies.session.of(call);
  return session !== undefined && (await isSignedIn(kit, session))
    ? codePage(kit, session, problem)
    : signedOutPage(kit, call, problem);
}

async function isSignedIn(kit: Kit, session: string): Promise<boolean> {
  try {
    await authenticateSession(kit, session);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

function codePage({ secrets }: Kit, session: string, problem?: string): Shown {
  return { page: enterCodePage({ formToken: formTokenFor(secrets, codeForm(session)), problem }) };
}

function signedOutPage({ cookies, secrets, ids }: Kit, call: Call, problem?: string): Shown {
  const known = cookies.form.of(call);
  const cookie = known ?? ids.secretText(formCookieLength);
  const page = signInPage({ formToken: formTokenFor(secrets, signInForm(cookie)), problem });
  return { page, ...(known === undefined && { cookie: cookies.form.set(cookie) }) };
}

async function signInHere(kit: Kit, { api_key: credential }: Form, call: Call): Promise<Shown> {
  const address = addressBucket(call.client.address);
  await kit.failures.refuseBlocked(address);
  const { caller, token } = await signIn(kit, credential, call.client.address).catch(async (error: unknown) => {
    if (error instanceof Refusal && error.code === 'ACCESS_DENIED') await kit.failures.countFailure(address);
    throw error;
  });
  kit.noteUse(caller);
  return { ...codePage(kit, token), cookie: kit.cookies.session.set(token) };
}

async function signOutHere(kit: Kit, _form: Form, call: Call): Promise<Shown> {
  await signOut(kit, kit.cookies.session.of(call));
  return { ...signedOutPage(kit, call), cookie: kit.cookies.session.remove() };
}

async function review(kit: Kit, { user_code: typed = '' }: Form, call: Call, problem?: string): Promise<Shown> {
  const session = kit.cookies.session.of(call)!;
  const { userCode, request } = await lookUpDevice(kit, { sessionToken: session, userCode: typed });
  const page = reviewPage({
    formToken: formTokenFor(kit.secrets, reviewForm(session, userCode)),
    problem,
    userCode,
    clientName: request.clientName,
    address: request.sourceIp,
    requestedAt: `${new Date(request.createdAt).toLocaleString('en-GB', { ...utcDay, timeStyle: 'short' })} UTC`,
    keyEndsAt: keyEnd(kit),
    scopes: request.scopes.map((name) => ({ name, text: scopeTexts[name] })),
  });
  return { page };
}

async function decide(kit: Kit, { action, user_code: userCode = '' }: Form, call: Call): Promise<Elsewhere> {
  const event = action === 'approve' ? 'approve' : 'refuse';
  const session = kit.cookies.session.of(call)!;
  const { request } = await decideDevice(kit, { event, sessionToken: session, userCode, actor: personOf(call) });
  const done = event === 'approve' ? 'approved' : 'refused';
  return {
    location: `${kit.activationUrl}?done=${done}`,
    cookie: kit.cookies.decision.set(sealDecision(kit.secrets, session, { done, clientName: request.clientName })),
  };
}

/** Returns the page about a decision, or undefined if this sign-in made no such decision. */
function decisionPage(kit: Kit, done: Decision['done'] | undefined, call: Call): Shown | undefined {
  const [session, sealed] = [kit.cookies.session.of(call), kit.cookies.decision.of(call)];
  if (done === undefined || session === undefined || sealed === undefined) return undefined;
  const decision = openDecision(kit.secrets, session, done, sealed);
  if (!decision) return undefined;
  const { clientName } = decision;
  return {
    page:
      done === 'approved'
        ? resultPage({
            title: 'Device approved',
            text:
              `${clientName} fetches its key within seconds. The key ends on ${keyEnd(kit)}. You ` +
              'can close this page.',
          })
        : resultPage({ title: 'Device refused', text: `${clientName} gets no key. You can close this page.` }),
  };
}

/** Returns the person at the page, who has signed in with an API key. */
function personOf({ client }: Call): Actor {
  return { sourceIp: client.address, userAgent: client.userAgent, auth: 'api_key' };
}

const utcDay = { dateStyle: 'long', timeZone: 'UTC' } as const;

function keyEnd({ clock }: Kit): string {
  return new Date(clock.now() + deviceKeyLifetimeMs).toLocaleString('en-GB', utcDay);
}

/** Returns the page from which the person can continue after a refusal, with its reason. */
async function pageAgain(kit: Kit, form: Form, call: Call, refusal: Refusal): Promise<Shown> {
  const problem = problemOf(form, refusal);
  // The request still waits: once the person has revoked a key, the same button works.
  if (refusal.code === 'APIKEY_LIMIT_REACHED')
    return review(kit, form, call, problem).catch(() => openingPage(kit, call, problem));
  return openingPage(kit, call, problem);
}

/** Returns the reason for people, who see a page and not a request. */
function problemOf({ action }: Form, refusal: Refusal): string {
  if (refusal.ownMessage !== undefined) return refusal.ownMessage;
  if (refusal.code === 'ACCESS_DENIED')
    return action === 'sign_in'
      ? 'That API key is not valid. Check it, and try again.'
      : 'You are not signed in any more. Sign in again.';
  if (refusal.code === 'MISSING_SCOPE')
    return 'That API key does not have full access (scope *), so it cannot approve. Sign in with another one.';
  return plainRefusalMessage(refusal);
}
