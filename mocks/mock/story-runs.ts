import type { IncomingMessage } from 'node:http';

import { LRUCache } from 'lru-cache';

import type { OperationId } from '#generated/policies.ts';
import { parseQuery } from '#server/http/query.ts';
import { UnmetPreference } from './preferences.ts';
import { stories, type Story, type StoryAnswer } from './stories.ts';

/** A story that a request plays in. */
interface StoryRun {
  readonly name: string;
  /** Tells runs of one story apart, so that tests may run side by side. */
  readonly run: string;
}

/** The response of a story, and the number of its scene, which counts from 1. */
interface Played {
  readonly answer: StoryAnswer | undefined;
  readonly scene: number;
}

/** The most runs that are remembered. The one that was played the longest ago is forgotten first. */
const maxRuns = 10_000;

const table: Readonly<Record<string, Story>> = stories;

/**
 * Reads `X-Mock-Story: name; run=id`, or `__story` of the query, as in `__story=name;run=id`.
 *
 * @throws {UnmetPreference} for a story that does not exist
 */
export function storyOf({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): StoryRun | undefined {
  const text = [headers['x-mock-story'] ?? parseQuery(url).get('__story')?.at(-1)].flat()[0];
  if (text === undefined) return undefined;
  const [, name = '', run = ''] = /^\s*([\w-]+)\s*(?:;\s*run=([\w.:-]{1,100}))?\s*$/.exec(text) ?? [];
  if (!Object.hasOwn(table, name))
    throw new UnmetPreference(
      `There is no story "${text}". Send "name" or "name; run=id". The stories are ${Object.keys(table).join(', ')}.`,
    );
  return { name, run };
}

/** The runs of all stories, each with the scene that it has come to. */
export class StoryRuns {
  readonly #scenes = new LRUCache<string, number>({ max: maxRuns });

  /** Returns the response of a story to an operation, and moves the story on. */
  play({ name, run }: StoryRun, id: OperationId): Played {
    const { scenes } = table[name]!;
    const key = `${name} ${run}`;
    const at = this.#scenes.get(key) ?? 0;
    const scene = scenes[at]!;
    const isOver = at + 1 < scenes.length && scene.until?.includes(id) === true;
    this.#scenes.set(key, isOver ? at + 1 : at);
    return { answer: scene.answers[id], scene: at + 1 };
  }

  /** Lets a run begin again. Without a run, all of them. */
  restart(name: string, run: string | undefined): void {
    for (const key of [...this.#scenes.keys()])
      if (run === undefined ? key.startsWith(`${name} `) : key === `${name} ${run}`) this.#scenes.delete(key);
  }
}
