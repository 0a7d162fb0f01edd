/**
 * Runs before the rest of the page. It requests what the first screen will ask for, and the scripts that the rest would
 * load one after the other. Without it the page works alike, only later.
 *
 * It is bundled alone, so it imports only small modules that import nothing.
 */
import { parseRoute } from '../app/address.ts';
import { kept } from '../app/kept.ts';
import { chosenLanguage } from '../app/languages.ts';
import { signedInAsOf, signedInName } from '../app/signed-in.ts';
import { folderQuery } from '../screens/files/folder-query.ts';
import { placeOf } from '../screens/files/place.ts';

/** The answers by the path and query of their request. */
export type EarlyAnswers = Map<string, Promise<Response>>;

/** The files of the build that a screen or a language needs, besides those that the page names. */
interface Loaded {
  readonly files: readonly string[];
  /** Places in `files`, by the name of a screen, and by a language: its first messages, and those of other screens. */
  readonly screens: Readonly<Record<string, readonly number[]>>;
  readonly messages: Readonly<Record<string, readonly number[]>>;
  readonly furtherMessages: Readonly<Record<string, readonly number[]>>;
}

/** The build puts them in place of this name. */
declare const builtFiles: Loaded;

const answers: EarlyAnswers = new Map();

function request(path: string, cache: RequestCache): void {
  const answer = fetch(path, { credentials: 'same-origin', cache });
  // The code that takes the answer handles its failure.
  answer.catch(() => {});
  answers.set(path, answer);
}

function preload(places: readonly number[] = []): void {
  for (const place of places) {
    const link = document.createElement('link');
    const name = builtFiles.files[place]!;
    if (name.endsWith('.css')) {
      link.rel = 'preload';
      link.as = 'style';
    } else link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = `/console/assets/${name}`;
    document.head.append(link);
  }
}

const signedIn = signedInAsOf(kept(signedInName));
const { screen, rest } = parseRoute(location.pathname, '');
const language = chosenLanguage(kept('language'), navigator.languages);

request('/console/config.json', 'default');
if (signedIn !== undefined) {
  const isOperator = signedIn === 'operator';
  request(isOperator ? '/v2/operator/session' : '/v1/session', 'no-store');
  const name = screen === '' ? (isOperator ? 'overview' : 'files') : screen;
  // A filtered or sorted list takes other requests.
  if (name === 'files' && signedIn === 'lists' && location.search === '') {
    const query = Object.entries(folderQuery(placeOf(rest))).map(([key, value]) => [key, String(value)]);
    request(`/v1/objects?${new URLSearchParams(query)}`, 'no-store');
  }
  preload(builtFiles.messages[language]);
  // The address is not to be trusted: `/console/__proto__` names no screen.
  if (Object.hasOwn(builtFiles.screens, name)) preload(builtFiles.screens[name]);
  if (name !== 'files' && name !== 'settings') preload(builtFiles.furtherMessages[language]);
} else preload(builtFiles.messages[language]);
(globalThis as { early?: EarlyAnswers }).early = answers;
