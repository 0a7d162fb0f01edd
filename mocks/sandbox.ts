import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Overrides } from '#server/compose/overrides.ts';
import { parseConfig } from '#server/config/config.ts';
import type { DoorName } from '#server/config/door-names.ts';
import { createAccount } from '#server/domain/access/create-account.ts';
import { serverActor } from '#server/domain/audit/audit-entry.ts';
import { createOperatorKey } from '#server/domain/operator/create-operator-key.ts';
import { plans, type Plan } from '#server/domain/plan.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import { openLog } from '#server/log.ts';
import { randomIds } from '#server/stores/system/ids.ts';
import { startServer, type RunningServer } from '#server/start.ts';
import { onStopSignal } from '#server/stop-signals.ts';
import type { CheckAnswer } from './answer-check.ts';
import { capturing, type CapturedAnswer } from './answer-capture.ts';
import { settingLines } from './own-settings.ts';

/** An account that exists on every start, always with the same ids and key. */
export interface SandboxAccount {
  readonly plan: Plan;
  readonly accountId: string;
  readonly credential: string;
}

/** A sent response, and its differences from the contract. */
interface WrongAnswer {
  readonly door: DoorName;
  readonly answer: CapturedAnswer;
  readonly problems: readonly string[];
}

export interface Sandbox {
  readonly urls: RunningServer['urls'];
  /** The ports on which the doors listen. */
  readonly ports: RunningServer['ports'];
  readonly accounts: readonly SandboxAccount[];
  /** A key of the operator's door, the same on every start. */
  readonly operatorKey: string;
  /** The temporary folder, removed by `stop()` and at the end of the process. */
  readonly dataDir: string;
  /**
   * The differences from a server without settings, for people. README.md lists those without variables of the caller.
   */
  readonly differences: readonly string[];
  readonly wrongAnswers: readonly WrongAnswer[];
  /** Resolves when all responses so far are checked. */
  checked(): Promise<void>;
  stop(): Promise<void>;
}

/** The parts of the server that a sandbox may replace, and what that changes. */
export const overrideLabels = {
  answer: 'a test plans which requests fail',
  clock: 'a test sets the clock',
  sync: 'nothing is synced to the disk, so a power cut loses files',
} as const satisfies Partial<Record<keyof Overrides, string>>;

type OverriddenPart = keyof typeof overrideLabels;

export interface SandboxOptions {
  /** The server's variables. The sandbox sets the data folder itself. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Called with a report of each wrong response. Default: writes to stderr. */
  readonly report?: (text: string) => void;
  /** Replaces the check against the contract. */
  readonly check?: CheckAnswer;
  /** Replaces parts of the server. */
  readonly overrides?: Pick<Overrides, OverriddenPart>;
  /** Wraps the listener of a door, for example to return wrong responses. */
  readonly door?: (name: DoorName, real: RequestListener) => RequestListener;
}

/**
 * Starts the real server on a temporary folder, without rate limits and with one account for each plan. Every response
 * is checked against the contract. A wrong one is still sent, and reported.
 *
 * @throws {ConfigProblems}, or any error that prevents a start, after removing the folder
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { env = {}, report = (text) => void process.stderr.write(text), door: inner = (_name, real) => real } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'cubby-sandbox-'));
  const removeNow = () => rmSync(dataDir, { recursive: true, force: true });
  process.once('exit', removeNow);
  const remove = async () => {
    process.off('exit', removeNow);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const config = parseConfig({ CUBBY_LOG: 'warn', CUBBY_RATE_LIMITS: 'off', ...env, CUBBY_DATA_DIR: dataDir });
    const differences = [
      ...settingLines(config),
      ...Object.keys(options.overrides ?? {}).map((part) => overrideLabels[part as OverriddenPart]),
    ];
    const check = lateCheck(options.check);
    const wrongAnswers: WrongAnswer[] = [];
    const look = (door: DoorName, answer: CapturedAnswer) =>
      check.use((checkAnswer) => {
        const problems = problemsOf(checkAnswer, door, answer);
        if (problems.length === 0) return;
        wrongAnswers.push({ door, answer, problems });
        report(reportOf(wrongAnswers));
      });
    const door = (name: DoorName, real: RequestListener) =>
      capturing(inner(name, real), (answer) => look(name, answer));
    const server = await startServer(config, openLog(config.logLevel), { ...options.overrides, door });
    const stop = async () => {
      await server.stop();
      await check.done();
      await remove();
    };
    try {
      const accounts: SandboxAccount[] = [];
      for (const plan of plans) accounts.push(await addAccount(server, plan));
      const operatorKey = await addOperatorKey(server);
      const { urls, ports } = server;
      return { urls, ports, accounts, operatorKey, dataDir, differences, wrongAnswers, checked: check.done, stop };
    } catch (error) {
      await server.stop();
      throw error;
    }
  } catch (error) {
    await remove();
    throw error;
  }
}

interface LateCheck {
  /** Calls `work` with the check, once it is loaded. */
  use(work: (check: CheckAnswer) => void): void;
  /** Resolves when all responses so far are checked. */
  done(): Promise<void>;
}

