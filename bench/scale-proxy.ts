import { startDelayingProxy } from '#test/support/delaying-proxy.ts';

/* The proxy as a process, so that neither the clients nor the servers wait for its work. Arguments: port, delay. */
const [port, delayMs] = process.argv.slice(2).map(Number) as [number, number];
const proxy = await startDelayingProxy({ port }, delayMs);
process.send!({ port: proxy.port });
process.on('disconnect', () => process.exit());
