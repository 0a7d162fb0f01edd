import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { errors } from '#generated/errors.ts';
import { startMock, type Mock } from '#mocks/mock.ts';
import { startSandbox, type Sandbox } from '#mocks/sandbox.ts';
import { isKnown, knownDifferences, type Outcome } from './differences.ts';
import { accountOfExamples, generatedRequest, type GeneratedRequest } from './generated-requests.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const count = isLong ? 5_000 : 300;

/** A server, with the credentials that a generated request may carry. */
interface Target {
  readonly urls: Readonly<Record<'api' | 'files', string>>;
  readonly accountId: string;
  readonly credentials: Readonly<Record<GeneratedRequest['credential'], string | undefined>>;
}

let mock: Mock;
let sandbox: Sandbox;
beforeAll(async () => {
  const freePorts = { CUBBY_API_PORT: '0', CUBBY_FILES_PORT: '0', CUBBY_PUBLIC_PORT: '0', CUBBY_S3_PORT: '0' };
  [mock, sandbox] = await Promise.all([
    startMock({ port: 0 }),
    startSandbox({ env: { ...freePorts, CUBBY_LOG: 'silent' }, report: () => {} }),
  ]);
});
afterAll(() => Promise.all([mock.close(), sandbox.stop()]));

const wrong = { none: undefined, empty: 'Bearer ', wrong: `cbk_${'x'.repeat(46)}` };

/** The account of each plan. Rules of one account must not refuse the uploads of another. */
async function targetsOf(plan: 'enterprise' | 'pro'): Promise<readonly Target[]> {
  const { credential, accountId } = sandbox.accounts.find((account) => account.plan === plan)!;
  const answer = await fetch(`${sandbox.urls.base}/v1/upload-tokens`, {
    method: 'POST',
    headers: { Authorization: credential },
    body: JSON.stringify({ max_uses: 100, expires_in: 3600 }),
  });
  const { response } = (await answer.json()) as { response: { token: string } };
  return [
    { urls: sandbox.urls, accountId, credentials: { ...wrong, key: credential, token: response.token } },
    {
      urls: { api: mock.url, files: mock.url },
      accountId: accountOfExamples,
      credentials: { ...wrong, key: 'any', token: 'cbup_any' },
    },
  ];
}

async function outcomeAt(target: Target, request: GeneratedRequest): Promise<Outcome> {
  const own = (text: string) => text.replaceAll(accountOfExamples, target.accountId);
  const authorization = target.credentials[request.credential];
  // The mock has all doors on one port, and chooses by the path.
  const isLink = /^\/[ds]\//.test(new URL(request.target, 'http://server').pathname);
  const send = (method: string) =>
    fetch(target.urls[isLink ? 'files' : 'api'] + own(request.target), {
      method,
      redirect: 'manual',
      headers: { ...request.headers, ...(authorization !== undefined && { Authorization: authorization }) },
      ...(request.body !== undefined && !['GET', 'HEAD'].includes(method) && { body: own(request.body) }),
    });
  const response = await send(request.method);
  const text = await response.text();
  const { status } = response;
  if (status < 400) return { status, code: undefined };
  // A response to HEAD has no body, and the code of GET.
  return { status, code: codeIn(request.method === 'HEAD' ? await (await send('GET')).text() : text) };
}

/** The codes of texts, which are the messages of the envelope. */
const codeOfMessage: ReadonlyMap<string, string> = new Map(
  Object.entries(errors.envelope).map(([code, { message }]) => [message, code]),
);

/** Returns the code of an error: of the envelope, of the AI gateway, of OAuth, or the beginning of a git reply. */
function codeIn(text: string): string | undefined {
  try {
    const body = JSON.parse(text);
    return body.code ?? body.error?.code ?? body.error;
  } catch {
    return /^([A-Z0-9_]+):/.exec(text)?.[1] ?? codeOfMessage.get(text.trim()) ?? text;
  }
}

it(
  `the mock refuses what the server refuses, with the same status and code: ${count} generated requests`,
  { timeout: 600_000 },
  async () => {
    const requests = fc.sample(generatedRequest, { numRuns: count, seed: 16 });
    const [enterprise, pro] = [await targetsOf('enterprise'), await targetsOf('pro')];
    const differences: string[] = [];
    const seen = new Map<string, number>();
    const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
    const queue = requests.values();
    const work = async () => {
      for (const request of queue) {
        const targets = request.operation === 'replaceSettings' ? pro : enterprise;
        const [server, mocked] = await Promise.all(targets.map((target) => outcomeAt(target, request)));
        if (server!.status === mocked!.status && server!.code === mocked!.code)
          note(server!.status < 400 ? 'same success' : 'same refusal');
        else if (isKnown(request, server!, mocked!)) note('known difference');
        else
          differences.push(
            `${request.operation} (${request.faults.join('; ')}): server ${said(server!)}, mock ${said(mocked!)}; ${request.method} ${request.target.slice(0, 120)} ${request.body?.slice(0, 120) ?? ''}`,
          );
      }
    };
    await Promise.all(Array.from({ length: 2 }, work));
    expect(differences, JSON.stringify(Object.fromEntries(seen))).toEqual([]);
    // A generator that makes only valid or only broken requests would prove little.
    expect(seen.get('same refusal')).toBeGreaterThan(count / 4);
    expect(seen.get('same success')).toBeGreaterThan(count / 10);
    expect(knownDifferences.length).toBeLessThan(10);
  },
);

function said({ status, code }: Outcome): string {
  return `${status} ${code ?? ''}`.trim();
}
