import { expandCodes } from './expand/expand-codes.mjs';
import { expandResponses } from './expand/expand-responses.mjs';
import { expandServers } from './expand/expand-servers.mjs';
import { rules } from './lint/rules.mjs';

/**
 * What this contract adds to Redocly: its own lint rules, and the responses, servers and meanings of codes that are
 * written out before anything reads it.
 */
export default function cubby() {
  return {
    id: 'cubby',
    preprocessors: { oas3: { 'expand-responses': expandResponses, 'expand-servers': expandServers } },
    // The vocabularies are reached through the responses that were written out, so their turn comes later.
    decorators: { oas3: { 'expand-codes': expandCodes } },
    rules: { oas3: rules },
  };
}
