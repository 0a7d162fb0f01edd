import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How slow the line is. */
export interface LineSpeed {
  /** Wait before each request reaches the server. */
  readonly latencyMs: number;
  /** In each direction of each connection. Null for no bound. */
  readonly bytesPerSecond: number | null;
}

export const fullSpeed: LineSpeed = { latencyMs: 0, bytesPerSecond: null };

/** Bytes travel in pieces of so much time. */
const pieceMs = 50;

/**
 * A port in front of a server. It stays when the server behind it is replaced, and it can be slow.
 */
export class Line {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #speed: () => LineSpeed;
  #target = 0;

  private constructor(speed: () => LineSpeed) {
    this.#speed = speed;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#join(client));
  }

  /** @param port 0 chooses a free one */
  static async open(port: number, host: string, speed: () => LineSpeed): Promise<Line> {
    const line = new Line(speed);
    line.#server.listen(port, host);
    await once(line.#server, 'listening');
    return line;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Leads new connections to this port of the machine, and ends the others. */
  leadTo(port: number): void {
    this.#target = port;
    for (const socket of this.#open) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#open) socket.destroy();
    await closed;
  }

  #join(client: Socket): void {
    const upstream = connect({ host: '127.0.0.1', port: this.#target, noDelay: true, allowHalfOpen: true });
    const sides = [client, upstream] as const;
    for (const side of sides) {
      this.#open.add(side);
      side.on('error', () => {}); // the other side is closed by the handler below
      side.on('close', (hadError) => {
        this.#open.delete(side);
        // After a proper end the other direction may still be under way.
        if (hadError || side.errored) for (const other of sides) other.destroy();
        else for (const other of sides) if (!other.writableEnded) other.end();
      });
    }
    void this.#carry(client, upstream);
    void this.#carry(upstream, client);
  }

  async #carry(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const chunk of from.iterator({ destroyOnReturn: false })) await this.#send(to, chunk as Buffer);
      to.end();
    } catch {
      from.destroy();
      to.destroy();
    }
  }

  async #send(to: Socket, chunk: Buffer): Promise<void> {
    for (let rest = chunk; rest.length > 0;) {
      const { bytesPerSecond } = this.#speed();
      const size = bytesPerSecond === null ? rest.length : Math.max(1, Math.round((bytesPerSecond * pieceMs) / 1000));
      const piece = rest.subarray(0, size);
      rest = rest.subarray(size);
      if (to.destroyed) throw new Error('The other side has gone.');
      if (!to.write(piece)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      if (bytesPerSecond !== null) await sleep((piece.length / bytesPerSecond) * 1000);
    }
  }
}
