import { startChatUpstream } from '#mocks/chat-upstream.ts';

/** The upstream of `ai.ts`, in its own process. */
const upstream = await startChatUpstream();
upstream.answer({
  text: 'The quick brown fox jumps over the lazy dog. '.repeat(10),
  usage: { prompt_tokens: 120, completion_tokens: 100 },
});
process.send!(upstream.url);
process.on('disconnect', () => process.exit(0));
