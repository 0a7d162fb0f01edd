import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { policies, type OperationId } from '#generated/policies.ts';
import { contract } from '#test/support/contract.ts';
import { conditionalWrites, type ConditionalWrites } from '#test/support/conditional-writes.ts';
import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import { startTestServer, type TestAnswer, type TestServer } from '#test/support/server.ts';
import type { Conditions } from './cases.ts';

/** What each operation that could write a file does with conditions. */
const decided: Conditions = {
  uploadObject: 'kept',
  deleteObjects: 'kept',
  updateObjects: 'kept',
  copyObject: 'kept',
  restoreTrash: 'kept',
  startUpload: 'kept',
  completeChunkedUpload: 'kept',
  startChunkedUpload: 'refused',
  putChunkedPart: 'refused',
  putUploadBytes: 'refused',
  startFolderJob: 'refused',
  deleteTrash: 'refused',
  abortChunkedUpload: 'no file',
  deleteUpload: 'no file',
  abortFolderJob: 'no file',
  createUploadToken: 'no file',
  createShare: 'no file',
  updateShare: 'no file',
  deleteShare: 'no file',
  submitSharePassword: 'no file',
  ...Object.assign({}, ...(await partsOfFeatures('cases')).map((own) => own.conditions)),
};

/** Tags whose operations reach no file. A new tag has to be put here, or its operations into the table. */
const tagsWithoutFiles =
  'account apps chat deploys devices edge-errors operations operator s3 sessions settings webhooks'.split(' ');

const writing = Object.entries(policies)
  .filter(([, { method, tag }]) => method !== 'get' && !tagsWithoutFiles.includes(tag))
  .map(([id]) => id as OperationId);

/** The names of the header parameters of an operation, by whether the contract refuses them. */
function declaredHeaders(id: OperationId, isRefused: boolean): string[] {
  const { path, method } = policies[id];
  const parameters = (contract.paths[path][method].parameters ?? []).map((one: any) =>
    one.$ref ? contract.components.parameters[one.$ref.split('/').at(-1)] : one,
  );
  return parameters
    .filter((one: any) => one.in === 'header' && /^If-(None-)?Match$/.test(one.name))
    .filter((one: any) => (one['x-refused'] === true) === isRefused)
    .map((one: any) => one.name);
}

let server: TestServer;
let writes: ConditionalWrites;
beforeAll(async () => {
  server = await startTestServer();
  writes = conditionalWrites(server);
});
afterAll(() => server.stop());

type Headers = Readonly<Record<string, string>>;

/** The last one holds, and changes the file. */
const conditions: ReadonlyArray<readonly [text: string, holds: boolean, headers: (etag: string) => Headers]> = [
  ['If-Match with another ETag', false, () => ({ 'If-Match': '"00000000000000000000000000000000"' })],
  ['If-None-Match: *', false, () => ({ 'If-None-Match': '*' })],
  ['If-None-Match with its ETag', false, (etag) => ({ 'If-None-Match': `W/"${etag}"` })],
  ['If-Match with its ETag', true, (etag) => ({ 'If-Match': `"${etag}"` })],
];

const outcome = (answer: TestAnswer) =>
  answer.status < 300 ? 'done' : `${answer.status} ${JSON.parse(answer.body.toString() || '{}').code}`;

describe('conditions of requests that write files', () => {
  it('are decided for every operation of the contract that could write one', () => {
    expect(Object.keys(decided).sort()).toEqual(writing.sort());
    const both = ['If-Match', 'If-None-Match'];
    for (const [id, decision] of Object.entries(decided) as Array<[OperationId, string]>) {
      expect(declaredHeaders(id, false), id).toEqual(decision === 'kept' ? both : []);
      expect(declaredHeaders(id, true), id).toEqual(decision === 'refused' ? both : []);
    }
  });

  it('have a row for every such operation', () => {
    const rows = (table: object) => new Set(Object.keys(table).map((row) => row.split(/[ ,]/)[0]));
    for (const [id, decision] of Object.entries(decided)) {
      if (decision === 'kept') expect(rows(writes.kept), id).toContain(id);
      if (decision === 'refused') expect(rows(writes.refused), id).toContain(id);
    }
  });

  describe.each(Object.keys(conditionalWrites(undefined as never).kept))('at %s', (row) => {
    it('keep the file unless they hold', async () => {
      const account = await server.account();
      const { id, etag, write } = await writes.kept[row]!(account);
      for (const [text, holds, headers] of conditions) {
        expect(outcome(await write(headers(etag))), text).toBe(holds ? 'done' : '412 CONDITION_NOT_MET');
        expect((await writes.etagNow(account, id)) === etag, `${text}: the file is still there`).toBe(!holds);
      }
    });

    it('let one of two parallel writes win', async () => {
      const account = await server.account();
      const { etag, write } = await writes.kept[row]!(account);
      const headers = { 'If-Match': `"${etag}"` };
      const outcomes = (await Promise.all([write(headers), writes.put(account, queryOf(row), headers)])).map(outcome);
      expect(
        outcomes.filter((one) => one === 'done'),
        outcomes.join(),
      ).toHaveLength(1);
    });
  });

  it.each(['putUploadBytes', 'getUpload'] as const)('of a start hold when %s ends the upload', async (row) => {
    expect(outcome(await writes.late[row](await server.account()))).toBe('412 CONDITION_NOT_MET');
  });

  it.each(Object.keys(conditionalWrites(undefined as never).refused))('are refused by %s', async (row) => {
    const send = writes.refused[row]!;
    for (const headers of [{ 'If-Match': '"a"' }, { 'If-None-Match': '*' }]) {
      const answer = await send(await server.account(), headers);
      expect(outcome(answer)).toBe('400 INVALID_CONDITION');
    }
    expect((await send(await server.account(), {})).status, 'without a condition').toBeLessThan(400);
  });
});

/** The folder of the file that a row is about. */
function queryOf(row: string): Headers {
  return row === 'restoreTrash' ? { prefix: 'kept' } : {};
}
