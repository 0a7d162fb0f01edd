import { pino, type DestinationStream, type Logger } from 'pino';

import type { LogLevel } from './config/config.ts';

export type Log = Logger;

/**
 * JSON lines on stderr: one for each request and each fault. What goes in names operations, ids, counts and times;
 * never a secret, a header or content.
 *
 * @param destination where lines go instead, for tests
 */
export function openLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"at":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    messageKey: 'message',
    errorKey: 'error',
  };
  return pino(options, destination ?? pino.destination({ fd: 2, sync: true }));
}
