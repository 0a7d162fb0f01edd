/** The clock of the server, as far as a run has set it off. Signatures and dates of requests need its time. */
class ServerClock {
  offsetMs = 0;

  now(): number {
    return Date.now() + this.offsetMs;
  }
}

export const serverClock = new ServerClock();