/** Loads the check with the first response, because loading it would delay the start by a fifth. */
function lateCheck(given: CheckAnswer | undefined): LateCheck {
  let check = given;
  let loading: Promise<void> | undefined;
  const waiting: Array<(check: CheckAnswer) => void> = [];
  const load = async () => {
    const [{ answerChecker }, contract] = await Promise.all([
      import('./answer-check.ts'),
      readFile(join(import.meta.dirname, '../generated/openapi.json'), 'utf8'),
    ]);
    check = answerChecker(JSON.parse(contract));
    for (const work of waiting.splice(0)) work(check);
  };
  return {
    use(work) {
      if (check) return work(check);
      waiting.push(work);
      loading ??= load();
    },
    done: async () => loading,
  };
}

async function addAccount({ app }: RunningServer, plan: Plan): Promise<SandboxAccount> {
  const { accountId, credential } = await createAccount(
    { ...app.stores, ids: fixedIds(plan, plans.indexOf(plan)) },
    { name: `sandbox ${plan}`, plan },
  );
  return { plan, accountId, credential };
}

async function addOperatorKey({ app }: RunningServer): Promise<string> {
  const ids = fixedIds('operator', plans.length);
  const made = await createOperatorKey({ ...app.stores, ids }, { name: 'sandbox', by: serverActor });
  return made.credential;
}

/**
 * Returns the same ids and secrets each time, one set for each name. They are public, so only a sandbox may use them.
 */
function fixedIds(name: string, index: number): Ids {
  return {
    ...randomIds,
    accountId: () => String(100_000_000_000_000_001n + BigInt(index)),
    opaqueId: () => `sandbox${name}`.padEnd(26, 'a'),
    orderedId: () => `sandbox${name}`.padEnd(23, 'a'),
    nameHash: () => 'sandboxsandboxsa',
    secretText: (length) => `Sandbox${name}`.padEnd(length, '0'),
    lettersOf: (letters, length) =>
      Array.from(`SANDBOX${name.toUpperCase()}`.padEnd(length, 'A').slice(0, length), (letter) =>
        letters.includes(letter) ? letter : letters[0]!,
      ).join(''),
  };
}

function problemsOf(check: CheckAnswer, door: DoorName, { isBodyKept, ...answer }: CapturedAnswer): string[] {
  // The API door redirects browsers from its root to the documentation, which no contract describes.
  if (door === 'api' && answer.path === '/' && answer.status === 302) return [];
  try {
    // Checked as HEAD, so that status and headers must match those of GET.
    if (!isBodyKept) return answer.method === 'GET' ? check({ ...answer, method: 'HEAD', door }) : [];
    return check({ ...answer, door });
  } catch (error) {
    return [`The check itself failed: ${error instanceof Error ? error.stack : error}`];
  }
}

function reportOf(wrongAnswers: readonly WrongAnswer[]): string {
  const { door, answer, problems } = wrongAnswers.at(-1)!;
  const title =
    `WRONG ANSWER (${wrongAnswers.length} so far): ${answer.method} ${answer.path} at the ${door} door answered ` +
    `${answer.status}, against the contract:`;
  return `\n!!! ${title}\n${problems.map((problem) => `!!!   - ${problem}\n`).join('')}\n`;
}

function welcome({ urls, accounts, operatorKey, dataDir, differences }: Sandbox): string {
  const rows = [
    ['PLAN', 'ACCOUNT', 'KEY'],
    ...accounts.map(({ plan, accountId, credential }) => [plan, accountId, credential]),
  ];
  const table = rows.map(([plan, account, key]) => `  ${plan!.padEnd(10)}  ${account!.padEnd(18)}  ${key}`).join('\n');
  const { accountId, credential } = accounts.find(({ plan }) => plan === 'pro')!;
  return `The sandbox is running: the real server on ${dataDir}, which is removed when it stops.
Every answer is checked against the contract; a wrong one is reported on stderr.
It differs from a server without settings in this, and the limits of the AI gateway apply as there:

${differences.map((line) => `  ${line}`).join('\n')}

${table}

Try it:

  # upload a file (512 bytes to 100 MB)
  curl -F "file=@package.json" -H "Authorization: ${credential}" "${urls.base}/v1/objects?name=package"

  # list your files
  curl -H "Authorization: ${credential}" "${urls.base}/v1/objects"

  # ask the operator's door
  curl -H "Authorization: ${operatorKey}" "${urls.operator}/v2/operator/installation"

  # download it: public files need no key
  curl -OJ "${urls.public}/${accountId}/package.json"

  # ask the AI gateway; CUBBY_AI_UPSTREAM_URL puts a model behind it
  curl -H "Authorization: ${credential}" \\
    -d '{"messages":[{"role":"user","content":"What is an ETag?"}]}' "${urls.api}/v2/ai/chat/completions"

API ${urls.base}, links ${urls.files}, public files ${urls.public}.
Upload from a page: ${urls.api}/docs/upload-demo
Ctrl+C stops it.`;
}

/** Runs a sandbox on the ports of the server, until a signal. Prints its keys and first requests. */
export async function runSandbox(): Promise<void> {
  let sandbox: Sandbox | undefined;
  const stop = async () => {
    // Still starting: exits at once. The folder is removed with the process.
    if (!sandbox) process.exit(1);
    await sandbox.stop();
    const count = sandbox.wrongAnswers.length;
    if (count > 0)
      console.error(`${count} of the sandbox's answers differed from the contract; each is reported above.`);
    process.exit(count > 0 ? 1 : 0);
  };
  onStopSignal(stop, { signals: ['SIGINT', 'SIGTERM', 'SIGHUP'] });
  try {
    sandbox = await startSandbox({ env: process.env });
    console.log(welcome(sandbox));
  } catch (error) {
    console.error(`The sandbox cannot start: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
