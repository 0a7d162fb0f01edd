import { expect, it } from 'vitest';

import { resolve } from '#openapi/codegen/document.ts';
import { messagesError } from '#server/features/chat/handlers/ai-error.ts';
import { contract } from '#test/support/contract.ts';

it('messagesError() has the types that the examples of the contract show', () => {
  const { responses } = (contract as any).paths['/v2/ai/messages'].post;
  const refused = Object.entries<any>(responses).filter(([status]) => Number(status) >= 400);
  expect(refused.length).toBeGreaterThan(5);
  for (const [status, response] of refused) {
    const { content } = resolve(contract, response);
    for (const example of Object.values<any>(content['application/json'].examples)) {
      const { value } = resolve(contract, example);
      const { message, code } = value.error;
      expect(messagesError({ status: Number(status), message, code })).toEqual(value);
    }
  }
});
