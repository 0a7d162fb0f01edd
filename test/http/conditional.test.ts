import { describe, expect, it } from 'vitest';

import { evaluateConditions, ifRangeHolds, type ConditionOutcome } from '#server/http/conditional.ts';

const lastModifiedMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const before = 'Fri, 02 Jan 2026 03:04:04 GMT';
const exactly = 'Fri, 02 Jan 2026 03:04:05 GMT';
const after = 'Fri, 02 Jan 2026 03:04:06 GMT';

function outcome(headers: Record<string, string>, method = 'GET', etag: string | undefined = 'abc'): ConditionOutcome {
  return evaluateConditions({ method, headers, etag, lastModifiedMs });
}

describe('evaluateConditions() with If-Match', () => {
  it.each([
    ['"abc"', 'proceed', 'the same tag'],
    ['"x", "abc"', 'proceed', 'one of a list'],
    ['*', 'proceed', 'any representation'],
    ['abc', 'proceed', 'without quotes, as S3 clients send it'],
    ['"x"', 'precondition-failed', 'another tag'],
    ['W/"abc"', 'precondition-failed', 'a weak tag: If-Match compares strongly'],
    ['"a,b", "c"', 'precondition-failed', 'commas inside a tag'],
    ['"', 'precondition-failed', 'a malformed tag'],
    ['', 'precondition-failed', 'an empty list'],
  ])('%s → %s: %s', (value, expected) => {
    expect(outcome({ 'if-match': value })).toBe(expected);
  });

  it('finds a tag with a comma in it', () => {
    expect(outcome({ 'if-match': '"x", "a,b"' }, 'GET', 'a,b')).toBe('proceed');
    expect(outcome({ 'if-match': '"x,a", "b,y"' }, 'GET', 'a')).toBe('precondition-failed');
  });
});

describe('evaluateConditions() with If-None-Match', () => {
  it.each([
    ['"abc"', 'not-modified', 'the same tag'],
    ['W/"abc"', 'not-modified', 'a weak tag: If-None-Match compares weakly'],
    ['"x" , W/"y","abc"', 'not-modified', 'one of a list'],
    ['*', 'not-modified', 'any representation'],
    ['"x"', 'proceed', 'another tag'],
    ['"ABC"', 'proceed', 'tags are case-sensitive'],
    ['"x,abc"', 'proceed', 'the tag only inside of another'],
    ['w/"abc"', 'proceed', 'the weakness mark is case-sensitive'],
  ])('%s → %s: %s', (value, expected) => {
    expect(outcome({ 'if-none-match': value })).toBe(expected);
  });

  it('fails the precondition for methods other than GET and HEAD', () => {
    expect(outcome({ 'if-none-match': '"abc"' }, 'PUT')).toBe('precondition-failed');
    expect(outcome({ 'if-none-match': '"abc"' }, 'HEAD')).toBe('not-modified');
  });
});

describe('evaluateConditions() with dates', () => {
  it.each([
    ['if-unmodified-since', before, 'precondition-failed'],
    ['if-unmodified-since', exactly, 'proceed'],
    ['if-unmodified-since', after, 'proceed'],
    ['if-unmodified-since', 'Friday', 'proceed'],
    ['if-modified-since', before, 'proceed'],
    ['if-modified-since', exactly, 'not-modified'],
    ['if-modified-since', after, 'not-modified'],
    ['if-modified-since', 'Friday', 'proceed'],
    ['if-modified-since', '99999999999', 'proceed'],
  ])('%s: %s → %s', (name, value, expected) => {
    expect(outcome({ [name]: value })).toBe(expected);
  });

  it('evaluates If-Modified-Since for GET and HEAD only', () => {
    expect(outcome({ 'if-modified-since': after }, 'HEAD')).toBe('not-modified');
    expect(outcome({ 'if-modified-since': after }, 'DELETE')).toBe('proceed');
  });
});

describe('evaluateConditions() keeps the order of RFC 9110 13.2.2', () => {
  it('step 1: If-Match hides If-Unmodified-Since', () => {
    expect(outcome({ 'if-match': '"abc"', 'if-unmodified-since': before })).toBe('proceed');
    expect(outcome({ 'if-match': '"x"', 'if-unmodified-since': after })).toBe('precondition-failed');
  });

  it('step 3: If-None-Match is evaluated after If-Match holds', () => {
    expect(outcome({ 'if-match': '"abc"', 'if-none-match': '"abc"' })).toBe('not-modified');
    expect(outcome({ 'if-match': '"x"', 'if-none-match': '"abc"' })).toBe('precondition-failed');
  });

  it('step 3: If-None-Match hides If-Modified-Since', () => {
    expect(outcome({ 'if-none-match': '"x"', 'if-modified-since': after })).toBe('proceed');
    expect(outcome({ 'if-none-match': '"abc"', 'if-modified-since': before })).toBe('not-modified');
  });

  it('a failed If-Unmodified-Since comes before a 304', () => {
    expect(outcome({ 'if-unmodified-since': before, 'if-none-match': '"abc"' })).toBe('precondition-failed');
  });
});

describe('evaluateConditions() without a representation', () => {
  const absent = { etag: undefined, lastModifiedMs: undefined, method: 'PUT' };

  it.each<[Record<string, string>, ConditionOutcome, string]>([
    [{ 'if-none-match': '*' }, 'proceed', 'create only'],
    [{ 'if-match': '*' }, 'precondition-failed', 'replace only'],
    [{ 'if-match': '"abc"' }, 'precondition-failed', 'replace only this'],
    [{ 'if-unmodified-since': before }, 'proceed', 'no date to compare'],
  ])('%j → %s: %s', (headers, expected) => {
    expect(evaluateConditions({ ...absent, headers })).toBe(expected);
  });
});

describe('ifRangeHolds()', () => {
  const validators = { etag: 'abc', lastModifiedMs };

  it.each<[string | undefined, boolean, string]>([
    [undefined, true, 'no header'],
    ['"abc"', true, 'the same tag'],
    ['W/"abc"', false, 'a weak tag: If-Range compares strongly'],
    ['"x"', false, 'another tag'],
    ['*', false, 'a star, which is not a tag'],
    [exactly, true, 'the same date'],
    [before, false, 'an earlier date'],
    [after, false, 'a later date: it must match exactly'],
    ['Friday', false, 'a malformed date'],
    ['', false, 'an empty header'],
  ])('%j → %s: %s', (header, expected) => {
    expect(ifRangeHolds(header, validators, lastModifiedMs + 60_000)).toBe(expected);
  });

  it('rejects a date while its second has not passed, because the file may change again, and a future date', () => {
    const second = Math.floor(lastModifiedMs / 1000) * 1000;
    const holds = (dateMs: number) => [exactly, '"abc"'].map((header) => ifRangeHolds(header, validators, dateMs));
    expect(holds(second)).toEqual([false, true]);
    expect(holds(second + 999)).toEqual([false, true]);
    expect(holds(second - 60_000)).toEqual([false, true]);
    expect(holds(second + 1000)).toEqual([true, true]);
  });
});
