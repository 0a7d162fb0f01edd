import { MetadataFailed, MetadataFull, MetadataMoving, MetadataUnavailable } from '#server/domain/ports/metadata.ts';

/** The questions about an error of an engine. */
interface EngineErrors {
  isDiskFull(error: unknown): boolean;
  isMoving(error: unknown): boolean;
  isUnavailable(error: unknown): boolean;
  isBroken(error: unknown): boolean;
}

/**
 * Returns a function that turns an error of an engine into the port's own fault, if the database cannot work at the
 * moment. Other errors stay as they are.
 */
export function storeFaults(engine: EngineErrors): (doing: 'read' | 'written' | 'used', error: unknown) => unknown {
  return (doing, error) => {
    if (engine.isDiskFull(error)) return new MetadataFull(error);
    if (engine.isMoving(error)) return new MetadataMoving(error);
    const message = `The database cannot be ${doing} at the moment.`;
    if (engine.isUnavailable(error)) return new MetadataUnavailable(message, error);
    return engine.isBroken(error) ? new MetadataFailed(message, error) : error;
  };
}
