import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The eight characters that `wrk` replaces by the number of the request. */
export const numberMark = '@number@';

export interface WrkLoad {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Whole requests as they go over the wire, sent in turns. Each `numberMark` in them becomes a number of 8 digits. */
  readonly requests: readonly Buffer[];
}

export interface WrkFigures {
  readonly count: number;
  readonly perSecond: number;
  readonly bytesPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
}

/** Numbers go on from run to run, so that no name is sent twice. */
let firstNumber = 0;

/**
 * Sends requests for a time with `wrk`, which runs in a process of its own and costs little.
 *
 * @throws if a status is not 2xx or 3xx, or a connection failed
 */
export async function wrk({ url, connections, seconds, requests }: WrkLoad): Promise<WrkFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-wrk-'));
  try {
    await Promise.all(requests.map((bytes, index) => writeFile(join(folder, `${index + 1}`), bytes)));
    const script = join(folder, 'load.lua');
    await writeFile(script, lua(folder, requests.length, firstNumber));
    const { stdout } = await run(
      'wrk',
      ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, url],
      {
        maxBuffer: 1_048_576,
      },
    );
    const figures = JSON.parse(stdout.split('\n').find((line) => line.startsWith('{'))!) as {
      count: number;
      bytes: number;
      us: number;
      errors: number;
      p50: number;
      p99: number;
      p999: number;
    };
    firstNumber += figures.count + connections;
    if (figures.errors > 0) throw new Error(`${figures.errors} of ${figures.count} requests to ${url} failed.`);
    return {
      count: figures.count,
      perSecond: (figures.count * 1e6) / figures.us,
      bytesPerSecond: (figures.bytes * 1e6) / figures.us,
      p50Ms: figures.p50 / 1000,
      p99Ms: figures.p99 / 1000,
      p999Ms: figures.p999 / 1000,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the script: it cuts each request at its marks once, and joins the pieces with the number. */
function lua(folder: string, count: number, first: number): string {
  return `
local files, number, turn = {}, ${first}, 0
for index = 1, ${count} do
  local file = io.open("${folder}/" .. index, "rb")
  local text, pieces, from = file:read("*a"), {}, 1
  file:close()
  while true do
    local at, last = text:find("${numberMark}", from, true)
    pieces[#pieces + 1] = text:sub(from, (at or 0) - 1)
    if not at then break end
    from = last + 1
  end
  files[index] = pieces
end
request = function()
  number = number + 1
  turn = turn % ${count} + 1
  local pieces = files[turn]
  if #pieces == 1 then return pieces[1] end
  return table.concat(pieces, string.format("%08d", number))
end
done = function(summary, latency)
  local e = summary.errors
  print(string.format('{"count":%d,"bytes":%.0f,"us":%d,"errors":%d,"p50":%.0f,"p99":%.0f,"p999":%.0f}',
    summary.requests, summary.bytes, summary.duration, e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9)))
end
`;
}
