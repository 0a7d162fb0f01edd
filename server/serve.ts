import { ConfigProblems, parseConfig } from './config/config.ts';
import { firstStart } from './first-start.ts';
import { openLog } from './log.ts';
import { startServer } from './start.ts';

/** How long `/readyz` returns 503 after SIGTERM before the server stops accepting requests. */
const drainMs = 1_000;

/**
 * Runs a server until it is told to stop. If it cannot start, prints the error and exits with 1.
 *
 * @param env the environment of the process
 */
export async function serve(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  try {
    const config = parseConfig(env);
    const log = openLog(config.logLevel);
    const server = await startServer(config, log);
    console.log(
      (await firstStart(server.app.stores, server.urls)) ??
        `Cubby runs. API ${server.urls.base}, documentation ${server.urls.api}/docs`,
    );
    log.info({ ...server.urls, data_dir: config.dataDir }, 'listening');

    const stop = async (signal: NodeJS.Signals) => {
      log.info({ signal }, 'stopping');
      // A person who presses Ctrl-C does not want to wait for a load balancer.
      const allFinished = await server.stop({ drainMs: signal === 'SIGTERM' ? drainMs : 0 });
      log.info({ all_answers_finished: allFinished }, 'stopped');
      process.exit(0);
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  } catch (error) {
    const isOurs = error instanceof ConfigProblems;
    const cause = error instanceof Error && error.cause instanceof Error && !isOurs ? ` (${error.cause.message})` : '';
    console.error(error instanceof Error ? `${error.message}${cause}` : error);
    process.exit(1);
  }
}
