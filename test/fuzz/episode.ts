import { setTimeout as sleep } from 'node:timers/promises';

import { draftOf } from './contract-draft.ts';
import type { Doors } from './doors.ts';
import type { Draft, FuzzRequest } from './draft.ts';
import type { Exchanged } from './exchanged.ts';
import { harvest } from './harvest.ts';
import { problemsOf } from './judge/judge.ts';
import { isSuccess } from './judge/success.ts';
import { breakDraft } from './make/break-draft.ts';
import { compose } from './make/compose.ts';
import { Random } from './random.ts';
import { recipes } from './recipes/all.ts';
import type { Heard } from './send/connection.ts';
import { Pool, World } from './world.ts';

/** One request of an episode with what came back. */
export interface Step {
  readonly episode: number;
  /** The number of the request within its episode, from 0. */
  readonly number: number;
  readonly request: FuzzRequest;
  readonly heard: Heard;
  readonly problems: readonly string[];
}

export interface EpisodeOptions {
  readonly seed: number;
  readonly episode: number;
  readonly length: number;
  readonly weights: ReadonlyArray<readonly [weight: number, id: string]>;
  readonly operatorKey: string;
  /** How long the tour waits at most before it repeats a request that met a conflict, in ms. */
  readonly mostPauseMs?: number;
}

/**
 * Sends the requests of one episode, one after the other. It has two accounts of its own, so what it sends depends on
 * its seed and on what the server answers, not on other episodes.
 *
 * @param onStep called after each request
 */
export async function runEpisode(doors: Doors, options: EpisodeOptions, onStep: (step: Step) => void): Promise<void> {
  const { seed, episode, length, weights, operatorKey } = options;
  const world = new World(Random.of(seed, episode), operatorKey);
  let number = 0;
  const send = async (draft: Draft): Promise<Exchanged> => {
    const request = compose(draft);
    const heard = await doors.send(request);
    const exchanged = { request, answer: heard.answer!, json: jsonOf(heard) };
    const problems = problemsOf(request, heard);
    if (heard.answer && !request.fault) harvest(world, exchanged);
    onStep({ episode, number: number++, request, heard, problems });
    return exchanged;
  };

  // The refusal of an account is a problem that is reported already.
  const other = world.pick('enterprise', 'pro', 'standard', 'hobby', 'none');
  if (!(await addMember(world, 'enterprise', send)) || !(await addMember(world, other, send))) return;
  if (episode === tour) return visitAll(world, send, options.mostPauseMs);
  while (number < length) {
    world.random = Random.of(seed, episode, number);
    await send(nextDraft(world, weights));
  }
}

/** The number of an episode that visits each operation, valid, until it succeeds. */
export const tour = -1;

/** An operation may need others before it, or the end of work that another episode began. */
const mostTries = 12;

async function visitAll(world: World, send: (draft: Draft) => Promise<Exchanged>, mostPauseMs = 3_000): Promise<void> {
  world.member = world.members[0]!;
  for (const [id, recipe] of recipes)
    for (let tries = 0; tries < mostTries; tries++) {
      const { request, answer } = await send(recipe(world));
      if (request.operation === id && answer && isSuccess(id, answer.status, answer.body)) break;
      if (answer?.status === 409) await sleep(Math.min(mostPauseMs, 20 * 2 ** tries));
    }
}

/** Adds an account to the world. Returns whether it could be made. */
async function addMember(world: World, plan: string, send: (draft: Draft) => Promise<Exchanged>): Promise<boolean> {
  const made = await send(draftOf(world, 'createAccount', { fields: { name: `fuzz ${plan}`, plan } }));
  const { account_id: id, api_key: credential } = made.json?.response ?? {};
  if (credential === undefined) return false;
  // This one must not be deleted by the episode.
  world.shared.remove('victim', id);
  world.shared.remove('victimCredential', credential);
  world.member = { id, credential, plan, pool: new Pool() };
  world.members.push(world.member);
  await send(draftOf(world, 'getS3Credentials'));
  await send(draftOf(world, 'createAccountApp', { path: { account_id: id } }));
  await send(recipes.get('uploadObject')!(world));
  return true;
}

function nextDraft(world: World, weights: EpisodeOptions['weights']): Draft {
  const { random, members } = world;
  world.member = members[random.chance(0.85) ? 0 : 1]!;
  const isBroken = random.chance(0.45);
  world.where = !isBroken && random.chance(0.15) ? 'edge' : 'inside';
  const draft = recipes.get(random.weighted(weights))!(world);
  if (draft.body && random.chance(0.1)) draft.isChunked = true;
  // Where a client can read, it can ask for the head alone.
  if (draft.method === 'GET' && random.chance(0.05)) draft.method = 'HEAD';
  if (isBroken) breakDraft(draft, world);
  return draft;
}

function jsonOf({ answer }: Heard): unknown {
  if (!answer || !answer.headers['content-type']?.startsWith('application/json') || answer.body.length > 4_000_000)
    return undefined;
  try {
    return JSON.parse(answer.body.toString());
  } catch {
    return undefined;
  }
}
