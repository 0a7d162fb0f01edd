/**
 * Stands in for the process of a local model. The last chat message selects what it does. Its argument selects how it
 * starts.
 */
import type { FromProcess, ToProcess } from '#server/features/chat/backends/local-model/messages.ts';

const tell = (message: FromProcess): void => void process.send!(message);
const [start] = process.argv.slice(2);
let underWay: number | undefined;

process.on('disconnect', () => process.exit());
process.on('message', (message: ToProcess) => {
  const { id } = message;
  if (message.type === 'give-up') return tell({ type: 'given-up', id });
  // The caller promises to send one request at a time.
  if (underWay !== undefined) process.exit(9);
  const text = message.turn.messages.at(-1)?.content ?? '';
  const answer = (): void => {
    underWay = undefined;
    tell({
      type: 'answered',
      id,
      answer: {
        text: text === 'say nothing' ? '' : `fake: ${text}`,
        toolCalls: [],
        finishReason: 'stop',
        usage: { inputTokens: 1, outputTokens: 2 },
      },
    });
  };
  if (text === 'crash') process.exit(3);
  else if (text === 'call')
    tell({
      type: 'answered',
      id,
      answer: {
        text: null,
        toolCalls: [{ name: 'add', arguments: '{}' }],
        finishReason: 'tool_calls',
        usage: { inputTokens: 1, outputTokens: 2 },
      },
    });
  else if (text === 'too long') tell({ type: 'too-long', id });
  else if (text === 'fail') tell({ type: 'failed', id });
  else if (text !== 'silent') {
    underWay = id;
    setTimeout(answer, text === 'slow' ? 150 : 5);
  }
});
if (start === 'no-package' || start === 'no-model') {
  tell({ type: 'not-started', reason: start, message: 'not there' });
  process.disconnect();
} else tell({ type: 'ready', contextTokens: 1000 });
