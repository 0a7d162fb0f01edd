import { parseArgs } from 'node:util';

import { runProgram, runServer } from './run-program.js';
import { startSandbox, type Sandbox } from './sandbox.ts';

/** How long after the first signal a further one changes nothing. */
const graceMs = 32_000;

const help = `Usage: cubby sandbox [options]

Runs the real server on a temporary folder, which is removed when it stops. Each plan has an account with a fixed key.

  --seed <file>          JSON with files, share links and upload tokens to begin with
  --port <number>        port of the API (default: a free one)
  --files-port, --public-port, --s3-port <number>
                         ports of the other doors (default: free ones)
  --control-port <number>
                         port of the control API (default: a free one)
  --host <address>       address to listen on (default: 127.0.0.1)
  --json                 prints one line of JSON with the addresses and keys

cubby without a command starts a server. Every other command is one of the operator's: cubby help.
`;

/** Runs `npx cubby …`: a server without a command, the sandbox, or a command of the operator. */
export async function runCommand([command, ...rest]: readonly string[]): Promise<void> {
  if (command === undefined) return runServer();
  if (command !== 'sandbox') return runProgram('server/cli/main.js', [command, ...rest]);
  try {
    await runSandbox(rest);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

async function runSandbox(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: text,
      port: text,
      'files-port': text,
      'public-port': text,
      's3-port': text,
      'control-port': text,
      host: text,
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stdout.write(help);
  const ports = {
    api: portOf('port', values.port),
    files: portOf('files-port', values['files-port']),
    public: portOf('public-port', values['public-port']),
    s3: portOf('s3-port', values['s3-port']),
  };
  const sandbox = await startSandbox({
    ports,
    controlPort: portOf('control-port', values['control-port']),
    ...(values.host !== undefined && { host: values.host }),
    ...(values.seed !== undefined && { seed: values.seed }),
  });
  console.log(values.json ? JSON.stringify(shownOf(sandbox)) : welcome(sandbox));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  // The sandbox alone would not keep this process alive.
  const alive = setInterval(() => {}, 1 << 30);
  // `npx` sends a Ctrl+C of the terminal a second time, which must not end this process before the sandbox.
  let stoppedAt: number | undefined;
  await new Promise<void>((stop) => {
    const onSignal = (): void => {
      if (stoppedAt !== undefined && performance.now() - stoppedAt > graceMs) process.exit(1);
      stoppedAt ??= performance.now();
      stop();
    };
    for (const signal of signals) process.on(signal, onSignal);
  });
  clearInterval(alive);
  await sandbox.stop();
}

function portOf(name: string, value: string | undefined): number {
  if (value === undefined) return 0;
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new Error(`--${name} must be a port from 0 to 65535. Got "${value}".`);
}

type Shown = Pick<Sandbox, 'urls' | 'accounts' | 'operatorKey' | 'differences' | 'controlUrl'>;

function shownOf({ urls, accounts, operatorKey, differences, controlUrl }: Sandbox): Shown {
  return { urls, accounts, operatorKey, differences, controlUrl };
}

function welcome({ urls, accounts, operatorKey, differences, controlUrl, account }: Sandbox): string {
  const rows = [['PLAN', 'ACCOUNT', 'KEY'], ...accounts.map((one) => [one.plan, one.accountId, one.credential])];
  const table = rows.map(([plan, id, key]) => `  ${plan!.padEnd(10)}  ${id!.padEnd(18)}  ${key}`).join('\n');
  return `The sandbox is running. What it stores is removed when it stops.

${table}

  curl -F "file=@package.json" -H "Authorization: ${account().credential}" "${urls.api}/v1/objects?name=package"

API ${urls.api}, links ${urls.files}, public files ${urls.public}, S3 ${urls.s3}.
Operator's door ${urls.operator}, with the key ${operatorKey}.
Control ${controlUrl}
It differs from a server without settings in this:
${differences.map((line) => `  ${line}`).join('\n')}
Ctrl+C stops it.`;
}
