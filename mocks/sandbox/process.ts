import { openControl } from './control.ts';
import { startControlledSandbox, type ControlledOptions } from './controlled.ts';

/** The options of a child process, as JSON in `CUBBY_SANDBOX`. */
interface ChildOptions extends Pick<ControlledOptions, 'ports' | 'host' | 'env'> {
  readonly controlPort?: number;
}

/** Runs a sandbox until the parent process ends it, or goes away. */
export async function runChild(): Promise<void> {
  const { controlPort = 0, ...options } = JSON.parse(process.env.CUBBY_SANDBOX ?? '{}') as ChildOptions;
  const tell = (message: unknown): void => void process.send?.(message);
  try {
    const sandbox = await startControlledSandbox(options);
    const control = await openControl(sandbox, controlPort);
    let stopping: Promise<void> | undefined;
    const stop = () =>
      (stopping ??= (async () => {
        await control.close();
        await sandbox.stop();
        process.exit(0);
      })());
    process.on('message', stop);
    process.on('disconnect', stop);
    process.on('SIGTERM', stop);
    // Ctrl+C reaches the whole group. The parent tells this process to stop, too.
    process.on('SIGINT', stop);
    const { urls, accounts, operatorKey, differences } = sandbox;
    tell({ ready: { urls, accounts, operatorKey, differences, controlUrl: control.url } });
  } catch (error) {
    tell({ failed: error instanceof Error ? error.message : String(error) });
    process.exit(1);
  }
}
