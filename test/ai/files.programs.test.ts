import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { expect, it } from 'vitest';

import { blocksOf } from '#test/docs/guide-code.ts';
import { startChatServer } from '#test/support/chat.ts';
import { describeWith } from '#test/support/describe-with.ts';
import { upload } from '#test/support/files.ts';

const describe = describeWith('@anthropic-ai/sdk', 'openai');

const idOfDocs = 'prv/204815162342108999/reports/april.md';
const report = 'It was warm in April. '.repeat(30);

async function setUp() {
  const { server, upstream } = await startChatServer();
  upstream.answer({ text: 'It was warm.' });
  const account = await server.account('enterprise');
  const uploaded = await upload(server, account, {
    ...{ bytes: Buffer.from(report), filename: 'april.md' },
    query: { name: 'april', prefix: 'reports', private: 'true' },
  });
  const at = { apiKey: account.credential, baseURL: `${server.running.urls.api}/v2/ai`, maxRetries: 0 };
  return { upstream, id: uploaded.json().response.id as string, openai: new OpenAI(at), anthropic: new Anthropic(at) };
}

/** Runs a block of the documentation, with the clients that it made before. */
async function run(
  code: string,
  clients: { readonly client: OpenAI; readonly anthropic: Anthropic },
): Promise<unknown> {
  const body = `return (async () => (${code.replace(/^await /, '').replace(/;\s*$/, '')}))();`;
  return new Function('client', 'anthropic', body)(clients.client, clients.anthropic) as Promise<unknown>;
}

describe('the examples of "Files as context" in docs/ai/files.md', () => {
  const blocks = blocksOf('ai/files.md').filter(({ code }) => code.includes(idOfDocs));

  it('are one for each protocol', () => {
    expect(blocks).toHaveLength(3);
  });

  it.each(blocks.map(({ code }) => code))('give the model the text of the file: %s', async (code) => {
    const { upstream, id, openai, anthropic } = await setUp();
    expect(JSON.stringify(await run(code.replaceAll(idOfDocs, id), { client: openai, anthropic }))).toContain('warm.');
    const [{ content }] = upstream.requests[0]!.body.messages as [{ content: string }];
    expect(content).toMatch(/^Sum up this report\.\n<document>\n<source>april\.md<\/source>\n/);
    expect(content).toContain(`<document_content>\n${report}\n</document_content>`);
  });
});

describe('clients know the errors of files', () => {
  it('openai and @anthropic-ai/sdk throw those of missing files', async () => {
    const { openai, anthropic } = await setUp();
    const file = [{ type: 'input_file' as const, file_id: 'file-abc123' }];
    const response = openai.responses.create({ model: 'cubic', input: [{ role: 'user', content: file }] });
    await expect(response).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(response).rejects.toMatchObject({ status: 404, code: 'file_not_found' });
    const document = { type: 'document' as const, source: { type: 'file' as const, file_id: 'file_011CNha8iCJcU1' } };
    const messages = [{ role: 'user' as const, content: [document] }];
    const message = anthropic.messages.create({ model: 'cubic', max_tokens: 10, messages });
    await expect(message).rejects.toBeInstanceOf(Anthropic.NotFoundError);
    await expect(anthropic.messages.countTokens({ model: 'cubic', messages })).rejects.toMatchObject({
      status: 404,
      type: 'not_found_error',
      error: { error: { code: 'file_not_found' } },
    });
  });
});
