/**
 * Returns how long the processor has worked for this thread, in milliseconds. Unlike the clock, it does not count what
 * other programs of a busy machine do meanwhile.
 */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
