import { describe, expect, it } from 'vitest';

// @ts-expect-error a plugin of Redocly is plain JavaScript
import { expandPayloads } from '#openapi/expand/payloads.mjs';

const from = (path: string) => ({ $ref: path });

describe('expandPayloads()', () => {
  it('puts a payload into the envelope, with its examples in their order', () => {
    const operation = {
      operationId: 'listThings',
      responses: { 200: { description: 'The things.', 'x-payload': 'Things', 'x-examples': ['some', 'none'] } },
    };
    expandPayloads(operation, from);
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
              response: { $ref: 'schemas/Things.yaml' },
            },
          },
          examples: {
            some: { $ref: 'examples/listThings.some.yaml' },
            none: { $ref: 'examples/listThings.none.yaml' },
          },
        },
      },
    });
  });

  it('leaves a success with content of its own unchanged', () => {
    const operation = { operationId: 'getThing', responses: { 200: { content: { 'text/plain': {} } }, 302: {} } };
    const before = structuredClone(operation);
    expandPayloads(operation, from);
    expect(operation).toEqual(before);
  });
});
