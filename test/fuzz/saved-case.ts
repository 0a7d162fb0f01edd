import { encodeKey } from '#test/s3/signed-request.ts';
import { textsOf } from '#test/s3/exchange.ts';
import type { Doors } from './doors.ts';
import type { FuzzRequest } from './draft.ts';
import type { Step } from './episode.ts';
import type { Found } from './fuzz-run.ts';
import { problemsOf } from './judge/judge.ts';
import { percent } from './make/compose.ts';
import type { RawAnswer } from './send/response-reader.ts';

/**
 * Requests that once had a wrong response. In their texts, `{{2:/response/id}}` is a value of the response to step 2.
 */
export interface SavedCase {
  readonly found: string;
  readonly steps: readonly FuzzRequest[];
}

/** Shorter values could be in a request by chance. */
const leastLength = 8;

const forms: Readonly<Record<string, (text: string) => string>> = {
  '': (text) => text,
  '|percent': percent,
  '|key': encodeKey,
};

/** Returns the values of a response that a later request can contain, by a name that the same response has again. */
function valuesOf(answer: RawAnswer | undefined): Map<string, string> {
  const values = new Map<string, string>();
  if (!answer) return values;
  const text = answer.body.toString();
  const add = (name: string, value: unknown) => {
    if (typeof value !== 'string' || value.length < leastLength) return;
    values.set(name, value);
    const target = URL.canParse(value) ? new URL(value).pathname + new URL(value).search : '';
    if (target.length >= leastLength) values.set(`${name}#target`, target);
  };
  const walk = (value: unknown, at: string): void => {
    if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) walk(inner, `${at}/${key}`);
    else add(at, value);
  };
  if (answer.headers['content-type']?.startsWith('application/json')) {
    try {
      walk(JSON.parse(text), '');
    } catch {
      // It names nothing.
    }
  }
  add('etag', answer.headers.etag);
  for (const line of answer.cookies) add(`cookie:${line.split('=', 1)[0]}`, /^[^=]+=([^;]*)/.exec(line)?.[1]);
  add('form_token', /name="form_token" value="([^"]*)"/.exec(text)?.[1]);
  for (const name of ['UploadId', 'ETag']) add(`xml:${name}`, textsOf(text, name)[0]);
  return values;
}

/** Replaces the values of earlier responses in a request by names. Returns the text, and the steps it needs. */
function withNames(request: FuzzRequest, earlier: ReadonlyArray<ReadonlyMap<string, string>>) {
  let text = JSON.stringify(request);
  const names: string[] = [];
  const needed = new Set<number>();
  for (const [from, own] of earlier.entries())
    for (const [name, value] of own)
      for (const [form, write] of Object.entries(forms)) {
        const written = JSON.stringify(write(value)).slice(1, -1);
        if (!text.includes(written)) continue;
        // A sign that no request contains, so that no later value is found in a name.
        text = text.replaceAll(written, `\ue000${names.push(`${from}:${name}${form}`) - 1}\ue001`);
        needed.add(from);
      }
  return { text, names, needed };
}

/** Returns a case of a found problem: its request, and all earlier ones whose responses it needs. */
export function caseOf({ step, before }: Pick<Found, 'step' | 'before'>, operatorKey: string): SavedCase {
  const all: Step[] = [...before, step];
  // A value that a request contains itself was not made by the server.
  const values = all.map(({ heard, request }) => {
    const sent = JSON.stringify(request);
    return new Map([...valuesOf(heard.answer)].filter(([, value]) => !sent.includes(value)));
  });
  const named = new Map<number, ReturnType<typeof withNames>>();
  const visit = (number: number): void => {
    if (named.has(number)) return;
    const own = withNames(all[number]!.request, values.slice(0, number));
    named.set(number, own);
    for (const from of own.needed) visit(from);
  };
  visit(step.number);
  const order = [...named.keys()].toSorted((a, b) => a - b);
  const steps = order.map((number) => {
    const { text, names } = named.get(number)!;
    const filled = text.replaceAll(operatorKey, '{{operator}}').replace(/\ue000(\d+)\ue001/g, (_, at: string) => {
      const [, from, name] = /^(\d+):(.*)$/s.exec(names[Number(at)]!)!;
      return `{{${order.indexOf(Number(from))}:${name}}}`;
    });
    return JSON.parse(filled) as FuzzRequest;
  });
  return { found: step.problems.join(' '), steps };
}

/** Sends a case again. Returns what is wrong with its responses. */
export async function replay({ steps }: SavedCase, doors: Doors, operatorKey: string): Promise<string[]> {
  const answers: Array<Map<string, string>> = [];
  const problems: string[] = [];
  for (const [number, step] of steps.entries()) {
    const text = JSON.stringify(step)
      .replaceAll('{{operator}}', operatorKey)
      .replace(/\{\{(\d+):(.+?)(\|\w+)?\}\}/g, (_, from: string, name: string, form = '') => {
        const value = answers[Number(from)]?.get(name) ?? 'missing';
        return JSON.stringify(forms[form]!(value)).slice(1, -1);
      });
    const request = JSON.parse(text) as FuzzRequest;
    const heard = await doors.send(request);
    answers.push(valuesOf(heard.answer));
    problems.push(...problemsOf(request, heard).map((problem) => `Step ${number}: ${problem}`));
  }
  return problems;
}
