import { readFileSync } from 'node:fs';

/** Ticks per second in `/proc/<pid>/stat` (`getconf CLK_TCK`): 100 on current Linux. */
const ticksPerSecond = 100;

/** Returns the CPU time of a process so far, in ms. Other programs on the machine hardly affect this figure. */
export function processorMs(pid: number): number {
  return processorMsIn(`/proc/${pid}/stat`);
}

/** Returns the CPU time of its first thread, which runs the event loop. */
export function mainThreadMs(pid: number): number {
  return processorMsIn(`/proc/${pid}/task/${pid}/stat`);
}

function processorMsIn(stat: string): number {
  const fields = readFileSync(stat, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/** Returns resident memory in MB: now, or its peak. */
export function residentMb(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
