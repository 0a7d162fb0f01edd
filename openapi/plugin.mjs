import { expandResponses } from './expand/expand-responses.mjs';
import { rules } from './lint/rules.mjs';

/** What this contract adds to Redocly: its own lint rules, and the responses that are written out before anything reads it. */
export default function cubby() {
  return { id: 'cubby', preprocessors: { oas3: { 'expand-responses': expandResponses } }, rules: { oas3: rules } };
}
