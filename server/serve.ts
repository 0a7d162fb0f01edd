import { parseConfig, type Config } from './config/config.ts';
import { rereadings } from './feature-parts.ts';
import { firstStart } from './first-start.ts';
import { openLog, type Log } from './log.ts';
import { startFailure } from './start-failure.ts';
import { startServer } from './start.ts';
import { onStopSignal } from './stop-signals.ts';
import type { Telemetry } from './telemetry/open-telemetry.ts';
import type { WorkerLink } from './workers/worker.ts';

/** How long `/readyz` returns 503 after SIGTERM before the server stops accepting requests. */
const drainMs = 1_000;

/**
 * Runs a server until it is told to stop. If it cannot start, prints the error and exits: with 78 if that needs a
 * change by the operator, otherwise with 1. With several workers, this process starts them and replaces those that end.
 *
 * @param env the environment of the process
 */
export async function serve(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  try {
    const config = parseConfig(env);
    if (config.workers === 1) return await serveAlone(config);
    const { default: cluster } = await import('node:cluster');
    if (cluster.isPrimary) return await serveByWorkers(config, openLog(config.logLevel));
    const { workerLink } = await import('./workers/worker.ts');
    return await serveAlone(config, workerLink());
  } catch (error) {
    const { text, exitCode } = startFailure(error);
    console.error(text);
    process.exit(exitCode);
  }
}

/** @param link the link to the parent, if this process is one of several workers */
async function serveAlone(config: Config, link?: WorkerLink): Promise<void> {
  const telemetry = await telemetryOf(config);
  const log = openLog(config.logLevel, undefined, telemetry?.sendLine);
  const server = await startServer(config, log, {
    ...(link && { otherMetrics: (own) => link.otherMetrics(own) }),
    tracing: telemetry?.tracing,
  });
  const text =
    (await firstStart(server.app, server.urls)) ??
    [`Cubby runs. API ${server.urls.base}, documentation ${server.urls.api}/docs`, ...server.app.startLines].join('\n');
  log.info({ ...server.urls, data_dir: config.dataDir }, 'listening');
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    // A person who presses Ctrl-C does not want to wait for a load balancer.
    const allFinished = await server.stop({ drainMs: signal === 'SIGTERM' ? drainMs : 0 });
    log.info({ all_answers_finished: allFinished }, 'stopped');
    await telemetry?.close();
    process.exit(0);
  };
  onStopSignal(stop);
  onReload(config, () => server.app.reload());
  if (!link) return console.log(text);
  // The terminal sends Ctrl-C to every process, and then the parent says it too.
  link.onStop((signal) => void stop(signal));
  link.onReload(() => server.app.reload());
  link.onMetricsWanted(() => server.app.metrics.ofProcess());
  link.listening(text);
}

/** OpenTelemetry is loaded only if it is configured. */
async function telemetryOf({ telemetry }: Config): Promise<Telemetry | undefined> {
  return telemetry && (await import('./telemetry/open-telemetry.ts')).openTelemetry(telemetry);
}

/** Without a file that can be read again, the signal ends the process as usual. */
function onReload(config: Config, reload: () => void): void {
  if (rereadings.some((canReload) => canReload(config))) process.on('SIGHUP', reload);
}

async function serveByWorkers(config: Config, log: Log): Promise<void> {
  const { workers: count } = config;
  const { supervise } = await import('./workers/supervise.ts');
  const workers = await supervise(count, log, console.log);
  const stop = async (signal: NodeJS.Signals) => {
    log.info({ signal, workers: count }, 'stopping');
    await workers.stop(signal);
    process.exit(0);
  };
  onStopSignal(stop);
  onReload(config, workers.reload);
}
