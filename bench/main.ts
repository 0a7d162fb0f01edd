import { availableParallelism, cpus, release, totalmem, type } from 'node:os';

import { ai } from './ai.ts';
import { aiStreams } from './ai-streams.ts';
import { backup } from './backup.ts';
import { bucket } from './bucket.ts';
import { changes } from './changes.ts';
import { chunked } from './chunked.ts';
import { edgeLog } from './edge-log.ts';
import { encryption } from './encryption.ts';
import { readBodies } from './held-bodies.ts';
import { jobs } from './jobs.ts';
import { largeUpload } from './large-upload.ts';
import { list } from './list.ts';
import { many } from './many.ts';
import { memory } from './memory.ts';
import { mixed } from './mixed.ts';
import { overhead } from './overhead.ts';
import { tableOf, type Report } from './report.ts';
import { rowBytes } from './row-bytes.ts';
import { s3 } from './s3.ts';
import { scale } from './scale.ts';
import { size } from './size.ts';
import { shares } from './shares.ts';
import { spread } from './spread.ts';
import { uploads } from './uploads.ts';
import { workloads } from './workloads/workloads.ts';

const benches = new Map<string, (report: Report) => Promise<void>>(
  Object.entries({
    workloads,
    mixed,
    memory,
    'row-bytes': rowBytes,
    chunked,
    uploads,
    list,
    changes,
    jobs,
    many,
    'held-bodies': readBodies,
    shares,
    overhead,
    spread,
    ai,
    'ai-streams': aiStreams,
    s3,
    scale,
    size,
    bucket,
    backup,
    encryption,
    'edge-log': edgeLog,
    'large-upload': largeUpload,
  }),
);

/** Each workload can also run alone. */
for (const part of ['W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W7', 'W8'])
  benches.set(part, (report) => workloads(report, part));
const isPart = (name: string) => /^W\d$/.test(name);

const names = process.argv.slice(2);
const unknown = names.filter((name) => !benches.has(name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. The benches are ${[...benches.keys()].join(', ')}.`);
  process.exit(1);
}

const rows: string[][] = [];
for (const name of names.length > 0 ? names : [...benches.keys()].filter((name) => !isPart(name))) {
  console.error(`${name} …`);
  await benches.get(name)!({
    say: (text) => console.error(`  ${text}`),
    row: (what, figure, beside = '') => void rows.push([name, what, figure, beside]),
  });
}
const gibibytes = Math.round(totalmem() / 1024 ** 3);
console.log(
  `\nNode ${process.version}, ${type()} ${release()}, ${availableParallelism()} cores ` +
    `(${cpus()[0]?.model.trim()}), ${gibibytes} GB\n`,
);
console.log(tableOf(rows));
