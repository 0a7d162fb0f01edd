import { startChatUpstream, type UpstreamBehaviour } from '#mocks/chat-upstream.ts';
import { chunkOf } from '#mocks/chat-upstream-answers.ts';

/** The upstream of `ai.ts` and `ai-streams.ts`, in its own process. */
const upstream = await startChatUpstream();
const whole: UpstreamBehaviour = {
  text: 'The quick brown fox jumps over the lazy dog. '.repeat(10),
  usage: { prompt_tokens: 120, completion_tokens: 100 },
};
upstream.answer(({ body: { model } }) =>
  model === 'slow' ? { pieces: Array<string>(800).fill(chunkOf({ content: 'fox ' })), pauseMs: 100 } : whole,
);
process.send!(upstream.url);
process.on('disconnect', () => process.exit(0));
