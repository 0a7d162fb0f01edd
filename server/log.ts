import { pino, type DestinationStream, type Logger } from 'pino';

import type { LogLevel } from './config/config.ts';

export type Log = Logger;

/**
 * Opens the log: JSON lines on stderr, one for each request and each fault. Log only operations, ids, counts and times.
 * Never log a secret, a header or content.
 *
 * @param destination replaces stderr, for tests
 * @param sendLine also gets each line
 */
export function openLog(level: LogLevel, destination?: DestinationStream, sendLine?: (line: string) => void): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"at":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    messageKey: 'message',
    errorKey: 'error',
  };
  const stream = destination ?? pino.destination({ fd: 2, sync: true });
  if (!sendLine) return pino(options, stream);
  return pino(options, {
    write(line) {
      stream.write(line);
      sendLine(line);
    },
  });
}
