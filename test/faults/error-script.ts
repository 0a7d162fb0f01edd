import { formWith, sha256, someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { ask, deleteFiles, fetchFile, uploadFile, type Answer } from './client.ts';
import { isBrokenOff } from './crash-work.ts';
import type { SpawnedServer } from './spawned-server.ts';

const small = 3_000;
const large = 300_000;

/** The hash of a file's bytes, or `none`. */
type State = string;

/** The outcome of one request. */
interface Outcome {
  readonly step: string;
  /** `undefined` if the connection ended without a response. */
  readonly status: number | undefined;
  readonly code: string | undefined;
}

/**
 * Requests of all kinds that write, one after another, while a call of the server to its disk fails. It knows which
 * states each file may be in afterwards: a success must last, and a failure must have changed nothing.
 */
export class ErrorScript {
  readonly #account: TestAccount;
  readonly #name: string;
  readonly #allowed = new Map<string, readonly State[]>();
  /** The ids of files whose names the server chose. */
  readonly #ids = new Map<string, string>();
  readonly outcomes: Outcome[] = [];
  readonly #wrong: string[] = [];
  #shareId: string | undefined;
  #sharedHash = '';
  #token: string | undefined;
  #isTokenUsed: boolean | undefined = false;

  /** @param name begins the names of all files */
  constructor(account: TestAccount, name: string) {
    this.#account = account;
    this.#name = name;
  }

  /** Sends all requests. Requests that need an earlier one are left out if that failed. */
  async run(server: SpawnedServer): Promise<void> {
    await this.#put(server, 'small', small);
    await this.#put(server, 'large', large);
    await this.#put(server, 'large', large);
    await Promise.all([this.#put(server, 'one', small), this.#put(server, 'other', 70_000)]);
    await this.#chunked(server, 'chunked');
    await this.#copy(server, 'large', 'copy');
    await this.#share(server, 'small');
    await this.#withToken(server, 'token');
    await this.#delete(server, 'other');
    await this.#delete(server, 'copy');
  }

  /** Uploads so many small files that the log of the database is copied. */
  async fill(server: SpawnedServer): Promise<void> {
    const left = Array.from({ length: 150 }, (_, number) => `fill-${number}`);
    const work = async () => {
      for (let name = left.pop(); name !== undefined; name = left.pop()) await this.#put(server, name, 16_000);
    };
    await Promise.all(Array.from({ length: 10 }, work));
  }

  /**
   * Compares what is there with what may be there. Returns the contradictions.
   *
   * @param isLast whether the script ends: tokens are used up, and all files are deleted
   */
  async check(server: SpawnedServer, { isLast }: { readonly isLast: boolean }): Promise<readonly string[]> {
    const wrong = this.#wrong.splice(0);
    for (const [name, allowed] of this.#allowed) {
      const { status, bytes } = await fetchFile(server, this.#id(name));
      const state = status === 200 ? sha256(bytes) : status === 404 ? 'none' : `status ${status}`;
      if (allowed.includes(state)) this.#allowed.set(name, [state]);
      else wrong.push(`${name} is ${state}, allowed was ${allowed.join(' or ')}`);
    }
    if (this.#shareId !== undefined) {
      const { status, bytes } = await ask(`${server.urls.files}/s/${this.#shareId}`);
      if (status !== 200 || sha256(bytes) !== this.#sharedHash) wrong.push(`the link answers ${status}`);
    }
    if (!isLast) return wrong;
    if (this.#token !== undefined && this.#isTokenUsed !== undefined) {
      const { status, json } = await this.#sendWithToken(server, someBytes(small));
      const isUsed = json.code === 'UPLOAD_TOKEN_USED';
      if (isUsed !== this.#isTokenUsed) wrong.push(`the token answers ${status} ${json.code}`);
    }
    for (const name of this.#allowed.keys()) await deleteFiles(server, this.#account, [this.#id(name)]);
    return wrong;
  }

  /** Whether a request failed. */
  get hasFailure(): boolean {
    return this.outcomes.some(({ status }) => status === undefined || status >= 300);
  }

  #id(name: string): string {
    return this.#ids.get(name) ?? `pub/${this.#account.id}/${this.#name}-${name}.png`;
  }

  /** Sends a request. Returns its response if it succeeded. Whatever else it changes has the state before or after. */
  async #send(
    step: string,
    request: () => Promise<Answer>,
    change?: { readonly name: string; readonly after: State },
  ): Promise<Answer | undefined> {
    const before = change && (this.#allowed.get(change.name) ?? ['none']);
    const allow = (states: readonly State[]) => void (change && this.#allowed.set(change.name, states));
    let answer: Answer;
    try {
      answer = await request();
    } catch (error) {
      if (!isBrokenOff(error)) throw error;
      this.outcomes.push({ step, status: undefined, code: undefined });
      if (change) allow([...before!, change.after]);
      return undefined;
    }
    const { status, json } = answer;
    this.outcomes.push({ step, status, code: json?.code });
    if (status < 300) {
      if (change) allow([change.after]);
      return answer;
    }
    // DELETE_FAILED has the status 400 in the contract.
    const isOfStore = status >= 500 || json?.code === 'DELETE_FAILED';
    if (!isOfStore || typeof json?.message !== 'string' || json.code === 'INTERNAL_SERVER_ERROR')
      this.#wrong.push(`${step} answers ${status} ${json?.code}`);
    if (change) allow(before!);
    return undefined;
  }

  async #put(server: SpawnedServer, name: string, size: number): Promise<void> {
    const bytes = someBytes(size);
    const upload = () => uploadFile(server, this.#account, `${this.#name}-${name}`, bytes);
    await this.#send(`upload of ${name}`, upload, { name, after: sha256(bytes) });
  }

  async #chunked(server: SpawnedServer, name: string): Promise<void> {
    const { credential } = this.#account;
    const path = `${server.urls.base}/v1/objects/chunked`;
    const begin = () => ask(`${path}?name=${this.#name}-${name}`, { method: 'POST', credential });
    const begun = await this.#send('start of a chunked upload', begin);
    if (!begun) return;
    const { id, upload } = begun.json.response;
    this.#ids.set(name, id);
    const bytes = someBytes(70_000);
    const body = bytes as Uint8Array<ArrayBuffer>;
    const put = () => ask(`${path}?upload=${upload}&part=1`, { method: 'PUT', credential, body });
    if (!(await this.#send('part of a chunked upload', put))) return;
    const complete = () => ask(path, { method: 'PATCH', credential, body: JSON.stringify({ upload }) });
    await this.#send('completion of a chunked upload', complete, { name, after: sha256(bytes) });
  }

  async #copy(server: SpawnedServer, source: string, name: string): Promise<void> {
    const [after] = this.#allowed.get(source) ?? [];
    if (after === undefined || after === 'none' || this.#allowed.get(source)!.length > 1) return;
    const body = JSON.stringify({ source: this.#id(source), destination: { name: `${this.#name}-${name}` } });
    const { credential } = this.#account;
    const copy = () => ask(`${server.urls.base}/v1/objects/copy`, { method: 'POST', credential, body });
    await this.#send('copy', copy, { name, after });
  }

  async #share(server: SpawnedServer, name: string): Promise<void> {
    const [hash] = this.#allowed.get(name) ?? [];
    if (hash === undefined || hash === 'none' || this.#allowed.get(name)!.length > 1) return;
    const { credential } = this.#account;
    const body = JSON.stringify({ object: this.#id(name) });
    const create = () => ask(`${server.urls.base}/v1/shares`, { method: 'POST', credential, body });
    const created = await this.#send('share', create);
    this.#shareId = created?.json.response.id;
    this.#sharedHash = hash;
  }

  async #withToken(server: SpawnedServer, name: string): Promise<void> {
    const { credential } = this.#account;
    const pinned = { name: `${this.#name}-${name}`, security_hash: false };
    const body = JSON.stringify({ max_uses: 1, ...pinned });
    const mint = () => ask(`${server.urls.base}/v1/upload-tokens`, { method: 'POST', credential, body });
    this.#token = (await this.#send('mint of a token', mint))?.json.response.token;
    if (this.#token === undefined) return;
    const bytes = someBytes(small);
    const upload = () => this.#sendWithToken(server, bytes);
    await this.#send('upload with a token', upload, { name, after: sha256(bytes) });
    const { status } = this.outcomes.at(-1)!;
    this.#isTokenUsed = status === undefined ? undefined : status === 200;
  }

  #sendWithToken({ urls }: SpawnedServer, bytes: Uint8Array): Promise<Answer> {
    return ask(`${urls.base}/v1/objects`, { method: 'POST', credential: this.#token!, body: formWith(bytes) });
  }

  async #delete(server: SpawnedServer, name: string): Promise<void> {
    const allowed = this.#allowed.get(name) ?? ['none'];
    if (allowed.length > 1 || allowed[0] === 'none') return;
    const remove = () => deleteFiles(server, this.#account, [this.#id(name)]);
    await this.#send(`deletion of ${name}`, remove, { name, after: 'none' });
  }
}
