import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { cubbyHere } from '#test/cli/cubby.ts';
import type { TestAccount } from '#test/support/server.ts';
import { readDataFolder } from './data-folder.ts';
import { pathsOf, type Target } from './disk-error-targets.ts';
import { ErrorScript } from './error-script.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';
import { injecting, readInjected, sabotage } from './strace.ts';

/** Ids that one server may use up. */
const idsPerServer = 4_000;

/** A server that goes on is killed after so many failures. */
const scriptsPerServer = 4;

/** Room that the server keeps free. With so little, the log is copied after 512 pages. */
const env = { CUBBY_MIN_FREE_BYTES: String(16 * 1024 * 1024) };

/** The error of a call. */
export interface DiskError {
  readonly error: 'EIO' | 'ENOSPC';
  /** Whether all later calls fail too. */
  readonly lasts: boolean;
}

/** The result of one failing call. */
export interface Point {
  /** Whether there was such a call. */
  readonly isHit: boolean;
  /** Contradictions between what was acknowledged and what was there afterwards. */
  readonly wrong: readonly string[];
  /** How the server reacted. */
  readonly reaction: 'requests failed' | 'nothing failed' | 'the server ended' | 'the server did not start';
}

/** One data folder whose servers meet failing calls, one after another. */
export class ErrorBench {
  #folder: string | undefined;
  #server: SpawnedServer | undefined;
  #account: TestAccount | undefined;
  #idsFrom = 0;
  #points = 0;
  /** What was acknowledged since the start of the server. */
  readonly #pending: ErrorScript[] = [];

