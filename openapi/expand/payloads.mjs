import { schemaFile } from './schema-file.mjs';

/**
 * Writes out the successes of an operation that answers in the envelope: `x-payload` names the schema of `response`,
 * `x-examples` the cases of `examples/<feature>/<operationId>.<case>.yaml`.
 *
 * @param feature the name of the folder that the operation lies in
 * @param from refers to a file of the contract
 */
export function expandPayloads({ operationId, responses }, feature, from) {
  for (const response of Object.values(responses)) {
    const { 'x-payload': payload, 'x-examples': cases } = response;
    if (!payload) continue;
    const { content: others } = response;
    response.content = {
      'application/json': {
        schema: {
          // Generators name the type after it.
          title: `${operationId[0].toUpperCase()}${operationId.slice(1)}Success`,
          type: 'object',
          required: ['status', 'response'],
          properties: {
            status: { description: 'Says that it is done.', const: 'success' },
            response: from(schemaFile(payload)),
          },
        },
        examples: Object.fromEntries(cases.map((one) => [one, from(`examples/${feature}/${operationId}.${one}.yaml`)])),
      },
      // Other forms of the same, such as a stream.
      ...others,
    };
    delete response['x-payload'];
    delete response['x-examples'];
  }
}
