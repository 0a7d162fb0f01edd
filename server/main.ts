import { ConfigProblems, parseConfig } from './config.ts';
import { firstStart } from './first-start.ts';
import { openLog } from './log.ts';
import { startServer } from './start.ts';

try {
  const config = parseConfig(process.env);
  const log = openLog(config.logLevel);
  const server = await startServer(config, log);
  console.log((await firstStart(server.app.stores, server.urls)) ?? `Cubby runs. API ${server.urls.base}, documentation ${server.urls.api}/docs`);
  log.info({ ...server.urls, data_dir: config.dataDir }, 'listening');

  const stop = async (signal: NodeJS.Signals) => {
    log.info({ signal }, 'stopping');
    const allFinished = await server.stop();
    log.info({ all_answers_finished: allFinished }, 'stopped');
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  console.error(error instanceof ConfigProblems || error instanceof Error ? error.message : error);
  process.exit(1);
}
