import { doorNames } from '#server/config/door-names.ts';
import type { Draft } from '../draft.ts';
import { wireFaults } from '../send/wire-faults.ts';
import type { World } from '../world.ts';
import { breakBody } from './break-body.ts';
import { breakSigning, otherCredential } from './break-credential.ts';
import { breakPath } from './break-path.ts';
import { misplace } from './misplace.ts';
import { nastyHeader, nastyText } from './nasty.ts';

type Break = (draft: Draft, world: World) => string | undefined;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
const rawValues = ['%', '%zz', '%00', '%C0%AF', '%ff', '%E2%82', '', '%2', '+', '%F0%9F%92', 'a=b=c', '[]'];

const breaks: Readonly<Record<string, readonly [weight: number, change: Break]>> = {
  'query value': [
    5,
    (draft, { random }) => {
      if (draft.query.length === 0) return undefined;
      const at = random.below(draft.query.length);
      const [name] = draft.query[at]!;
      draft.query[at] = [name, nastyText(random)];
      return name;
    },
  ],
  'raw query value': [
    2,
    (draft, { random }) => {
      if (draft.query.length === 0) return undefined;
      const name = random.pick(draft.query)[0];
      draft.query = draft.query.filter(([other]) => other !== name);
      draft.rawQuery = `${name}=${random.pick(rawValues)}`;
      return name;
    },
  ],
  'missing query': [
    1,
    (draft, { random }) => {
      if (draft.query.length === 0) return undefined;
      const [name] = draft.query.splice(random.below(draft.query.length), 1)[0]!;
      return name;
    },
  ],
  'extra query': [
    2,
    (draft, { random }) => {
      const name = random.pick([
        'unknown',
        '__proto__',
        'a[b]',
        '',
        'limit',
        'object',
        'uploads',
        'acl',
        'versionId',
        'partNumber',
        'response-content-type',
        ...draft.query.map(([own]) => own),
      ]);
      draft.query.push([name, nastyText(random)]);
      return name;
    },
  ],
  header: [
    4,
    (draft, { random }) => {
      const [name, value] = nastyHeader(random);
      const at = draft.headers.findIndex(([own]) => own.toLowerCase() === name.toLowerCase());
      if (at >= 0) draft.headers.splice(at, 1);
      draft.headers.push([name, value]);
      return name;
    },
  ],
  body: [
    8,
    (draft, { random }) => {
      if (!draft.body) return undefined;
      const { body, what } = breakBody(draft.body, random);
      draft.body = body;
      return what;
    },
  ],
  'body where none belongs': [
    1,
    (draft, { random }) => {
      if (draft.body) return undefined;
      draft.body = {
        kind: 'bytes',
        bytes: Buffer.from(random.pick(['x', '{}', 'x'.repeat(5000)])),
        type: random.pick([undefined, 'application/json']),
      };
      return '';
    },
  ],
  'content type': [
    2,
    (draft, { random }) => {
      if (!draft.body) return undefined;
      draft.headers.push([
        'Content-Type',
        random.pick([
          'text/plain',
          'application/json',
          'application/xml',
          'multipart/form-data; boundary=x',
          'application/x-www-form-urlencoded',
          'a',
          '',
          'application/json; charset=latin1',
        ]),
      ]);
      return '';
    },
  ],
  credential: [
    4,
    (draft, world) => {
      if (draft.signing) return breakSigning(draft, world);
      draft.credential = otherCredential(draft, world);
      return draft.credential === undefined ? 'none' : 'other';
    },
  ],
  'foreign account': [
    3,
    (draft, world) => {
      const other = world.members.find((member) => member !== world.member);
      if (!other) return undefined;
      if (draft.signing) draft.signing = other.pair;
      else if (draft.credential !== undefined) draft.credential = other.credential;
      else return undefined;
      return '';
    },
  ],
  method: [2, (draft, { random }) => (draft.method = random.pick(methods.filter((method) => method !== draft.method)))],
  path: [3, (draft, world) => breakPath(draft, world)],
  'path value': [
    3,
    (draft, { random }) => {
      const names = Object.keys(draft.pathValues);
      if (names.length === 0) return undefined;
      const name = random.pick(names);
      draft.pathValues = { ...draft.pathValues, [name]: nastyText(random) };
      return name;
    },
  ],
  'value of another kind': [4, (draft, world) => misplace(draft, world)],
  preflight: [
    0.7,
    (draft, { random }) => {
      draft.headers.push(
        ['Origin', random.pick(['https://app.invalid', 'null', 'x'])],
        ['Access-Control-Request-Method', random.pick([draft.method, 'DELETE', '', 'x y'])],
        ['Access-Control-Request-Headers', random.pick(['authorization, content-type', '', '*', ',,'])],
      );
      draft.method = 'OPTIONS';
      return '';
    },
  ],
  door: [0.5, (draft, { random }) => (draft.door = random.pick(doorNames.filter((door) => door !== draft.door)))],
  'bytes on the wire': [
    4,
    (draft, { random }) => {
      draft.fault = { kind: random.pick(wireFaults), seed: random.below(2 ** 31) };
      return draft.fault.kind;
    },
  ],
};

const choices = Object.entries(breaks).map(([name, [weight, change]]) => [weight, [name, change] as const] as const);

/** Breaks one thing about a draft, now and then two, and notes what. */
export function breakDraft(draft: Draft, world: World): void {
  const broken: string[] = [];
  const wanted = world.random.chance(0.15) ? 2 : 1;
  while (broken.length < wanted) {
    const [name, change] = world.random.weighted(choices);
    const what = change(draft, world);
    if (what !== undefined) broken.push(what === '' ? name : `${name}: ${what}`);
  }
  draft.broken = broken.join(', ');
}
