import { someBytes, sha256 } from '#test/support/files.ts';
import { TestClock } from '#test/support/clock.ts';
import { startTestServer, type TestAccount, type TestServer, type TestServerOptions } from '#test/support/server.ts';
import { S3Client } from './small-client.ts';
import type { Endpoint } from './signed-request.ts';

export { someBytes, sha256 };

/** The S3 gateway of a started server, with an account and its key pair. */
export interface Gateway extends Endpoint {
  readonly server: TestServer;
  readonly account: TestAccount;
  readonly client: S3Client;
  /** The same gateway for a new account. */
  other(): Promise<Gateway>;
  /** The REST API's info about a key, or `undefined` when there is no file. */
  info(bucket: 'public' | 'private', key: string): Promise<any>;
  /** Lets the trash keep what is deleted or replaced under a prefix. */
  keepDeleted(prefix: string): Promise<void>;
  stop(): Promise<void>;
}

/** Real clients sign with the machine's time. */
class RunningClock extends TestClock {
  override now(): number {
    return Date.now() + super.now();
  }
}

/** Starts the real server, and gets a key pair. A test that starts it in `beforeAll` must stop it. */
export async function startGateway(options: TestServerOptions = {}): Promise<Gateway> {
  const server = await startTestServer({ clock: new RunningClock(0), ...options });
  const account = await server.account('enterprise');
  return gatewayOf(server, account);
}

/** Returns the gateway for one account. */
export async function gatewayOf(server: TestServer, account: TestAccount): Promise<Gateway> {
  const pair = await pairOf(server, account.credential);
  const client = new S3Client(pair);
  return {
    ...pair,
    server,
    account,
    client,
    other: async () => gatewayOf(server, await server.account('enterprise')),
    async info(bucket, key) {
      const object = `${bucket === 'public' ? 'pub' : 'prv'}/${account.id}/${key}`;
      const answer = await server.send(`/v1/objects/info?${new URLSearchParams({ object })}`, {
        credential: account.credential,
      });
      return answer.status === 404 ? undefined : answer.json().response;
    },
    async keepDeleted(prefix) {
      await server.send('/v1/account/settings', {
        method: 'PUT',
        credential: account.credential,
        body: JSON.stringify({ rules: [{ prefix, keep_deleted_days: 30 }] }),
      });
    },
    async stop() {
      client.destroy();
      await server.stop();
    },
  };
}

/** The pair that belongs to an API key. */
export async function pairOf(server: TestServer, credential: string): Promise<Endpoint> {
  const answer = await server.send('/v1/s3/credentials', { credential });
  const { access_key_id, secret_access_key } = answer.json().response;
  return { url: server.running.urls.s3, accessKeyId: access_key_id, secretAccessKey: secret_access_key };
}
