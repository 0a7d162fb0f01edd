import { textOf } from '#test/s3/exchange.ts';
import { refusing } from '../recipes/s3.ts';

/** Whether a response is what the operation is for. Some operations of the gateway refuse every valid request. */
export function isSuccess(operation: string, status: number, body: Buffer): boolean {
  const expected = refusing[operation.slice(3)];
  if (operation.startsWith('s3.') && expected !== undefined)
    return status >= 400 && textOf(body.toString(), 'Code') === expected;
  return status < 400;
}
