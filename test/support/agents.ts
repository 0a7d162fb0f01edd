import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import type { UpstreamMessage } from '#mocks/chat-upstream-answers.ts';
import type { ChatUpstream } from '#mocks/chat-upstream.ts';
import { changeAccount } from '#server/domain/account/change-account.ts';
import { blocksOf } from '#test/docs/guide-code.ts';
import { startChatServer, until, type ChatSetup } from './chat.ts';
import { placeOf } from './packages.ts';
import type { TestServerOptions } from './server.ts';

/** Returns a block of code of the guide, with the address and the key of a server. */
export function guideBlock(name: string, { url, key }: { readonly url: string; readonly key: string }): string {
  const found = blocksOf('agents.md').find(({ file }) => file === name);
  if (!found) throw new Error(`docs/agents.md has no block ${name}.`);
  return found.code.replaceAll('https://api.example.com/v2/ai', url).replaceAll('YOUR_KEY', key);
}

/** Returns the variables that a block of the guide exports. */
export function exportsOf(block: string): Record<string, string> {
  return Object.fromEntries([...block.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}

/** What a program printed, and how it ended. */
export interface AgentRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program in a folder of its own, with a server and a model that the test controls. */
export interface AgentSetup extends ChatSetup {
  readonly credential: string;
  readonly accountId: string;
  /** Where the server takes requests. */
  readonly url: string;
  readonly home: string;
  /** The folder that the agent works in. */
  readonly work: string;
  /** Returns the text of a file in it; undefined without one. */
  file(name: string): string | undefined;
  /** Returns the statuses of all requests to the gateway so far. */
  statuses(): unknown[];
}

/** Starts a server with an account on Enterprise, and makes folders. `isRoomy` gives it the limits of the guide. */
export async function startForAgent(isRoomy = true, options: TestServerOptions = {}): Promise<AgentSetup> {
  const setup = await startChatServer(options);
  const { credential, id } = await setup.server.account('enterprise');
  if (isRoomy)
    await changeAccount(setup.server.running.app.stores, {
      accountId: id,
      aiLimits: { contextTokens: 200_000, outputTokens: 32_000, concurrent: 8 },
    });
  const home = await mkdtemp(join(tmpdir(), 'cubby-agent-'));
  // A program that was killed may still write.
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  const work = join(home, 'work');
  mkdirSync(work);
  return {
    ...setup,
    credential,
    accountId: id,
    url: `${setup.server.running.urls.api}/v2/ai`,
    home,
    work,
    file: (name) => (existsSync(join(work, name)) ? readFileSync(join(work, name), 'utf8') : undefined),
    statuses: () => setup.server.log.filter(({ message }) => message === 'request').map(({ status }) => status),
  };
}

/** A program that runs. */
interface StartedAgent {
  readonly ended: Promise<AgentRun>;
  /** Does what Ctrl-C does: the program and all that it has started are interrupted. */
  interrupt(): void;
}

/** Starts a program in the folder of an agent. It sees no other variables, and no home but its own. */
export function startAgent(
  { home, work }: Pick<AgentSetup, 'home' | 'work'>,
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): StartedAgent {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: work,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, SHELL: '/bin/bash', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  onTestFinished(() => signal(child, 'SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<AgentRun>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { ended, interrupt: () => signal(child, 'SIGINT') };
}

/** Interrupts an agent while its model writes, and waits until the model has stopped. */
export async function interruptWriting(agent: AgentSetup, start: () => StartedAgent): Promise<void> {
  agent.upstream.answer({ text: 'word '.repeat(2000), pauseMs: 50 });
  const { interrupt, ended } = start();
  await until(() => agent.upstream.requests.length > 0);
  interrupt();
  await ended;
  await until(() => agent.upstream.requests.every(({ isAbandoned }) => isAbandoned));
}

/** Sends a signal to a program and to all that it has started, if any of it still runs. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    process.kill(-pid!, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Lets a model do one call after the other, each after a thought, and then say a text. */
export function script(
  upstream: ChatUpstream,
  calls: ReadonlyArray<readonly [name: string, args: object]>,
  text: string,
): void {
  const steps = calls.map(([name, args], at): UpstreamMessage => {
    const call = { id: `call_${at + 1}`, name, arguments: JSON.stringify(args) };
    return { text: `Step ${at + 1}.`, reasoning: thoughtOf(at), toolCalls: [call] };
  });
  const [first, ...others] = [...steps, { text }];
  upstream.answer(first, ...others);
}

const thoughtOf = (at: number) => `I think of step ${at + 1}.`;

/** Returns whether the model has got the thoughts of this many steps back with the last request, in their order. */
export function hasThoughtsBack({ requests }: ChatUpstream, steps: number): boolean {
  const { messages } = requests.at(-1)!.body as { readonly messages: ReadonlyArray<{ reasoning_content?: string }> };
  const thoughts = messages.flatMap(({ reasoning_content: thought }) => thought ?? []);
  return thoughts.join() === Array.from({ length: steps }, (_, at) => thoughtOf(at)).join();
}

/** Writes an MCP server with one tool, `add`, over standard input and output. Returns its path. */
export function writeMcpServer(folder: string): string {
  const path = join(folder, 'adding-server.mjs');
  writeFileSync(path, mcpServer);
  return path;
}

const mcpServer = `import { createInterface } from 'node:readline';
const schema = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] };
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'adding', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [{ name: 'add', description: 'Adds two numbers.', inputSchema: schema }] }),
  'tools/call': ({ arguments: { a, b } }) => ({ content: [{ type: 'text', text: 'The sum is ' + (a + b) + '.' }] }),
  ping: () => ({}),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = results[method]
    ? { result: results[method](params) }
    : { error: { code: -32601, message: 'Not known here.' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
}
`;

/** The programs, as their packages start them without an install script. */
export const agentPrograms = {
  claude: [process.execPath, join(placeOf('@anthropic-ai/claude-code'), 'cli-wrapper.cjs')],
  codex: [process.execPath, join(placeOf('@openai/codex'), 'bin/codex.js')],
} as const;
