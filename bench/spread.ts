import { fetchFile, uploadFile } from '#test/faults/client.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { getRequest, requestsPerSecond } from './load.ts';
import { processorMs, residentMb } from './process-usage.ts';
import { median, rounded, type Report } from './report.ts';
import { bareFiles, type Peer } from './workloads/servers.ts';

const sizeBytes = 4096;
const small = someBytes(sizeBytes);
const connections = 32;
const durationMs = 3_000;
const rounds = 3;

/** How the next file is chosen: all alike, or nine of ten requests for a hundredth of the files. */
const choices = {
  'at random': (files: number) => Math.floor(Math.random() * files),
  skewed: (files: number) => Math.floor(Math.random() * (Math.random() < 0.9 ? files / 100 : files)),
};

/** Uploads among the requests. */
const shares = [0, 0.05];

/**
 * Measures public downloads of 4 KiB out of many files, so that no cache has them all, and what uploads beside them
 * cost, in turns with a bare `node:http` server that reads each file.
 */
export async function spread(report: Report): Promise<void> {
  for (const files of [20_000, 1_000_000]) {
    const server = await spawnServer({ onProgress: (done) => report.say(`${done.toLocaleString('en')} rows`) });
    const bare = files > 100_000 ? undefined : await bareFiles(files, small);
    try {
      const account = await server.account();
      report.say(`making ${files.toLocaleString('en')} files`);
      const [first] = await server.fill({ accountId: account.id, rows: files, folders: 0, prefix: 'f/', sizeBytes });
      if ((await fetchFile(server, first!)).bytes.length !== sizeBytes) throw new Error('The first file is not there.');
      for (const choice of Object.keys(choices) as Array<keyof typeof choices>)
        await compare(report, { server, bare, account, files, first: first! }, choice);
      report.row(`RSS of Cubby over ${files.toLocaleString('en')} files`, `${residentMb(server.pid).toFixed(0)} MB`);
    } finally {
      await Promise.all([server.remove(), bare?.remove()]);
    }
  }
}

interface Filled {
  readonly server: SpawnedServer;
  readonly bare: Peer | undefined;
  readonly account: TestAccount;
  readonly files: number;
  /** The id of the first file. The others differ from it in their number. */
  readonly first: string;
}

async function compare(report: Report, filled: Filled, choice: keyof typeof choices): Promise<void> {
  const { server, bare, files, first } = filled;
  const name = `4 KiB out of ${files.toLocaleString('en')} files, ${choice}`;
  const numbered = (number: number) => String(number).padStart(8, '0');
  const [head, tail] = `${server.urls.public}/${first.replace(/^pub\//, '')}`.split(numbered(0)) as [string, string];
  const ofCubby = () => getRequest(`${head}${numbered(choices[choice](files))}${tail}`);
  const cases = [
    ...(bare
      ? [
          {
            what: 'bare handler, readFile',
            pid: bare.pids[0]!,
            url: bare.url,
            share: 0,
            request: () => getRequest(`${bare.url}/small/${choices[choice](files)}`),
          },
        ]
      : []),
    ...shares.map((share) => ({
      what: share === 0 ? 'Cubby' : `Cubby, ${share * 100} % uploads`,
      pid: server.pid,
      url: head,
      share,
      request: ofCubby,
    })),
  ];
  const measured = cases.map(() => ({ rates: [] as number[], us: [] as number[] }));
  for (let round = 0; round <= rounds; round++) {
    report.say(`${name}, ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}`);
    for (const [index, { pid, url, share, request }] of cases.entries()) {
      const usedMs = processorMs(pid);
      let reads = 0;
      const uploading = share === 0 ? undefined : uploadBeside(filled, () => (reads * share) / (1 - share));
      const rate = await requestsPerSecond({
        url,
        connections,
        durationMs,
        request() {
          reads++;
          return request();
        },
      });
      const uploads = (await uploading?.stop()) ?? 0;
      if (round === 0) continue;
      measured[index]!.rates.push(rate);
      measured[index]!.us.push(((processorMs(pid) - usedMs) * 1000) / (reads + uploads));
    }
  }
  report.row(name, '');
  for (const [index, { rates, us }] of measured.entries())
    report.row(
      `  ${cases[index]!.what}`,
      `${rounded(median(rates))} /s`,
      `${rounded(median(us))} µs of processor time for each request`,
    );
}

/** Uploads files until it is stopped, as many as are wanted by then. */
function uploadBeside({ server, account }: Filled, wanted: () => number) {
  let sent = 0;
  let isOver = false;
  const send = async (): Promise<void> => {
    while (!isOver) {
      if (sent >= wanted()) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        continue;
      }
      const { status } = await uploadFile(server, account, `uploaded-${sent++ % 1000}`, small);
      if (status !== 200) throw new Error(`An upload was answered with ${status}.`);
    }
  };
  const all = Promise.all(Array.from({ length: 8 }, send));
  return {
    async stop(): Promise<number> {
      isOver = true;
      await all;
      return sent;
    },
  };
}
