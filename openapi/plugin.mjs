import { expandResponses } from './expand/expand-responses.mjs';
import { expandServers } from './expand/expand-servers.mjs';
import { rules } from './lint/rules.mjs';

/** What this contract adds to Redocly: its own lint rules, and the responses and servers that are written out before anything reads it. */
export default function cubby() {
  return {
    id: 'cubby',
    preprocessors: { oas3: { 'expand-responses': expandResponses, 'expand-servers': expandServers } },
    rules: { oas3: rules },
  };
}
