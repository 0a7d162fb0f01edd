import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import {
  agentPrograms,
  exportsOf,
  guideBlock,
  hasThoughtsBack,
  interruptWriting,
  script,
  startAgent,
  startForAgent,
  writeMcpServer,
  type AgentSetup,
} from '#test/support/agents.ts';
import { describeWith } from '#test/support/describe-with.ts';

const describe = describeWith('@openai/codex');

/** The programs take seconds to start, and longer on a busy machine. */
const timeout = 180_000;

/** Starts Codex with the settings of the guide. Its own sandbox needs rights that test machines lack. */
function codex(agent: AgentSetup, ...args: readonly string[]) {
  const place = { url: agent.url, key: agent.credential };
  mkdirSync(join(agent.home, '.codex'), { recursive: true });
  writeFileSync(join(agent.home, '.codex/config.toml'), guideBlock('config.toml', place));
  const options = ['--skip-git-repo-check', '--json', '--dangerously-bypass-approvals-and-sandbox'];
  const env = exportsOf(guideBlock('codex.sh', place));
  return startAgent(agent, [...agentPrograms.codex, 'exec', ...options, ...args], env);
}

async function ask(agent: AgentSetup, ...args: readonly string[]) {
  const run = await codex(agent, ...args).ended;
  const events = run.stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as any] : []));
  const said = events.flatMap(({ item }) => (item?.type === 'agent_message' ? [item.text as string] : []));
  return { ...run, events, said: said.at(-1) };
}

describe('Codex, with the settings of docs/agents.md', () => {
  it('answers a prompt', { timeout }, async () => {
    const agent = await startForAgent();
    script(agent.upstream, [], 'It is a mark of a version.');
    const { said, code, stderr } = await ask(agent, 'What is an ETag?');
    expect([said, code], stderr).toEqual(['It is a mark of a version.', 0]);
    expect(new Set(agent.statuses())).toEqual(new Set([200]));
  });

  it('runs commands, one of which edits a file', { timeout }, async () => {
    const agent = await startForAgent();
    const calls = [
      ['exec_command', { cmd: 'printf "one\\ntwo\\n" > notes.txt' }],
      ['exec_command', { cmd: 'sed -i s/two/three/ notes.txt && cat notes.txt' }],
    ] as const;
    script(agent.upstream, calls, 'All is done.');
    const { said, stderr } = await ask(agent, 'Do it all.');
    expect(said, stderr).toBe('All is done.');
    expect(agent.file('notes.txt')).toBe('one\nthree\n');
    expect(hasThoughtsBack(agent.upstream, calls.length)).toBe(true);
    expect(new Set(agent.statuses())).toEqual(new Set([200]));
  });

  it('uses a tool of an MCP server', { timeout }, async () => {
    const agent = await startForAgent();
    const calls = [['mcp__adding__add', { a: 19, b: 23 }]] as const;
    script(agent.upstream, calls, 'It is 42.');
    const server = [
      `command=${JSON.stringify(process.execPath)}`,
      `args=${JSON.stringify([writeMcpServer(agent.home)])}`,
    ];
    const settings = server.flatMap((setting) => ['-c', `mcp_servers.adding.${setting}`]);
    const { said, stderr } = await ask(agent, ...settings, 'Add them.');
    expect(said, stderr).toBe('It is 42.');
    expect(JSON.stringify(agent.upstream.requests.at(-1)!.body)).toContain('The sum is 42.');
    expect(hasThoughtsBack(agent.upstream, calls.length)).toBe(true);
    expect(new Set(agent.statuses())).toEqual(new Set([200]));
  });

  it('compacts a long conversation, and goes on with the summary', { timeout }, async () => {
    const agent = await startForAgent();
    const usage = { prompt_tokens: 9000, completion_tokens: 10 };
    const call = { id: 'call_1', name: 'exec_command', arguments: JSON.stringify({ cmd: 'echo one' }) };
    agent.upstream.answer(({ body }) => {
      const messages = body.messages as ReadonlyArray<{ readonly role: string; readonly content: string }>;
      if (messages.some(({ content }) => content?.includes('heliotrope'))) return { text: 'All is done.' };
      if (/summar/i.test(messages.at(-1)!.content)) return { text: 'The word is heliotrope.' };
      return { toolCalls: [call], usage };
    });
    const { said, stderr } = await ask(agent, '-c', 'model_auto_compact_token_limit=8000', 'Do it.');
    expect(said, stderr).toBe('All is done.');
    const [, asksForSummary, goesOn] = agent.upstream.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(asksForSummary).toMatch(/summar/i);
    expect(goesOn).toContain('The word is heliotrope.');
    expect(goesOn).not.toContain('call_1');
    expect(new Set(agent.statuses())).toEqual(new Set([200]));
  });

  it('resumes a session, with its history', { timeout }, async () => {
    const agent = await startForAgent();
    script(agent.upstream, [], 'I keep that in mind.');
    await ask(agent, 'The word is heliotrope.');
    script(agent.upstream, [], 'It was heliotrope.');
    expect((await ask(agent, 'resume', '--last', 'What was the word?')).said).toBe('It was heliotrope.');
    expect(JSON.stringify(agent.upstream.requests.at(-1)!.body)).toContain('The word is heliotrope.');
    expect(new Set(agent.statuses())).toEqual(new Set([200]));
  });

  it('can be interrupted, which stops the model', { timeout }, async () => {
    const agent = await startForAgent();
    await interruptWriting(agent, () => codex(agent, 'Write much.'));
  });

  it('says in plain words which limit a long conversation exceeds', { timeout }, async () => {
    const agent = await startForAgent(false);
    script(agent.upstream, [], 'It does not come to this.');
    const { events, code } = await ask(agent, 'x '.repeat(40_000));
    expect(code).not.toBe(0);
    expect(JSON.stringify(events)).toMatch(/context window/i);
  });
});
