import type { SpawnedServer } from '#test/faults/spawned-server.ts';
import { Doors } from './doors.ts';
import { runEpisode, tour, type EpisodeOptions, type Step } from './episode.ts';
import { Tally } from './tally.ts';

/** A step with problems, and the steps of its episode before it. */
export interface Found {
  readonly step: Step;
  readonly before: readonly Step[];
  /** How many steps had the same problem. */
  count: number;
}

export interface FuzzOptions extends Pick<EpisodeOptions, 'seed' | 'weights' | 'operatorKey' | 'mostPauseMs'> {
  readonly requests: number;
  /** The requests of one episode. */
  readonly length: number;
  /** How many episodes are under way at once. */
  readonly lanes: number;
  /** The number of the first episode. Default: the tour. */
  readonly firstEpisode?: number;
  /** Ends the run after so many different problems. */
  readonly mostProblems: number;
  /** Ends the run after this time. Default: never. */
  readonly mostMs?: number;
  /** Called with the first step of each problem. */
  readonly onFound?: (found: Found) => void;
  /** Called after each thousand requests. */
  readonly onProgress?: (done: number) => void;
}

export interface FuzzResult {
  readonly tally: Tally;
  /** The first step with each problem. */
  readonly found: readonly Found[];
  /** Lines of the server's log that no request of the last thousands explains. */
  readonly faults: readonly string[];
}

type Server = Pick<SpawnedServer, 'urls' | 'stderr'>;

/**
 * Sends requests to a server until enough are sent, or enough problems are found. It begins with a tour of all
 * operations, unless a first episode is named.
 */
export async function runFuzz(server: Server, options: FuzzOptions): Promise<FuzzResult> {
  const {
    requests,
    length,
    lanes,
    mostProblems,
    mostMs = Infinity,
    firstEpisode = tour,
    onFound,
    onProgress,
  } = options;
  const endsAt = performance.now() + mostMs;
  const tally = new Tally();
  const found = new Map<string, Found>();
  const log = new FaultLog(server);
  const end = firstEpisode + Math.max(1, Math.ceil(requests / length));
  let next = firstEpisode;

  const keep = (step: Step, before: readonly Step[]) => {
    const kind = `${step.request.operation} ${step.problems[0]!.slice(0, 60)}`;
    const known = found.get(kind);
    if (known) return void known.count++;
    const first = { step, before, count: 1 };
    found.set(kind, first);
    onFound?.(first);
  };
  const note = (step: Step, before: Step[]) => {
    tally.add(step);
    if (step.problems.length > 0) keep(step, [...before]);
    log.remember(step, before);
    before.push(step);
    if (tally.requests % 1000 !== 0) return;
    for (const fault of log.faults()) keep(fault.step, fault.before);
    onProgress?.(tally.requests);
  };
  const lane = async (): Promise<void> => {
    const doors = new Doors({ ...server.urls });
    while (next < end && found.size < mostProblems && performance.now() < endsAt) {
      const episode = next++;
      const before: Step[] = [];
      const left = requests - (episode - firstEpisode) * length;
      await runEpisode(doors, { ...options, episode, length: Math.min(length, left) }, (step) => note(step, before));
    }
    doors.close();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  for (const fault of log.faults()) keep(fault.step, fault.before);
  return { tally, found: [...found.values()], faults: log.unexplained };
}

const remembered = 4000;

/** Finds the requests to the faults in a server's log. */
class FaultLog {
  readonly #server: Pick<SpawnedServer, 'stderr'>;
  readonly #byId = new Map<
    string,
    { readonly step: Step; readonly before: readonly Step[]; readonly length: number }
  >();
  #read: number;
  readonly unexplained: string[] = [];

  constructor(server: Pick<SpawnedServer, 'stderr'>) {
    this.#server = server;
    this.#read = server.stderr().length;
  }

  remember(step: Step, before: readonly Step[]): void {
    const headers = step.heard.answer?.headers;
    const id = headers?.['x-request-id'] ?? headers?.['x-amz-request-id'];
    if (id !== undefined) this.#byId.set(id, { step, before, length: before.length });
    if (this.#byId.size > 2 * remembered)
      for (const old of [...this.#byId.keys()].slice(0, remembered)) this.#byId.delete(old);
  }

  /** Returns the requests to the faults that were logged since the last call. */
  faults(): Array<Omit<Found, 'count'>> {
    const text = this.#server.stderr().slice(this.#read);
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    this.#read += whole.length;
    return whole.split('\n').flatMap((line) => {
      if (!line.includes('"fault"') && !/^[^{]/.test(line)) return [];
      const known = this.#byId.get(/"request_id":"([^"]+)"/.exec(line)?.[1] ?? '');
      if (!known) return (this.unexplained.push(line.slice(0, 2000)), []);
      const step = { ...known.step, problems: [`The log has a fault: ${line.slice(0, 1500)}`] };
      return [{ step, before: known.before.slice(0, known.length) }];
    });
  }
}
