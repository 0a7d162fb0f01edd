/**
 * How a server's process is started. `npm start`, the image and the systemd unit repeat it, because it has to be there
 * before Node begins. The server itself does not read it.
 *
 * V8 lets its young generation grow with the memory of the machine, to 128 MB on a large one. It lets the old one grow
 * to twice what is in use before it collects garbage. With a thousand open streams the server then takes 90 MB more,
 * and no less processor time.
 *
 * V8 also notes which objects live long, and creates such objects where only a large garbage collection frees them. Its
 * notes are of the first requests, which run while code is still being compiled. Objects of later requests that are
 * created there keep everything that they point to until then. This doubled the processor time of a small request.
 */
export const nodeFlags = ['--max-semi-space-size=16', '--heap-growing-percent=20', '--no-allocation-site-pretenuring'];

/** glibc keeps an arena of memory for every thread, and most of it is never used again. Other systems ignore this. */
export const processEnv = { MALLOC_ARENA_MAX: '1' };
