import { writeFileSync } from 'node:fs';
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

const describe = describeWith('@anthropic-ai/claude-code');

/** The programs take seconds to start, and longer on a busy machine. */
const timeout = 180_000;

/** Starts Claude Code with the settings of the guide. */
function claude(agent: AgentSetup, prompt: string, ...args: readonly string[]) {
  const env = exportsOf(guideBlock('claude-code.sh', { url: agent.url, key: agent.credential }));
  const options = ['--output-format', 'json', '--permission-mode', 'bypassPermissions', ...args];
  return startAgent(agent, [...agentPrograms.claude, '-p', prompt, ...options], { IS_SANDBOX: '1', ...env });
}

async function ask(agent: AgentSetup, prompt: string, ...args: readonly string[]) {
  const run = await claude(agent, prompt, ...args).ended;
  expect(run.stdout, run.stderr).not.toBe('');
  return JSON.parse(run.stdout) as { readonly result: string; readonly is_error: boolean; readonly session_id: string };
}

describe('Claude Code, with the settings of docs/agents.md', () => {
  it('answers a prompt', { timeout }, async () => {
    const agent = await startForAgent();
    script(agent.upstream, [], 'It is a mark of a version.');
    expect(await ask(agent, 'What is an ETag?')).toMatchObject({
      result: 'It is a mark of a version.',
      is_error: false,
    });
    expect(new Set(agent.statuses())).toEqual(new Set([200]));
  });

  it('runs a command, writes and edits a file, and uses a tool of an MCP server', { timeout }, async () => {
    const agent = await startForAgent();
    const path = join(agent.work, 'notes.txt');
    const calls = [
      ['Bash', { command: 'echo made by a shell > made.txt', description: 'Make a file' }],
      ['Write', { file_path: path, content: 'one\ntwo\n' }],
      ['Edit', { file_path: path, old_string: 'two', new_string: 'three' }],
      ['mcp__adding__add', { a: 19, b: 23 }],
    ] as const;
    script(agent.upstream, calls, 'All is done.');
    const config = join(agent.home, 'mcp.json');
    const adding = { command: process.execPath, args: [writeMcpServer(agent.home)] };
    writeFileSync(config, JSON.stringify({ mcpServers: { adding } }));
    const { result } = await ask(agent, 'Do it all.', '--mcp-config', config, '--strict-mcp-config');
    expect(result).toBe('All is done.');
    expect([agent.file('made.txt'), agent.file('notes.txt')]).toEqual(['made by a shell\n', 'one\nthree\n']);
    expect(JSON.stringify(agent.upstream.requests.at(-1)!.body)).toContain('The sum is 42.');
    expect(hasThoughtsBack(agent.upstream, calls.length)).toBe(true);
    expect(new Set(agent.statuses())).toEqual(new Set([200]));
  });

  it('resumes a session, with its history', { timeout }, async () => {
    const agent = await startForAgent();
    script(agent.upstream, [], 'I keep that in mind.');
    const { session_id: session } = await ask(agent, 'The word is heliotrope.');
    script(agent.upstream, [], 'It was heliotrope.');
    expect((await ask(agent, 'What was the word?', '--resume', session)).result).toBe('It was heliotrope.');
    expect(JSON.stringify(agent.upstream.requests.at(-1)!.body)).toContain('The word is heliotrope.');
    expect(new Set(agent.statuses())).toEqual(new Set([200]));
  });

  it('compacts a session, and goes on with the summary', { timeout }, async () => {
    const agent = await startForAgent();
    script(agent.upstream, [], 'I keep that in mind.');
    const { session_id: session } = await ask(agent, 'The word is heliotrope.');
    const summary = 'The user has told a word, which names a color.';
    script(agent.upstream, [], summary);
    await claude(agent, '/compact', '--resume', session).ended;
    expect(JSON.stringify(agent.upstream.requests.at(-1)!.body)).toMatch(/heliotrope.*summary/is);
    script(agent.upstream, [], 'It named a color.');
    expect((await ask(agent, 'What was the word?', '--resume', session)).result).toBe('It named a color.');
    const last = JSON.stringify(agent.upstream.requests.at(-1)!.body);
    expect(last).toContain(summary);
    expect(last).not.toContain('The word is heliotrope.');
    expect(new Set(agent.statuses())).toEqual(new Set([200]));
  });

  it('can be interrupted, which stops the model', { timeout }, async () => {
    const agent = await startForAgent();
    await interruptWriting(agent, () => claude(agent, 'Write much.'));
  });

  it('says in plain words which limit a long conversation exceeds', { timeout }, async () => {
    const agent = await startForAgent(false);
    script(agent.upstream, [], 'It does not come to this.');
    writeFileSync(join(agent.work, 'CLAUDE.md'), 'word '.repeat(40_000));
    const { result, is_error: isError } = await ask(agent, 'What is an ETag?');
    expect(isError).toBe(true);
    expect(result).toMatch(/prompt is too long|context window/i);
  });
});
