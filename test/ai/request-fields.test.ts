import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { startChatServer } from '#test/support/chat.ts';
import { protocols, type RequestField } from './request-fields.ts';

const root = join(import.meta.dirname, '../..');
const contract = JSON.parse(readFileSync(join(root, 'generated/openapi.json'), 'utf8'));

/** Sends the least request of a protocol with one field more, and returns what came of it. */
async function tried(path: string, least: object, field?: RequestField) {
  const { server, upstream } = await startChatServer({ env: { CUBBY_AI: 'open' } });
  const { credential } = await server.account('enterprise');
  const body = { ...least, ...field?.beside, ...(field && { [field.name]: field.value }) };
  const answer = await server.send(`/v2/ai/${path}`, { method: 'POST', credential, body: JSON.stringify(body) });
  return { answer, sent: upstream.requests[0]?.body };
}

describe.each(protocols)('a request to $path', ({ path, schema, least, fields }) => {
  it('has every field of the contract in the table', () => {
    const known = Object.keys(contract.components.schemas[schema].properties);
    expect(known.filter((name) => !fields.some((field) => field.name === name))).toEqual([]);
  });

  it.each(fields.map((field) => [field.name, field.fate, field] as const))('has %s, which is %s', async (...row) => {
    const [name, fate, field] = row;
    const { answer, sent } = await tried(path, least, field);
    expect(answer.status, answer.body.toString()).toBe(fate === 'rejected' ? 400 : 200);
    if (fate === 'rejected') return expect(sent).toBeUndefined();
    if (fate === 'to the model') return expect(sent).toMatchObject(field.upstream ?? { [name]: field.value });
    // The model's server learns nothing of it.
    const { sent: without } = await tried(path, { ...least, ...field.beside });
    if (name !== 'stream') expect(sent).toEqual(without);
    if (fate === 'repeated') expect(answer.json()[name]).toEqual(field.value);
    if (name === 'model') expect(answer.json().model).toBe(field.value);
    if (name === 'stream') expect(answer.headers.get('content-type')).toContain('text/event-stream');
    if (name === 'stream_options' && fate === 'used') expect(answer.body.toString()).toContain('"usage":{');
  });
});

it('the table of docs/ai/fields.md tells of every field', () => {
  const names = [...new Set(protocols.flatMap(({ fields }) => fields.map(({ name }) => name)))].toSorted();
  const cell = (name: string, fields: readonly RequestField[]) => {
    const field = fields.find((one) => one.name === name);
    if (!field) return '';
    return field.which === undefined ? field.fate : `${field.which}: ${field.fate}`;
  };
  const rows = names.map(
    (name) => `| \`${name}\` | ${protocols.map(({ fields }) => cell(name, fields)).join(' | ')} |`,
  );
  const [, , ...told] =
    /^\| field \| chats \| Open Responses \| Messages \|\n(?:\|.*\n)+/m
      .exec(readFileSync(join(root, 'docs/ai/fields.md'), 'utf8'))?.[0]
      .trim()
      .split('\n') ?? [];
  expect(told.map((row) => row.replaceAll(/ +/g, ' '))).toEqual(rows.map((row) => row.replaceAll(/ +/g, ' ')));
});
