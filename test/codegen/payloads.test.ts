import { describe, expect, it } from 'vitest';

// @ts-expect-error a plugin of Redocly is plain JavaScript
import { expandPayloads } from '#openapi/expand/payloads.mjs';

const from = (path: string) => ({ $ref: path });

describe('expandPayloads()', () => {
  it('puts a payload into the envelope, with its examples in their order', () => {
    const operation = {
      operationId: 'listThings',
      responses: { 200: { description: 'The things.', 'x-payload': 'Shares', 'x-examples': ['some', 'none'] } },
    };
    expandPayloads(operation, 'things', from);
    expect(operation.responses[200]).toEqual({
      description: 'The things.',
      content: {
        'application/json': {
          schema: {
            title: 'ListThingsSuccess',
            type: 'object',
            required: ['status', 'response'],
            properties: {
              status: { description: 'Says that it is done.', const: 'success' },
              response: { $ref: 'schemas/shares/Shares.yaml' },
            },
          },
          examples: {
            some: { $ref: 'examples/things/listThings.some.yaml' },
            none: { $ref: 'examples/things/listThings.none.yaml' },
          },
        },
      },
    });
  });

  it('throws for a payload that no file describes', () => {
    const operation = { operationId: 'listThings', responses: { 200: { 'x-payload': 'Things', 'x-examples': [] } } };
    expect(() => expandPayloads(operation, 'things', from)).toThrow('There is no schema Things');
  });

  it('leaves a success with content of its own unchanged', () => {
    const operation = { operationId: 'getThing', responses: { 200: { content: { 'text/plain': {} } }, 302: {} } };
    const before = structuredClone(operation);
    expandPayloads(operation, 'things', from);
    expect(operation).toEqual(before);
  });
});
