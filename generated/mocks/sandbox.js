// Made from mocks/consumer/ by `npm run generate`. Never edit it by hand.
/// <reference lib="esnext.disposable" preserve="true" />
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeProgram } from './node-program.js';
/** The process of a sandbox, below the folder of the package. */
const program = fileURLToPath(new URL('../../mocks/sandbox/child.js', import.meta.url));
const stripTypes = new URL('../../mocks/sandbox/strip-types.js', import.meta.url).href;
/**
 * Starts a sandbox in a process of its own. Several may run side by side. It ends with `stop()`, and with this process.
 *
 * @throws if it cannot start, with the reason
 */
export async function startSandbox({ seed, env = {}, ...options } = {}) {
    const child = fork(program, {
        execPath: nodeProgram(),
        // Threads of the server import the same hooks.
        execArgv: ['--disable-warning=ExperimentalWarning', '--import', stripTypes],
        env: { ...plainEnv(), UV_THREADPOOL_SIZE: '8', CUBBY_SANDBOX: JSON.stringify({ ...options, env }) },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const exited = once(child, 'exit');
    const [message] = (await Promise.race([once(child, 'message'), exited]));
    const { ready, failed } = (typeof message === 'object' && message !== null ? message : {});
    if (!ready)
        throw new Error(`The sandbox cannot start: ${failed ?? 'its process ended'}`);
    // A process that has nothing else to do may end, and the sandbox with it.
    child.unref();
    child.channel?.unref();
    const stop = async () => {
        if (child.exitCode !== null || child.signalCode !== null)
            return;
        child.ref();
        if (child.connected)
            child.send('stop');
        await exited;
    };
    const sandbox = controlOf(ready, stop);
    try {
        if (seed !== undefined)
            await sandbox.seed(seed);
        return sandbox;
    }
    catch (error) {
        await stop();
        throw error;
    }
}
/** The variables of this process without those that would change the server or Node. */
function plainEnv() {
    return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(CUBBY_|NODE_OPTIONS$|NODE_V8_COVERAGE$|VITEST)/.test(name)));
}
function controlOf({ urls, accounts, operatorKey, differences, controlUrl }, stop) {
    const send = async (method, path, body) => {
        const response = await fetch(controlUrl + path, {
            method,
            ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
        });
        const text = await response.text();
        const answer = text === '' ? undefined : JSON.parse(text);
        if (!response.ok)
            throw new Error(answer?.message ?? `The control API answered ${response.status}.`);
        return answer;
    };
    return {
        urls,
        accounts,
        operatorKey,
        differences,
        controlUrl,
        account(plan = 'pro') {
            const account = accounts.find((one) => one.plan === plan);
            if (!account)
                throw new Error(`There is no account with the plan "${plan}".`);
            return account;
        },
        reset: () => send('POST', '/reset'),
        seed: async (seed) => send('POST', '/seed', await readSeed(seed)),
        async setClock(now, { isStopped } = {}) {
            const instant = typeof now === 'string' ? now : now.toISOString();
            await send('PUT', '/clock', { now: instant, ...(isStopped !== undefined && { isStopped }) });
        },
        async advanceClock(ms) {
            await send('PUT', '/clock', { advanceMs: ms });
        },
        async failNext(failure) {
            await send('POST', '/failures', failure);
        },
        async slowLine(speed = {}) {
            await send('PUT', '/line', speed);
        },
        async received(operation) {
            const { requests } = (await send('GET', '/requests'));
            return operation === undefined ? requests : requests.filter((one) => one.operation === operation);
        },
        wrongAnswers: async () => (await send('GET', '/wrong-answers')).count,
        stop,
        [Symbol.asyncDispose]: stop,
    };
}
/** Reads a seed, and the files that it names. */
async function readSeed(seed) {
    const isFile = typeof seed === 'string' || seed instanceof URL;
    const path = isFile ? (seed instanceof URL ? fileURLToPath(seed) : resolve(seed)) : undefined;
    const read = path === undefined ? seed : parsedSeed(path, await readFile(path, 'utf8'));
    const folder = path === undefined ? process.cwd() : dirname(path);
    const files = await Promise.all((read.files ?? []).map(async ({ from, ...file }) => from === undefined ? file : { ...file, base64: await readFile(resolve(folder, from), 'base64') }));
    return { ...read, files };
}
function parsedSeed(path, text) {
    try {
        return JSON.parse(text);
    }
    catch (error) {
        throw new Error(`The seed ${path} is not JSON: ${error.message}`, { cause: error });
    }
}
