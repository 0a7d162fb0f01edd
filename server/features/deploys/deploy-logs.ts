/** Bytes of the output of a deploy. */
interface LogPiece {
  readonly bytes: Uint8Array;
  /** Whether the output had no further bytes when it was read. */
  readonly isEnd: boolean;
}

/** Reads the output of deploys, which their runners append to. */
export interface DeployLogs {
  /** Returns up to `limit` bytes from an offset on; undefined if there is no output. */
  read(deployId: string, from: number, limit: number): Promise<LogPiece | undefined>;
}
