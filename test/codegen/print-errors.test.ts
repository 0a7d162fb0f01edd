import { describe, expect, it } from 'vitest';

import { printErrors } from '#openapi/codegen/print-errors.ts';
import { contractWith, operation, refusals } from './small-contract.ts';

/** Evaluates the two printed tables as TypeScript would. */
function tables(text: string): {
  errors: Record<string, Record<string, { status: number; message: string }>>;
  codesOfOperation: Record<string, string[]>;
} {
  const [, errors, codesOfOperation] = /errors = ({.*?\n?}) as const;[^]*codesOfOperation = ({.*?\n?}) as const/s.exec(
    text,
  )!;
  return new Function(`return { errors: ${errors}, codesOfOperation: ${codesOfOperation} };`)();
}

describe('printErrors()', () => {
  it('prints each code with its status and words, and the codes of each operation', () => {
    const text = printErrors(
      contractWith({
        '/a': {
          get: operation('getA', {
            responses: { 400: refusals(['INVALID_A', 'INVALID_B']), 200: {}, 404: refusals(['A_NOT_FOUND']) },
          }),
        },
        '/b': { get: operation('getB', { responses: { 400: refusals(['INVALID_B']) } }) },
      }),
    );
    const { errors, codesOfOperation } = tables(text);
    expect(errors.envelope).toEqual({
      A_NOT_FOUND: { status: 404, message: 'About A_NOT_FOUND.' },
      INVALID_A: { status: 400, message: 'About INVALID_A.' },
      INVALID_B: { status: 400, message: 'About INVALID_B.' },
      HEADERS_TOO_LARGE: { status: 431, message: 'About HEADERS_TOO_LARGE.' },
      MALFORMED_REQUEST: { status: 400, message: 'About MALFORMED_REQUEST.' },
      REQUEST_TIMEOUT: { status: 408, message: 'About REQUEST_TIMEOUT.' },
      METHOD_NOT_ALLOWED: { status: 405, message: 'About METHOD_NOT_ALLOWED.' },
      NOT_FOUND: { status: 404, message: 'About NOT_FOUND.' },
    });
    expect(Object.keys(errors.envelope!)).toEqual(Object.keys(errors.envelope!).toSorted());
    expect(Object.keys(errors.ai!)).toEqual(['method_not_allowed', 'not_found']);
    expect(codesOfOperation).toEqual({ getA: ['INVALID_A', 'INVALID_B', 'A_NOT_FOUND'], getB: ['INVALID_B'] });
  });

  it('throws for a code with two statuses, and names them and the operation', () => {
    const contract = contractWith({
      '/a': { get: operation('getA', { responses: { 400: refusals(['TWICE']) } }) },
      '/b': { get: operation('getB', { responses: { 409: refusals(['TWICE']) } }) },
    });
    expect(() => printErrors(contract)).toThrow('TWICE is 400 elsewhere and 409 in getB');
  });

  it('throws for a code with two statuses in one operation, or with another status than an unknown route', () => {
    expect(() =>
      printErrors(
        contractWith({
          '/a': { get: operation('getA', { responses: { 400: refusals(['X']), 409: refusals(['X']) } }) },
        }),
      ),
    ).toThrow('X is');
    expect(() =>
      printErrors(contractWith({ '/a': { get: operation('getA', { responses: { 410: refusals(['NOT_FOUND']) } }) } })),
    ).toThrow('NOT_FOUND is');
  });

  it('allows a code to have another status in another protocol', () => {
    const contract = contractWith({
      '/a': { get: operation('getA', { responses: { 400: refusals(['access_denied']) }, 'x-error-shape': 'oauth' }) },
      '/b': { get: operation('getB', { responses: { 401: refusals(['access_denied']) }, 'x-error-shape': 'ai' }) },
    });
    const { errors } = tables(printErrors(contract));
    expect([errors.oauth!.access_denied!.status, errors.ai!.access_denied!.status]).toEqual([400, 401]);
  });

  it('throws for codes without words, and names them all', () => {
    const contract = contractWith({
      '/a': {
        get: operation('getA', {
          responses: {
            400: refusals(['MUTE', 'SPOKEN', 'SILENT'], (code) => (code === 'SPOKEN' ? 'Words.' : undefined)),
          },
        }),
      },
    });
    expect(() => printErrors(contract)).toThrow('No example says what these codes mean: MUTE, SILENT');
  });

  it('takes the words from any operation that has some', () => {
    const contract = contractWith({
      '/a': { get: operation('getA', { responses: { 400: refusals(['X'], () => undefined) } }) },
      '/b': { get: operation('getB', { responses: { 400: refusals(['X'], () => 'Words.') } }) },
    });
    expect(tables(printErrors(contract)).errors.envelope!.X!.message).toBe('Words.');
  });

  it('reads the codes of texts from x-codes, and their words from the text', () => {
    const text = { content: { 'text/plain': { 'x-codes': ['GONE'], examples: { GONE: { value: 'It is gone.\n' } } } } };
    const { errors } = tables(
      printErrors(
        contractWith({ '/a': { get: operation('getA', { responses: { 410: text }, 'x-error-shape': 'text' }) } }),
      ),
    );
    expect(errors.envelope!.GONE).toEqual({ status: 410, message: 'It is gone.' });
  });

  it('keeps quotes and line ends of the words inside their quotes', () => {
    const words = `It's "gone"\\\n'; throw 1; //`;
    const { errors } = tables(
      printErrors(
        contractWith({ '/a': { get: operation('getA', { responses: { 400: refusals(['X'], () => words) } }) } }),
      ),
    );
    expect(errors.envelope!.X!.message).toBe(words);
  });
});
