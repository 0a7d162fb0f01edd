import type { TestAnswer, TestRequest, TestServer } from './server.ts';

/** A browser that is signed in, as its requests show it. */
export interface SignedIn {
  /** The value of the `Cookie` header. */
  readonly cookie: string;
  readonly csrf: string;
  readonly id: string;
  /** Sends a request as a page of the own origin does. */
  send(path: string, request?: TestRequest): Promise<TestAnswer>;
}

export const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' };

/** Signs a browser in with an API key. */
export async function signedIn(server: TestServer, credential: string, remember?: boolean): Promise<SignedIn> {
  const body = JSON.stringify({ api_key: credential, ...(remember !== undefined && { remember }) });
  const answer = await server.send('/v1/sessions', { method: 'POST', headers: sameOrigin, body });
  if (answer.status !== 200) throw new Error(`The sign-in answered ${answer.status} ${answer.body.toString()}`);
  return browserOf(server, answer, 'api');
}

/** Signs a browser in with an operator key, at the operator's door. */
export async function signedInOperator(server: TestServer, key: string): Promise<SignedIn> {
  const body = JSON.stringify({ operator_key: key });
  const answer = await server.send('/v2/operator/session', {
    method: 'POST',
    door: 'operator',
    headers: sameOrigin,
    body,
  });
  if (answer.status !== 200) throw new Error(`The sign-in answered ${answer.status} ${answer.body.toString()}`);
  return browserOf(server, answer, 'operator');
}

function browserOf(server: TestServer, answer: TestAnswer, door: 'api' | 'operator'): SignedIn {
  const cookie = answer.headers.get('Set-Cookie')!.split(';', 1)[0]!;
  const { id, csrf_token: csrf } = answer.json().response;
  return {
    cookie,
    csrf,
    id,
    send: (path, request = {}) =>
      server.send(path, {
        door,
        ...request,
        headers: { ...sameOrigin, Cookie: cookie, 'X-Cubby-CSRF': csrf, ...request.headers },
      }),
  };
}
