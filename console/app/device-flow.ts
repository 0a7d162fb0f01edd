import { pollDeviceToken, requestDeviceCode, type DeviceCode } from '#dist/modules/client/index.js';

import { send } from './api.ts';
import { ApiError } from './api-error.ts';

/** What a key of the console may do. Full access cannot be requested. */
const scopes = ['account:read', 'apps:read', 'apps:deploy', 'ai:chat', 'blob:read', 'blob:write'] as const;

/** @throws {ApiError} */
export function startDeviceFlow(clientName: string, signal: AbortSignal): Promise<DeviceCode> {
  return send(requestDeviceCode({ body: { client_name: clientName, scopes: [...scopes] }, signal }));
}

/**
 * Waits until a person has approved, and returns the key.
 *
 * @throws {ApiError} when the attempt has ended, and the `AbortError` of the signal
 */
export async function awaitKey({ device_code: code, interval }: DeviceCode, signal: AbortSignal): Promise<string> {
  let waitSeconds: number = interval;
  for (;;) {
    await sleep(waitSeconds * 1000, signal);
    try {
      return (await send(pollDeviceToken({ body: { device_code: code }, signal }))).access_token;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'slow_down') waitSeconds += 5;
      else if (error.code !== 'authorization_pending' && error.status !== 0) throw error;
    }
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
