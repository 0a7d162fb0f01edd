import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { answerChecker } from '#mocks/answer-check.ts';

/** The bundled contract. */
export const contract = JSON.parse(readFileSync(join(import.meta.dirname, '../../generated/openapi.json'), 'utf8'));

/** Finds every difference between a response and the contract. */
export const checkAnswer = answerChecker(contract);
