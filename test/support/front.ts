import { doorNames, type DoorName } from '#server/config/door-names.ts';
import type { RunningServer } from '#server/start.ts';
import { startDelayingProxy, type DelayingProxy } from './delaying-proxy.ts';

/** One address for each door of several servers. Each new connection goes to the next server. */
export interface Front {
  readonly urls: Readonly<Record<DoorName, string>>;
  readonly ports: Readonly<Record<DoorName, number>>;
  /** Begins to pass connections on. */
  open(servers: readonly RunningServer[]): void;
  close(): Promise<void>;
}

/** Opens the addresses. Servers need them to start, because they put them into links. */
export async function startFront(): Promise<Front> {
  const doors = await Promise.all(
    doorNames.map(async (door) => {
      let servers: readonly RunningServer[] = [];
      let next = 0;
      const proxy = await startDelayingProxy(() => ({ port: servers[next++ % servers.length]!.ports[door] }));
      return { door, proxy, open: (all: readonly RunningServer[]) => void (servers = all) };
    }),
  );
  const of = <T>(field: (proxy: DelayingProxy) => T) =>
    Object.fromEntries(doors.map(({ door, proxy }) => [door, field(proxy)])) as Record<DoorName, T>;
  return {
    urls: of(({ port }) => `http://localhost:${port}`),
    ports: of(({ port }) => port),
    open(servers) {
      for (const door of doors) door.open(servers);
    },
    async close() {
      await Promise.all(doors.map(({ proxy }) => proxy.close()));
    },
  };
}