  /** Lets the call of this number fail, or all from there on. */
  async fail(target: Target, { error, lasts }: DiskError, number: number): Promise<Point> {
    const failure = `${target.call}:error=${error}:when=${number}${lasts ? '+' : ''}`;
    if (target.phase === 'the first start') return this.#failFirstStart(target, failure);
    const server = this.#server ?? (await this.#start());
    const script = new ErrorScript(this.#account!, `p${this.#points++}`);
    if (target.phase === 'requests' || target.phase === 'the copy of the log')
      return this.#failRequests(server, script, target, failure);
    await script.run(server);
    if (script.hasFailure) throw new Error(`A request failed without a reason: ${JSON.stringify(script.outcomes)}`);
    const hits =
      target.phase === 'a stop' ? await this.#failStop(server, failure) : await this.#failStart(target, failure);
    this.#pending.push(script);
    return { ...hits, wrong: await this.#checkNext() };
  }

  /** Kills the server, and checks on the next one what was not checked yet. Returns the contradictions. */
  async finish(): Promise<readonly string[]> {
    return this.#pending.length === 0 ? [] : this.#checkNext();
  }

  /** Ends the server and removes its folder. */
  async close(): Promise<void> {
    await this.#server?.kill();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  async #failRequests(
    server: SpawnedServer,
    script: ErrorScript,
    { phase, files }: Target,
    failure: string,
  ): Promise<Point> {
    const broken = await sabotage(server.pid, failure, pathsOf(files, server.dataDir, this.#idsFrom));
    await (phase === 'requests' ? script.run(server) : script.fill(server));
    const isOver = script.outcomes.some(({ status }) => status === undefined);
    const hits = await broken.end();
    const wrong: string[] = [];
    if (!isOver) wrong.push(...(await this.#checkLiving(server, script)));
    else if ((await Promise.race([server.ended(), sleep(20_000, 'none')])) !== 1)
      wrong.push(`connections ended, but the server has not: ${server.stderr().slice(-500)}`);
    this.#pending.push(script);
    if (isOver || this.#pending.length === scriptsPerServer) wrong.push(...(await this.#checkNext()));
    const reaction = isOver ? 'the server ended' : script.hasFailure ? 'requests failed' : 'nothing failed';
    return { isHit: hits > 0, wrong, reaction };
  }

  async #failStop(server: SpawnedServer, failure: string): Promise<Omit<Point, 'wrong'>> {
    const broken = await sabotage(server.pid, failure, []);
    const hasFailed = await server.stop().then(
      () => false,
      () => true,
    );
    await server.kill();
    return { isHit: (await broken.end()) > 0, reaction: hasFailed ? 'requests failed' : 'nothing failed' };
  }

  /** The server before it was killed, so its log has to be read again. */
  async #failStart({ files }: Target, failure: string): Promise<Omit<Point, 'wrong'>> {
    await this.#server!.kill();
    const dataDir = this.#folder!;
    return failedStart(dataDir, failure, pathsOf(files, dataDir, 0));
  }

  async #failFirstStart({ files }: Target, failure: string): Promise<Point> {
    const folder = await mkdtemp(join(tmpdir(), 'cubby-first-'));
    const dataDir = join(folder, 'data');
    try {
      const tried = await failedStart(dataDir, failure, pathsOf(files, dataDir, 0));
      if (!tried.isHit) return { ...tried, wrong: [] };
      const server = await spawnServer({ dataDir, env });
      const script = new ErrorScript(await server.account(), 'first');
      await script.run(server);
      const wrong = [...(await script.check(server, { isLast: true })), ...(await damage(server))];
      if (script.hasFailure) wrong.push(`requests after it failed: ${JSON.stringify(script.outcomes)}`);
      await server.kill();
      return { ...tried, wrong };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Checks the server that has met the failure, and that it recovers without a restart. */
  async #checkLiving(server: SpawnedServer, script: ErrorScript): Promise<string[]> {
    const wrong = [...(await script.check(server, { isLast: false }))];
    if (script.hasFailure) {
      const recovery = new ErrorScript(this.#account!, `p${this.#points++}`);
      await recovery.run(server);
      if (recovery.hasFailure) wrong.push(`requests after it failed: ${JSON.stringify(recovery.outcomes)}`);
      wrong.push(...(await recovery.check(server, { isLast: true })));
    }
    // By itself the server tries again after a minute, if it could not remove the bytes of a file.
    await server.runJob('reap-blobs');
    return [...wrong, ...(await unsettled(server.dataDir))];
  }

  /** Checks the next server over the folder, and empties it. */
  async #checkNext(): Promise<string[]> {
    await this.#server!.kill();
    const next = await this.#start();
    const wrong: string[] = [];
    for (const script of this.#pending.splice(0)) wrong.push(...(await script.check(next, { isLast: true })));
    wrong.push(...(await damage(next)));
    return [...wrong, ...(await unsettled(next.dataDir))];
  }

  async #start(): Promise<SpawnedServer> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'cubby-errors-'));
    this.#idsFrom += idsPerServer;
    this.#server = await spawnServer({
      dataDir: this.#folder,
      env,
      idsFrom: this.#idsFrom,
      poolThreads: 1,
    });
    this.#account ??= await this.#server.account();
    return this.#server;
  }
}

/** Starts a server while a call fails. If it starts, it is killed. */
async function failedStart(dataDir: string, failure: string, paths: readonly string[]): Promise<Omit<Point, 'wrong'>> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-injected-'));
  const file = join(folder, 'trace');
  try {
    const under = injecting(failure, paths, file);
    const server = await spawnServer({ dataDir, env, poolThreads: 1, under }).catch(() => undefined);
    await server?.kill();
    return {
      isHit: readInjected(file) > 0,
      reaction: server === undefined ? 'the server did not start' : 'nothing failed',
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns what `cubby store check` finds. */
async function damage({ dataDir }: SpawnedServer): Promise<string[]> {
  const { code, stdout, stderr } = await cubbyHere(dataDir, env)('store', 'check', '--bytes', '--json');
  return code === 0 ? [] : [`store check: ${stdout.trim()} ${stderr.trim()}`];
}

/** Returns the contradictions that are left in a data folder when its server has had time to tidy up. */
async function unsettled(dataDir: string): Promise<string[]> {
  for (let tries = 0; ; tries++) {
    const { problems } = await readDataFolder(dataDir, { bytes: true });
    if (problems.length === 0 || tries === 100) return [...problems];
    await sleep(100);
  }
}
