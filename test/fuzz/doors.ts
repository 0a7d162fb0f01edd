import { doorNames, type DoorName } from '#server/config/door-names.ts';
import type { FuzzRequest } from './draft.ts';
import { Connection, exchangeOnce, type Heard } from './send/connection.ts';
import { serialise } from './send/serialise.ts';

/** A client of a server's doors that has one request under way. */
export class Doors {
  readonly #urls: Readonly<Record<DoorName, string>>;
  readonly #connections: Readonly<Record<DoorName, Connection>>;

  constructor(urls: Readonly<Record<DoorName, string>>) {
    this.#urls = urls;
    this.#connections = Object.fromEntries(doorNames.map((door) => [door, new Connection(urls[door])])) as Record<
      DoorName,
      Connection
    >;
  }

  send(request: FuzzRequest): Promise<Heard> {
    const { door, method, fault } = request;
    const { bytes, isFaulty, endsEarly } = serialise(request, this.#urls[door]);
    // A fault may change the method, and with it where the response ends.
    const seen = fault ? (/^[A-Za-z]+/.exec(bytes.toString('latin1', 0, 20))?.[0] ?? method) : method;
    return isFaulty
      ? exchangeOnce(this.#urls[door], bytes, seen, endsEarly)
      : this.#connections[door].exchange(bytes, method);
  }

  close(): void {
    for (const connection of Object.values(this.#connections)) connection.close();
  }
}
