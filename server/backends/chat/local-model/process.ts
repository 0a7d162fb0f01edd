/**
 * The process of a local model: loads the file that it is given, and answers what the server sends, one turn at a time.
 */
import { availableParallelism } from 'node:os';

import type { ChatTurn, FinishReason } from '#server/domain/chat/conversation.ts';
import { historyOf } from './history.ts';
import type { Generated, GenerateOptions, Llama, LlamaPackage } from './llama.ts';
import type { FromProcess, LocalAnswer, ToProcess } from './messages.ts';

/** The longest window of any plan, with the longest answer. A machine with less memory gets what fits. */
const mostContextTokens = 40_960;

class TooLong extends Error {}

type Answer = (turn: ChatTurn, signal: AbortSignal) => Promise<LocalAnswer>;

const [file = ''] = process.argv.slice(2);
const underWay = new Map<number, AbortController>();

// The server is gone.
process.on('disconnect', () => process.exit());

const { answer, contextTokens } = await open(await load()).catch((error: unknown) => stop('no-model', error));
process.on('message', (message: ToProcess) => {
  if (message.type === 'ask') void run(message.id, message.turn);
  else underWay.get(message.id)?.abort();
});
tell({ type: 'ready', contextTokens });

function tell(message: FromProcess, then: () => void = () => {}): void {
  process.send!(message, then);
}

function stop(reason: 'no-package' | 'no-model', error: unknown): Promise<never> {
  return new Promise(() =>
    tell(
      { type: 'not-started', reason, words: error instanceof Error ? error.message.slice(0, 200) : 'no reason given' },
      () => process.exit(1),
    ),
  );
}

async function load(): Promise<LlamaPackage> {
  const name: string = 'node-llama-cpp';
  // It may also be there, and not for this machine.
  const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
  return (await import(name).catch((error: unknown) =>
    stop(isMissing(error) ? 'no-package' : 'no-model', error),
  )) as LlamaPackage;
}

async function open({
  getLlama,
  LlamaChat,
}: LlamaPackage): Promise<{ readonly answer: Answer; readonly contextTokens: number }> {
  // The server needs a core of its own; and threads of the model wait for one another without rest, which is slow where
  // there are more of them than cores.
  const maxThreads = Math.max(1, availableParallelism() - 1);
  // It must not compile anything, nor fetch from elsewhere.
  const llama = await getLlama({
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: 'disabled',
    maxThreads,
  });
  const model = await llama.loadModel({ modelPath: file });
  const context = await model.createContext({ contextSize: { max: mostContextTokens } });
  const sequence = context.getSequence();
  const chat = new LlamaChat({ contextSequence: sequence });
  async function answer(turn: ChatTurn, signal: AbortSignal): Promise<LocalAnswer> {
    // A longer one would have its beginning dropped, and nobody would know.
    const needed = model.tokenize(
      JSON.stringify([turn.messages.map(({ content }) => content), turn.tools ?? []]),
    ).length;
    if (needed + turn.maxOutputTokens > context.contextSize) throw new TooLong();
    // What another account said is nobody else's.
    await sequence.clearHistory();
    const before = sequence.tokenMeter.getState();
    const generated = await chat.generateResponse(historyOf(turn.messages), await optionsOf(llama, turn, signal));
    const after = sequence.tokenMeter.getState();
    const usage = {
      inputTokens: after.usedInputTokens - before.usedInputTokens,
      outputTokens: after.usedOutputTokens - before.usedOutputTokens,
    };
    return { ...messageOf(generated), usage };
  }
  return { answer, contextTokens: context.contextSize };
}

async function optionsOf(llama: Llama, turn: ChatTurn, signal: AbortSignal): Promise<GenerateOptions> {
  const { temperature, topP, seed, stop = [], presencePenalty = 0, frequencyPenalty = 0 } = turn;
  return {
    maxTokens: turn.maxOutputTokens,
    signal,
    temperature: temperature ?? 0.8,
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(stop.length > 0 && { customStopTriggers: stop }),
    ...((presencePenalty !== 0 || frequencyPenalty !== 0) && { repeatPenalty: { presencePenalty, frequencyPenalty } }),
    ...(await formOf(llama, turn)),
  };
}

type Form = Pick<GenerateOptions, 'functions' | 'grammar' | 'maxParallelFunctionCalls'>;

/** A text can be kept to a grammar, or functions be offered; not both. */
async function formOf(
  llama: Llama,
  { tools = [], toolChoice, parallelToolCalls, responseFormat: format }: ChatTurn,
): Promise<Form> {
  const offered =
    toolChoice === 'none'
      ? []
      : typeof toolChoice === 'object'
        ? tools.filter(({ name }) => name === toolChoice.name)
        : tools;
  if (offered.length > 0) {
    const functions = offered.map(({ name, description, parameters }) => {
      return [
        name,
        { ...(description !== undefined && { description }), ...(parameters && { params: parameters }) },
      ] as const;
    });
    return {
      functions: Object.fromEntries(functions),
      ...(parallelToolCalls === false && { maxParallelFunctionCalls: 1 }),
    };
  }
  if (format?.type === 'json_object') return { grammar: await llama.getGrammarFor('json') };
  if (format?.type === 'json_schema')
    return {
      grammar: await (format.schema ? llama.createGrammarForJsonSchema(format.schema) : llama.getGrammarFor('json')),
    };
  return {};
}

function messageOf({ response, functionCalls = [], metadata }: Generated): Omit<LocalAnswer, 'usage'> {
  const toolCalls = functionCalls.map(({ functionName, params }) => ({
    name: functionName,
    arguments: JSON.stringify(params ?? {}),
  }));
  if (toolCalls.length > 0) return { text: response || null, toolCalls, finishReason: 'tool_calls' };
  const finishReason: FinishReason = metadata.stopReason === 'maxTokens' ? 'length' : 'stop';
  return { text: response, toolCalls, finishReason };
}

async function run(id: number, turn: ChatTurn): Promise<void> {
  const controller = new AbortController();
  underWay.set(id, controller);
  try {
    tell({ type: 'answered', id, answer: await answer(turn, controller.signal) });
  } catch (error) {
    tell({ type: error instanceof TooLong ? 'too-long' : controller.signal.aborted ? 'given-up' : 'failed', id });
  } finally {
    underWay.delete(id);
  }
}
