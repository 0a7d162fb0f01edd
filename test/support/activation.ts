import type { TestAnswer, TestServer } from './server.ts';

export interface DeviceCodes {
  readonly device_code: string;
  readonly user_code: string;
}

/** Requests a key as a client does. */
export async function askForKey(server: TestServer, wish: object = {}): Promise<DeviceCodes> {
  return (
    await postJson(server, '/v2/auth/device', { client_name: 'Cubby CLI', scopes: ['blob:read'], ...wish })
  ).json();
}

/** Polls for the key as a client does. */
export function poll(server: TestServer, { device_code }: Pick<DeviceCodes, 'device_code'>): Promise<TestAnswer> {
  return postJson(server, '/v2/auth/device/token', { device_code });
}

export function postJson(server: TestServer, path: string, body: unknown): Promise<TestAnswer> {
  return server.send(path, { method: 'POST', body: JSON.stringify(body) });
}

/** A person at the approval page. Keeps cookies, and sends the form of the page that was shown last. */
export class Approver {
  readonly cookies = new Map<string, string>();
  /** The form token of the last page that had one. */
  formToken = '';
  readonly #server: TestServer;

  constructor(server: TestServer) {
    this.#server = server;
  }

  open(headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> {
    return this.#keep(this.#server.send('/activate', { headers: { ...this.#headers(), ...headers } }));
  }

  /** Sends the form and follows a redirect, as browsers do. */
  async submit(
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestAnswer> {
    const answer = await this.post(fields, headers);
    return answer.status === 303 ? this.follow(answer, headers) : answer;
  }

  post(fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> {
    const body = new URLSearchParams({ form_token: this.formToken, ...fields });
    return this.#keep(
      this.#server.send('/activate', { method: 'POST', headers: { ...this.#headers(), ...headers }, body }),
    );
  }

  follow(answer: TestAnswer, headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> {
    const { pathname, search } = new URL(answer.headers.get('location')!);
    return this.#keep(this.#server.send(pathname + search, { headers: { ...this.#headers(), ...headers } }));
  }

  async signIn(credential: string): Promise<TestAnswer> {
    await this.open();
    return this.submit({ action: 'sign_in', api_key: credential });
  }

  lookUp(userCode: string): Promise<TestAnswer> {
    return this.submit({ action: 'look_up', user_code: userCode });
  }

  /** Enters the code and decides. */
  async decide(action: 'approve' | 'refuse', userCode: string): Promise<TestAnswer> {
    const { status } = await this.open();
    if (status !== 200) throw new Error(`The page answered ${status}.`);
    await this.lookUp(userCode);
    return this.submit({ action, user_code: userCode });
  }

  #headers(): Record<string, string> {
    return { Accept: 'text/html', Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }

  async #keep(sent: Promise<TestAnswer>): Promise<TestAnswer> {
    const answer = await sent;
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    this.formToken = /name="form_token" value="([^"]*)"/.exec(answer.body.toString())?.[1] ?? this.formToken;
    return answer;
  }
}

/** Returns a person who is signed in with this key. */
export async function signedIn(server: TestServer, credential: string): Promise<Approver> {
  const approver = new Approver(server);
  await approver.signIn(credential);
  return approver;
}
