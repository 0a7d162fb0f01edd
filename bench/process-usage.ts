import { readFileSync } from 'node:fs';

/** Ticks of `/proc/<pid>/stat` in a second (`getconf CLK_TCK`): 100 on every Linux of today. */
const ticksPerSecond = 100;

/** Processor time that a process has used so far, in ms: the one figure that other programs on the machine do not change much. */
export function processorMs(pid: number): number {
  return processorMsIn(`/proc/${pid}/stat`);
}

/** That of its first thread alone, which runs the event loop. */
export function mainThreadMs(pid: number): number {
  return processorMsIn(`/proc/${pid}/task/${pid}/stat`);
}

function processorMsIn(stat: string): number {
  const fields = readFileSync(stat, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/** Resident memory in MB: now, or at its highest. */
export function residentMb(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
