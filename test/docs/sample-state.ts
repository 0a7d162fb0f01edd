import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Sandbox } from '#mocks/sandbox.ts';
import type { Operation } from '#openapi/codegen/document.ts';

const run = promisify(execFile);
const exampleApp = 'app_4x7k2m9q3v8n6tbw';
const root = join(import.meta.dirname, '../..');

/** An example of the contract, and what stands in its place in the sandbox. */
type Replacement = readonly [example: string, real: string];

/** Makes what the examples of the contract name, so that a sample can run as it stands. */
export class SampleState {
  readonly #sandbox: Sandbox;
  readonly #accountId: string;
  readonly #key: string;
  #count = 0;

  constructor(sandbox: Sandbox) {
    const { accountId, credential } = sandbox.accounts.find(({ plan }) => plan === 'enterprise')!;
    this.#sandbox = sandbox;
    this.#accountId = accountId;
    this.#key = credential;
  }

  /**
   * Returns the source with the sandbox's addresses, a key, and ids of things that exist. Each call makes new things.
   */
  async real({ id }: Operation, source: string): Promise<string> {
    const { base, files, public: publicHost } = this.#sandbox.urls;
    let text = source
      .replaceAll('http://localhost:7400', base)
      .replaceAll('http://localhost:7401', files)
      .replaceAll('http://localhost:7402', publicHost)
      .replaceAll('http://127.0.0.1:7404', this.#sandbox.urls.operator)
      .replaceAll('YOUR_KEY', this.#key);
    if (text.includes('YOUR_OPERATOR_KEY')) text = await this.#asOperator(text);
    for (const [example, real] of await this.#things(id, text)) text = text.replaceAll(example, real);
    return text;
  }

  /** An account of its own, so that a sample may delete it. */
  async #asOperator(text: string): Promise<string> {
    const own = text.replaceAll('YOUR_OPERATOR_KEY', this.#sandbox.operatorKey);
    if (!own.includes('204815162342108999')) return own;
    const { account_id: id } = await this.#cubby('account', 'create', '--name', 'sample', '--plan', 'enterprise');
    return own.replaceAll('204815162342108999', id);
  }

  async #things(id: string, source: string): Promise<Replacement[]> {
    const found: Replacement[] = [];
    for (const example of new Set(source.match(/(?:pub|prv)\/\d{18}\/[\w./-]+/g)))
      found.push([example, await this.#file(example.startsWith('prv/'))]);
    // An upload to a file request belongs to the cookie of a browser.
    if (source.includes('example-upload-0001') && !/Sent/.test(id))
      found.push(['example-upload-0001', await this.#upload(id)]);
    if (source.includes('ExampleShare00000000001')) found.push(['ExampleShare00000000001', await this.#share()]);
    // The instant of the examples is past.
    if (source.includes('2026-05-01T18:00:00Z'))
      found.push(['2026-05-01T18:00:00Z', new Date(Date.now() + 86_400_000).toISOString()]);
    if (source.includes('examplerequest0000000001'))
      found.push(['examplerequest0000000001', (await this.#fileRequest(false)).id]);
    if (source.includes('ExampleRequestLink00000001'))
      found.push(['ExampleRequestLink00000001', await this.#requestLink(id)]);
    if (source.includes('ses_example01')) found.push(['ses_example01', await this.#session()]);
    if (source.includes('cbk_example_not_a_real_key') && id === 'startSession')
      found.push(['cbk_example_not_a_real_key', this.#key]);
    if (source.includes('cbo_example_not_a_real_key'))
      found.push(['cbo_example_not_a_real_key', this.#sandbox.operatorKey]);
    if (source.includes('key_example01')) found.push(['key_example01', await this.#newKey()]);
    if (source.includes('wh_example01')) found.push(['wh_example01', await this.#eventWebhook()]);
    if (source.includes('job_example01')) found.push(['job_example01', await this.#folderJob()]);
    for (const example of new Set(source.match(/\b3aekqbzc\w+/g))) found.push([example, await this.#trashVersion()]);
    const [event] = /evt_\w+/.exec(id === 'startWebhookReplay' || id === 'getEvent' ? source : '') ?? [];
    if (event) found.push([event, await this.#event()]);
    if (source.includes('dep_8m4k2x7q9v3n6tbw')) found.push(...(await this.#deploy()));
    else if (source.includes(exampleApp)) {
      const app = await this.#app();
      if (id === 'getDeployHook' || id === 'revokeDeployHook') await this.#hook(app);
      if (id === 'getCommitStatus' || id === 'deleteCommitStatus') await this.#commitStatus(app);
      found.push([exampleApp, app]);
    }
    const [webhook] = /example-webhook-\w+/.exec(id === 'receiveGitPush' ? source : '') ?? [];
    if (webhook) found.push([webhook, await this.#webhook()]);
    const [hook] = /example-hook-\w+/.exec(id === 'startHookDeploy' ? source : '') ?? [];
    if (hook) found.push([hook, await this.#hook(await this.#app())]);
    const [device] = /example-device-code-\w+/.exec(source) ?? [];
    if (device) found.push([device, await this.#deviceCode()]);
    if (source.includes('/d/example-token')) found.push(['/d/example-token', await this.#link()]);
    const [publicFile] = /204815162342108999\/[\w./-]+/.exec(id === 'getPublicFile' ? source : '') ?? [];
    if (publicFile) found.push([publicFile, (await this.#file(false)).slice('pub/'.length)]);
    // The client's sample has the parameters of the path apart.
    if (id === 'getPublicFile' && source.includes("account_id: '")) {
      const [, accountId, key] = /^pub\/(\d+)\/(.*)$/.exec(await this.#file(false))!;
      found.push([/account_id: '[^']*'/.exec(source)![0], `account_id: '${accountId}'`]);
      found.push([/key: '[^']*'/.exec(source)![0], `key: '${key}'`]);
    }
    if (id === 'openDownloadLink' && source.includes("token: '"))
      found.push(["token: 'example-token'", `token: '${(await this.#link()).slice('/d/'.length)}'`]);
    return found;
  }

  /** Revokes the keys that samples made: an account may have ten live ones. */
  async revokeKeys(): Promise<void> {
    const { response } = await this.#send('GET', '/v1/account/keys');
    for (const { id, name } of response.keys)
      if (name === 'Website') await this.#send('DELETE', `/v1/account/keys/${id}`);
    for (const { id } of (await this.#send('GET', '/v1/webhooks')).response.webhooks)
      await this.#send('DELETE', `/v1/webhooks/${id}`);
  }

  async #send(method: string, path: string, body?: unknown): Promise<any> {
    const isForm = body instanceof FormData || body instanceof Uint8Array;
    const answer = await fetch(this.#sandbox.urls.base + path, {
      method,
      headers: {
        Authorization: this.#key,
        ...(!isForm && body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? (body as FormData) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  async #file(isPrivate: boolean): Promise<string> {
    const form = new FormData();
    form.append('file', new Blob(['A page. '.repeat(100)]), 'april.pdf');
    const query = `name=sample${++this.#count}&prefix=samples&private=${isPrivate}`;
    return (await this.#send('POST', `/v1/objects?${query}`, form)).response.id;
  }

  async #session(): Promise<string> {
    return (await this.#send('POST', '/v1/sessions', { api_key: this.#key })).response.id;
  }

  async #upload(id: string): Promise<string> {
    const { response } = await this.#send('POST', `/v1/objects/chunked?name=part${++this.#count}&filename=a.bin`);
    const { upload } = response;
    if (id === 'completeChunkedUpload')
      await this.#send('PUT', `/v1/objects/chunked?upload=${upload}&part=1`, Buffer.alloc(4096, 'part'));
    return upload;
  }

  async #share(): Promise<string> {
    return (await this.#send('POST', '/v1/shares', { object: await this.#file(true) })).response.id;
  }

  async #fileRequest(hasPassword: boolean): Promise<{ readonly id: string; readonly url: string }> {
    const body = { title: 'Photos', prefix: 'party', ...(hasPassword && { password: 'example-password' }) };
    return (await this.#send('POST', '/v1/file-requests', body)).response;
  }

  /** The secret in the address of a request. */
  async #requestLink(id: string): Promise<string> {
    return (await this.#fileRequest(id === 'submitRequestPassword')).url.split('/').at(-1)!;
  }

  async #eventWebhook(): Promise<string> {
    return (await this.#send('POST', '/v1/webhooks', { url: 'https://hooks.example.invalid/cubby' })).response.id;
  }

  async #folderJob(): Promise<string> {
    const body = { action: 'delete', prefix: 'no-such-folder', dry_run: true };
    return (await this.#send('POST', '/v1/folders/jobs', body)).response.id;
  }

  async #trashVersion(): Promise<string> {
    await this.#send('PUT', '/v1/account/settings', { rules: [{ prefix: 'samples', keep_deleted_days: 30 }] });
    const object = await this.#file(true);
    await this.#send('DELETE', '/v1/objects', { object });
    const { response } = await this.#send('GET', '/v1/trash?prefix=samples/');
    return response.versions.find(({ id }: { id: string }) => id === object).version;
  }

  async #event(): Promise<string> {
    await this.#file(true);
    return (await this.#send('GET', '/v1/events?limit=1')).response.events[0].id;
  }

  async #newKey(): Promise<string> {
    return (await this.#send('POST', '/v1/account/keys', { name: 'Website', scopes: ['blob:read'] })).response.id;
  }

  async #app(): Promise<string> {
    return (await this.#cubby('app', 'create', '--account', this.#accountId, '--name', 'shop')).id;
  }

  /** Runs a command of the operator, beside the sandbox. */
  async #cubby(...args: readonly string[]): Promise<any> {
    const env = { PATH: process.env.PATH, CUBBY_DATA_DIR: this.#sandbox.dataDir, CUBBY_MIN_FREE_BYTES: '0' };
    const { stdout } = await run(process.execPath, ['server/cli/main.js', ...args, '--json'], { cwd: root, env });
    return JSON.parse(stdout);
  }

  async #webhook(): Promise<string> {
    const path = `/v2/apps/${await this.#app()}/deploy/webhook`;
    const { response } = await this.#send('POST', path, { access_token: 'example-access-token' });
    return response.webhook.split('/').at(-1);
  }

  async #deploy(): Promise<Replacement[]> {
    const app = await this.#app();
    const path = `/v2/apps/${app}/deploy/webhook`;
    const { response } = await this.#send('POST', path, { access_token: 'example-access-token' });
    const push = { ref: 'refs/heads/main', after: '9f2c1ab47de083c5612f4b7a8d90e3c16a5b2d4f' };
    await fetch(response.webhook, { method: 'POST', body: JSON.stringify(push) });
    const { deployments } = (await this.#send('GET', `/v2/apps/${app}/deployments`)).response;
    return [
      ['dep_8m4k2x7q9v3n6tbw', deployments[0].id],
      [exampleApp, app],
    ];
  }

  async #hook(app: string): Promise<string> {
    const body = { repository: 'https://git.invalid/acme/shop.git' };
    return (await this.#send('POST', `/v2/apps/${app}/deploy/hook`, body)).response.url.split('/').at(-1);
  }

  async #commitStatus(app: string): Promise<void> {
    const body = { access_token: 'example-access-token', origin: 'https://github.com' };
    await this.#send('PUT', `/v2/apps/${app}/deploy/status`, body);
  }

  async #deviceCode(): Promise<string> {
    const body = { client_name: 'a sample', scopes: ['blob:read'] };
    return (await this.#send('POST', '/v2/auth/device', body)).device_code;
  }

  async #link(): Promise<string> {
    const object = encodeURIComponent(await this.#file(true));
    const { response } = await this.#send('GET', `/v1/objects/download?object=${object}&redirect=false`);
    return new URL(response.url).pathname;
  }
}
