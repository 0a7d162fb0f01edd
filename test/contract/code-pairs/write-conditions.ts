import { codesOfOperation, type ErrorCode } from '#generated/errors.ts';
import { conditionalWrites } from '#test/support/conditional-writes.ts';
import type { Provocation } from './provocation.ts';

/** Provokes INVALID_CONDITION and CONDITION_NOT_MET for an operation that declares them. */
export function writeConditions(operationId: string): Partial<Record<ErrorCode, Provocation>> {
  const declared: readonly string[] = codesOfOperation[operationId as keyof typeof codesOfOperation] ?? [];
  const all: Partial<Record<ErrorCode, Provocation>> = {
    async INVALID_CONDITION({ server }) {
      const { kept, refused } = conditionalWrites(server);
      const account = await server.account();
      const headers = { 'If-Match': 'no quotes' };
      return refused[operationId]?.(account, headers) ?? (await rowOf(kept, operationId)(account)).write(headers);
    },
    async CONDITION_NOT_MET({ server }) {
      const { kept, late } = conditionalWrites(server);
      const account = await server.account();
      if (operationId === 'putUploadBytes' || operationId === 'getUpload') return late[operationId](account);
      return (await rowOf(kept, operationId)(account)).write({ 'If-None-Match': '*' });
    },
  };
  return Object.fromEntries(Object.entries(all).filter(([code]) => declared.includes(code)));
}

function rowOf<Row>(rows: Readonly<Record<string, Row>>, operationId: string): Row {
  return Object.entries(rows).find(([name]) => name.split(/[ ,]/)[0] === operationId)![1];
}
